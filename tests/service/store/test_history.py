"""What ended long ago is removed, and its space given back."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import text

from flags import Answer, Verdict
from service.store import OldRun, Store, give_back
from service.store._connect import connect

LATER = datetime.now(UTC) + timedelta(days=1)
TABLES = ("run", "file", "row", "verdict", "judgement", "review")


def left(url: str) -> dict[str, int]:
    """Return how many records each table holds."""
    with connect(url).connect() as connection:
        return {name: connection.scalar(text(f'SELECT count(*) FROM "{name}"')) or 0 for name in TABLES}


async def test_a_run_goes_with_all_it_holds(store: Store, url: str, new_run: Any) -> None:
    """Workbooks, rows, replies and verdicts; a run that has not ended stays, whatever is asked for."""
    await store.runs.add(new_run("old", content=b"12345"))
    await store.runs.add(new_run("open", company="other"))
    await store.rows.answer("old", 2, Answer(text="a"))
    await store.rows.settle("old", 2, {"final": Verdict.given(False)})
    await store.runs.cancel("old")
    (old,) = await store.history.ended_before(LATER)
    assert old == OldRun(id="old", name="Benchmark.xlsx", finished=old.finished, rows=3, size=5)
    assert await store.history.ended_before(old.finished) == []
    assert await store.history.remove("open", LATER) is False
    assert await store.history.remove("old", LATER) is True
    assert await store.history.remove("old", LATER) is False
    assert left(url) == {"run": 1, "file": 1, "row": 3, "verdict": 0, "judgement": 0, "review": 0}


async def test_a_run_that_was_taken_up_meanwhile_stays(store: Store, new_run: Any) -> None:
    """Somebody resumed it between the look and the removal."""
    await store.runs.add(new_run("old"))
    await store.runs.cancel("old")
    assert [old.id for old in await store.history.ended_before(LATER)] == ["old"]
    await store.runs.reopen("old", "serve")
    assert await store.history.remove("old", LATER) is False


async def test_the_space_of_what_was_removed_goes_back_to_the_disk(
    store: Store, url: str, new_run: Any, tmp_path: Path
) -> None:
    """Until then SQLite keeps it for what comes next."""
    file = tmp_path / "home" / "flagbook.sqlite"
    await store.runs.add(new_run("old", content=bytes(3_000_000)))
    await store.runs.cancel("old")
    await store.history.remove("old", LATER)
    give_back(url)
    assert file.stat().st_size < 1_000_000


async def test_a_store_that_is_asked_answers(store: Store) -> None:
    """It reads and takes its turn at writing."""
    await store.ping()
