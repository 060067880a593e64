"""`flagbook worker`: a further process, here or on another machine, that carries out the service's runs."""

import signal
from typing import TYPE_CHECKING

import typer

from service.cli._door import answering, settings_with
from service.cli._options import Spaces

if TYPE_CHECKING:
    from service.settings import Settings


def worker(spaces: Spaces = None) -> None:
    """Work beside `flagbook serve` on the same PostgreSQL (FLAGBOOK_DATABASE_URL), as many as wanted.

    It prints a line once it works. SIGTERM or Ctrl-C lets running calls end; what is left goes to another worker.
    """
    import asyncio

    with answering(as_json=False):
        asyncio.run(_work(settings_with(spaces=spaces)))


async def _work(settings: "Settings") -> None:
    import asyncio

    from service.app import open_service

    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with open_service(settings, executor="worker"):
        typer.echo("flagbook works (Ctrl-C stops it)")
        await stop.wait()


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(worker)
