"""An application on a run room in memory, and a client that speaks to it as a browser on this machine would."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from types import SimpleNamespace

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from service.api import new_app
from service.api._fakes import MemoryRuns, a_run
from service.settings import Settings

Open = Callable[..., TestClient]


def an_app(runs: MemoryRuns, **settings: object) -> FastAPI:
    """Return the application on a run room, with settings that differ from the usual."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.service = SimpleNamespace(runs=runs, spaces=("Travel Desk", "Reisekosten"))
        yield

    return new_app(Settings(**settings), lifespan)


@pytest.fixture
def runs() -> MemoryRuns:
    """A run room with one run that is ready."""
    return MemoryRuns(a_run("r1"))


@pytest.fixture
def connect(runs: MemoryRuns) -> Iterator[Open]:
    """Return a function that opens a client on an application with the given settings."""
    with ExitStack() as stack:

        def connect(*, room: MemoryRuns = runs, **settings: object) -> TestClient:
            app = an_app(room, **settings)
            return stack.enter_context(TestClient(app, base_url="http://localhost:8300", raise_server_exceptions=False))

        yield connect


@pytest.fixture
def client(connect: Open) -> TestClient:
    """A client of the service as it is started without further settings."""
    return connect()
