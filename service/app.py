"""The only place that builds real things; nothing is made at import."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.runs import Runs
from service.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI


@dataclass(frozen=True, kw_only=True)
class Service:
    """What a door works with; `spaces` holds the names declared in spaces.yaml."""

    settings: Settings
    runs: Runs
    spaces: tuple[str, ...]


@asynccontextmanager
async def open_service(settings: Settings, *, executor: str) -> AsyncIterator[Service]:
    """Open database, judge, embedder, assistants and engine, and close them again.

    `executor` names the process to the engine: a stable name (`serve`) makes a restart continue its own runs; the
    command line takes a unique one so that two processes on one home leave each other's runs alone.
    """
    raise NotImplementedError
    yield Service(settings=settings, runs=Runs(), spaces=())


def create_app(settings: Settings) -> "FastAPI":
    """Return the HTTP application; its lifespan opens the service and keeps it in `app.state.service`."""
    from service.api import new_app
    from service.web import install_pages

    @asynccontextmanager
    async def lifespan(app: "FastAPI") -> AsyncIterator[None]:
        async with open_service(settings, executor="serve") as service:
            app.state.service = service
            yield

    app = new_app(settings, lifespan)
    install_pages(app)
    return app
