"""`flagbook serve`: the service with its pages, on this machine."""

from typing import TYPE_CHECKING, Annotated

import typer

from service.cli._door import answering, settings_with
from service.cli._options import Spaces

if TYPE_CHECKING:
    from socket import socket

    from service.settings import Settings

SECONDS_TO_FINISH = 10


def serve(
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where to listen; default: FLAGBOOK_HOST or 127.0.0.1.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(metavar="PORT", min=0, max=65535, help="Default: FLAGBOOK_PORT or 8300; 0: any free.")
    ] = None,
    spaces: Spaces = None,
) -> None:
    """Serve the pages and the API; prints the address once it answers. Runs cut short by the last stop go on.

    On any address but loopback it needs FLAGBOOK_TOKEN, and refuses to start without.
    """
    from service.api import check_start

    with answering(as_json=False):
        settings = settings_with(host=host, port=port, spaces=spaces)
        check_start(settings)
        _check_spaces(settings)
        with listen(settings.host, settings.port) as listener:
            _serve(settings, listener)


def _check_spaces(settings: "Settings") -> None:
    """Read spaces and prices now: once the server runs, their mistakes could only be told in a traceback."""
    from service.app import declared_spaces
    from service.runs import load_prices

    declared_spaces(settings)
    load_prices(settings.prices)


def listen(host: str, port: int) -> "socket":
    """Return a socket that listens there; raise `AddressTaken` with the reason when none can."""
    import socket

    from service.errors import AddressTaken

    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        raise AddressTaken(host=host, port=port, problem=error.strerror or str(error)) from None
    return listener


def _serve(settings: "Settings", listener: "socket") -> None:
    import uvicorn

    from service.app import create_app

    app = create_app(settings)

    class Server(uvicorn.Server):
        async def startup(self, sockets: "list[socket] | None" = None) -> None:
            await super().startup(sockets)
            if self.started:
                typer.echo(f"flagbook serves at {address_of(settings, listener)} (Ctrl-C stops it)")

        async def shutdown(self, sockets: "list[socket] | None" = None) -> None:
            # Who watches a run would keep the server waiting for the end of it.
            if service := getattr(app.state, "service", None):
                service.runs.hang_up()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
    )
    server = Server(config)
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        return
    if not server.started:
        raise typer.Exit(2)


def address_of(settings: "Settings", listener: "socket") -> str:
    """Return the address to open; where the service listens on every address, the one of this machine."""
    from service.api import login_path

    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}{login_path(settings)}"


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(serve)
