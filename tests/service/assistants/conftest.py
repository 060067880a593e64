"""Kits, documents and spaces for the tests of this room."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from flags._fakes import WordEmbedder
from service.assistants import Kit, Space
from service.llm import Endpoints

KEY = "FLAGBOOK_TEST_KEY"
LEAVE = """# Leave

## Vacation

Employees have 28 days of vacation per year. Unused vacation must be taken by 30 June.

## Parental leave

Parental leave lasts eight weeks.
"""
TRAVEL = """# Travel

Train journeys are paid in second class. A lunch on a journey is paid up to CHF 26.
"""


@pytest.fixture
async def endpoints() -> AsyncIterator[Endpoints]:
    """Return endpoints closed after the test."""
    endpoints = Endpoints(timeout_s=2, retry_budget_s=2)
    yield endpoints
    await endpoints.aclose()


@pytest.fixture
def kit(tmp_path: Path, endpoints: Endpoints, monkeypatch: pytest.MonkeyPatch) -> Kit:
    """Return a kit with a fast embedder, and a key for the endpoint."""
    monkeypatch.setenv(KEY, "a-key")
    return Kit(embedder=WordEmbedder(), chat=endpoints.lane("assistants"), index_folder=tmp_path / "index")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two documents."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "leave.md").write_text(LEAVE, encoding="utf-8")
    (folder / "travel.md").write_text(TRAVEL, encoding="utf-8")
    return folder


@pytest.fixture
def space() -> Callable[..., Space]:
    """Return a function that makes a space from its settings."""

    def make(backend: str = "documents", **settings: Any) -> Space:
        return Space(name="HR", backend=backend, settings=settings)

    return make
