"""One look serves all who watch."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from service.runs._watch import Watches


class Thing:
    """Something that changes, and counts how often it is looked at."""

    def __init__(self, *states: int | None) -> None:
        self.states = list(states)
        self.looks = 0
        self.broken = False

    async def look(self) -> int | None:
        """Return the state now; each look makes it older, until the last one stays."""
        self.looks += 1
        if self.broken:
            raise OSError
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]


async def everything(states: AsyncIterator[int]) -> list[int]:
    """Return all that is seen until nothing more is."""
    async with asyncio.timeout(5):
        return [state async for state in states]


async def test_each_change_is_seen_once_until_the_thing_is_gone() -> None:
    """What stays the same is not told again."""
    thing = Thing(1, 1, 2, 2, 3, None)
    watches = Watches(every_s=0)
    assert await everything(watches.follow("a", thing.look)) == [1, 2, 3]
    assert len(watches) == 0


async def test_many_who_watch_cost_one_look_each_time() -> None:
    """Whoever comes later sees the newest state at once; when the last is gone nobody looks any more."""
    thing = Thing(1)
    watches = Watches(every_s=0.01)
    async with aclosing(watches.follow("a", thing.look)) as first, aclosing(watches.follow("a", thing.look)) as second:
        assert [await anext(first), await anext(second)] == [1, 1]
        assert len(watches) == 1
        looks, thing.states = thing.looks, [2]
        assert [await anext(first), await anext(second)] == [2, 2]
        assert thing.looks - looks <= 2
    looks = thing.looks
    await asyncio.sleep(0.05)
    assert (thing.looks, len(watches)) == (looks, 0)


async def test_who_is_slow_misses_states_but_never_the_last() -> None:
    """Nothing is kept for them in the meantime."""
    thing = Thing(1, 2, 3, 4, None)
    watches = Watches(every_s=0)
    async with aclosing(watches.follow("a", thing.look)) as slow:
        assert await anext(slow) == 1
        await asyncio.sleep(0.05)
        assert await everything(slow) == [4]


@pytest.mark.parametrize("end", ["breaks", "hangs up"])
async def test_a_watch_that_cannot_go_on_ends(end: str) -> None:
    """The look fails, or the process is about to end; whoever watches may come again."""
    thing = Thing(1)
    watches = Watches(every_s=0.01)
    async with aclosing(watches.follow("a", thing.look)) as states:
        assert await anext(states) == 1
        thing.broken = end == "breaks"
        if end == "hangs up":
            watches.hang_up()
        assert await everything(states) == []
    assert len(watches) == 0
    thing.broken = False
    assert await everything(watches.follow("b", Thing(1, None).look)) == ([1] if end == "breaks" else [])
