"""A client that speaks to the service, on a run room in memory, as a browser on this machine would."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from fastapi.testclient import TestClient

from service.api._fakes import MemoryRuns, a_run, an_app

Connect = Callable[..., TestClient]


@pytest.fixture
def runs() -> MemoryRuns:
    """A run room with one run that is ready."""
    return MemoryRuns(a_run("r1"))


@pytest.fixture
def connect(runs: MemoryRuns) -> Iterator[Connect]:
    """Return a function that opens a client on an application with the given settings."""
    with ExitStack() as stack:

        def connect(*, room: MemoryRuns = runs, **settings: Any) -> TestClient:
            app = an_app(room, **settings)
            return stack.enter_context(TestClient(app, base_url="http://localhost:8300", raise_server_exceptions=False))

        yield connect


@pytest.fixture
def client(connect: Connect) -> TestClient:
    """A client of the service as it is started without further settings."""
    return connect()
