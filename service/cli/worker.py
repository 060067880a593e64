"""`flagbook worker`: a further process, here or on another machine, that carries out the service's runs."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli._door import answering, settings_with
from service.cli._loop import run_to_end
from service.cli._options import Spaces

if TYPE_CHECKING:
    import asyncio
    from socket import socket

    from service.app import Service
    from service.metrics import Metrics
    from service.settings import Settings

MetricsPort = Annotated[
    int | None,
    typer.Option(metavar="PORT", min=0, max=65535, help="Serve figures for Prometheus at /metrics; 0: any free port."),
]


def worker(spaces: Spaces = None, metrics_port: MetricsPort = None) -> None:
    """Work beside `flagbook serve` on the same PostgreSQL (FLAGBOOK_DATABASE_URL), as many as wanted.

    It prints a line once it works. SIGTERM or Ctrl-C lets running calls end; what is left goes to another worker.
    Figures are served on FLAGBOOK_HOST; on any address but loopback that needs FLAGBOOK_METRICS_TOKEN or
    FLAGBOOK_TOKEN.
    """
    with answering(as_json=False):
        settings = settings_with(spaces=spaces)
        if metrics_port is None:
            run_to_end(_work(settings, None))
            return
        from service.api import check_metrics
        from service.cli.serve import listen

        check_metrics(settings)
        with listen(settings.host, metrics_port) as listener:
            run_to_end(_work(settings, listener))


async def _work(settings: "Settings", listener: "socket | None") -> None:
    import asyncio

    from service.app import open_service
    from service.metrics import Metrics

    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    metrics = Metrics() if listener else None
    async with open_service(settings, executor="worker", metrics=metrics) as service:
        typer.echo("flagbook works (Ctrl-C stops it)")
        if listener is None or metrics is None:
            await stop.wait()
        else:
            await _serve_figures(service, metrics, listener, stop)


async def _serve_figures(service: "Service", metrics: "Metrics", listener: "socket", stop: "asyncio.Event") -> None:
    """Serve the figures until the worker is to stop."""
    import asyncio

    import uvicorn

    from service.api import metrics_app

    class Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield  # they are the worker's

    app = metrics_app(service.settings, metrics, service.runs.load)
    server = Server(uvicorn.Config(app, log_config=None, access_log=False, server_header=False))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    host, port = listener.getsockname()[:2]
    typer.echo(f"figures at http://{host}:{port}/metrics")
    await stop.wait()
    server.should_exit = True
    await serving


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(worker)
