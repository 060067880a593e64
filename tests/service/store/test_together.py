"""What is wanted at the same time is looked for together, and each one hears of its own."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy.orm import Session

from service.store import NewRun, Reply, Store
from service.store._together import Together

Make = Callable[..., NewRun]


class SlowDatabase:
    """Reads when it is told to; counts how often it was asked."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.reads = 0
        self.go = asyncio.Event()
        self._failure = failure

    async def read(self, _work: Callable[[Session], Any]) -> Any:
        """Return that the content `a` is known."""
        self.reads += 1
        await self.go.wait()
        if self._failure:
            raise self._failure
        return {"a": {"verdict": "yes"}}


def known_in(database: SlowDatabase) -> Together[Any]:
    """Return what looks into a database of the test."""
    return Together(database, lambda _session, _keys: {})  # type: ignore[arg-type]


async def test_those_who_wait_share_a_look() -> None:
    """Three that ask at once are one read, two that come meanwhile the next; each gets what it asked for."""
    database = SlowDatabase()
    known = known_in(database)
    first = [asyncio.create_task(known.find(content)) for content in ("a", "b", "a")]
    await asyncio.sleep(0.01)
    later = [asyncio.create_task(known.find(content)) for content in ("b", "a")]
    await asyncio.sleep(0.01)
    database.go.set()
    told = [await asyncio.gather(*asked) for asked in (first, later)]
    assert told == [[{"verdict": "yes"}, None, {"verdict": "yes"}], [None, {"verdict": "yes"}]]
    assert database.reads == 2


async def test_one_who_gives_up_does_not_disturb_the_others() -> None:
    """Its row was stopped; the same reply is told to the other."""
    database = SlowDatabase()
    known = known_in(database)
    gone, stays = (asyncio.create_task(known.find("a")) for _ in range(2))
    await asyncio.sleep(0.01)
    gone.cancel()
    with suppress(asyncio.CancelledError):
        await gone
    database.go.set()
    assert await stays == {"verdict": "yes"}


async def test_an_error_of_the_database_reaches_everyone_who_waits() -> None:
    """And the next one asks it again."""
    database = SlowDatabase(OSError("away"))
    known = known_in(database)
    database.go.set()
    told = await asyncio.gather(known.find("a"), known.find("b"), return_exceptions=True)
    assert [type(one) for one in told] == [OSError, OSError]
    with pytest.raises(OSError, match="away"):
        await known.find("a")


async def test_a_reply_is_found_by_its_content_in_the_database(store: Store, new_run: Make) -> None:
    """However many ask, and nothing under a content that nobody kept."""
    await store.runs.add(new_run())
    row = (await store.rows.page("r1"))[0]
    await store.rows.judgement(row, "agrees", Reply(said={"verdict": "yes"}, content="c1"))
    told = await asyncio.gather(*(store.rows.known_reply(content) for content in ("c1", "none", "c1")))
    assert told == [{"verdict": "yes"}, None, {"verdict": "yes"}]


async def test_who_waits_when_the_loop_ends_is_let_go() -> None:
    """The look is cancelled with all other tasks of the process; nobody waits for ever."""
    known = known_in(SlowDatabase())
    waiting = asyncio.create_task(known.find("a"))
    await asyncio.sleep(0.01)
    for task in asyncio.all_tasks() - {asyncio.current_task(), waiting}:
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(waiting, 5)
