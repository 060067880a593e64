"""A run whose failure cannot be stored is shown as failed all the same."""

import asyncio
from typing import Any

import pytest

from service.errors import DatabaseFull
from service.runs._last_words import LastWords
from service.store import Store

FAILURE = {"message": "There is no room.", "code": "database_full", "params": {}}


class FullRuns:
    """The runs of a store whose disk is full until there is room."""

    def __init__(self, store: Store) -> None:
        self._runs = store.runs
        self.room = False

    async def fail(self, run_id: str, failure: Any) -> bool:
        """Store it if there is room."""
        if not self.room:
            raise DatabaseFull
        return await self._runs.fail(run_id, failure)


class FullStore:
    """A store without room."""

    def __init__(self, store: Store) -> None:
        self.runs = FullRuns(store)


async def test_a_failure_is_shown_at_once_and_stored_when_there_is_room(store: Store) -> None:
    """Whoever resumes the run before is told why it cannot be yet."""
    full = FullStore(store)
    words = LastWords(full, again_s=0.01)  # type: ignore[arg-type]
    words.keep("r1", FAILURE)
    run = await store.runs.get("r1")
    assert run is not None
    assert (run.state, words.shown(run).state, words.shown(run).failure) == ("queued", "failed", FAILURE)
    with pytest.raises(DatabaseFull):
        await words.store("r1")
    await asyncio.sleep(0.05)
    assert await store.runs.state("r1") == "queued"
    full.runs.room = True
    async with asyncio.timeout(5):
        while await store.runs.state("r1") != "failed":  # noqa: ASYNC110 - what is waited for is in the database
            await asyncio.sleep(0.01)
    await words.store("r1")
    await words.aclose()
    assert words.shown(run) == run
