"""An empty store, and runs to put into it."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from flags import Question
from service.store import NewRow, NewRun, Store


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The URL of a database that does not exist yet."""
    return f"sqlite:///{tmp_path / 'home' / 'flagbook.sqlite'}"


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """A store on an empty database."""
    opened = await Store.open(url)
    yield opened
    await opened.close()


@pytest.fixture
def new_run() -> Callable[..., NewRun]:
    """Makes runs of three rows in two shards."""

    def make(run_id: str = "r1", **changes: Any) -> NewRun:
        rows = tuple(
            NewRow(number=n + 2, position=n + 1, space=space, question=Question(text=f"q{n}", space=space), shard=shard)
            for n, (space, shard) in enumerate([("Law", 0), ("Law", 0), ("Tax", 1)])
        )
        values: dict[str, Any] = {
            "id": run_id,
            "company": "acme",
            "user": "ann",
            "name": "Benchmark.xlsx",
            "sheet": "Sheet1",
            "owner": "serve",
            "content": b"PK",
            "rows": rows,
            "options": {"rows": ""},
            "plan": {"spaces": {}},
            "spaces": {"Law": 2, "Tax": 1},
        }
        return NewRun(**{**values, **changes})

    return make
