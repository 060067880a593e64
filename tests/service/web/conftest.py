"""A client that looks at the pages as a browser on this machine would."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from bs4 import BeautifulSoup
from fastapi.testclient import TestClient

from service.api._fakes import MemoryRuns, a_run, an_app
from service.web import install_pages

Look = Callable[..., TestClient]


@pytest.fixture
def runs() -> MemoryRuns:
    """A run room with one run that is ready."""
    return MemoryRuns(a_run("r1"))


@pytest.fixture
def look(runs: MemoryRuns) -> Iterator[Look]:
    """Return a function that opens a browser-like client on an application with the given settings."""
    with ExitStack() as stack:

        def look(*, room: MemoryRuns = runs, **settings: Any) -> TestClient:
            app = an_app(room, **settings)
            install_pages(app)
            browser = {"accept": "text/html,application/xhtml+xml"}
            return stack.enter_context(
                TestClient(app, base_url="http://localhost:8300", headers=browser, raise_server_exceptions=False)
            )

        yield look


@pytest.fixture
def browser(look: Look) -> TestClient:
    """A browser-like client of the service as it is started without further settings."""
    return look()


@pytest.fixture
def draw(look: Look) -> Callable[..., BeautifulSoup]:
    """Return a function that draws the page for some runs and returns it as a tree."""

    def draw(*listed: Any, **settings: Any) -> BeautifulSoup:
        return BeautifulSoup(look(room=MemoryRuns(*listed), **settings).get("/").text, "html.parser")

    return draw
