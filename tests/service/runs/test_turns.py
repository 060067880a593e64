"""Runs take turns, and a slow space keeps nobody else out."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service.runs._turns import Turns


class Rows:
    """Opens rows and holds them until they are told to go on."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self.opened: list[str] = []
        self._asked: dict[str, list[asyncio.Event]] = {}
        self._ended: dict[str, list[asyncio.Event]] = {}
        self.tasks: list[asyncio.Task[None]] = []

    def come(self, run: str, count: int, *, space: str = "Law", places: int = 100, asks: bool = True) -> None:
        """Have rows of a run wait for their turn."""
        self.tasks += [asyncio.create_task(self._row(run, space, places, asks)) for _ in range(count)]

    async def end(self, run: str, count: int = 1) -> None:
        """Bring open rows of a run to their end."""
        await self._go_on(self._ended[run], count)

    async def answer(self, run: str, count: int = 1) -> None:
        """Give open rows of a run their answers."""
        await self._go_on(self._asked[run], count)

    def open(self) -> Counter[str]:
        """Return how many rows of each run were opened since the last look."""
        seen = Counter(self.opened)
        self.opened.clear()
        return seen

    async def _go_on(self, events: list[asyncio.Event], count: int) -> None:
        for event in events[:count]:
            event.set()
        del events[:count]
        await settle()

    async def _row(self, run: str, space: str, places: int, asks: bool) -> None:
        async with self._turns.turn(run, space, places, asks=asks) as answered:
            self.opened.append(run)
            asked, ended = asyncio.Event(), asyncio.Event()
            self._asked.setdefault(run, []).append(asked)
            self._ended.setdefault(run, []).append(ended)
            waits = [asyncio.create_task(event.wait()) for event in (asked, ended)]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            answered()
            await ended.wait()
            waits[0].cancel()


async def settle() -> None:
    """Let every task come as far as it can."""
    for _ in range(8):
        await asyncio.sleep(0)


@contextmanager
def rows_of(most: int) -> Iterator[Rows]:
    """Yield rows that share so many turns, and break off what is left of them."""
    rows = Rows(Turns(most))
    yield rows
    for task in rows.tasks:
        task.cancel()


async def test_a_run_that_comes_later_gets_the_next_turns_until_both_have_as_many() -> None:
    """It does not wait until the rows that came before it are done, and does not push the other out either."""
    with rows_of(4) as rows:
        rows.come("long", 100)
        await settle()
        rows.come("short", 3)
        await settle()
        assert rows.open() == {"long": 4}
        await rows.end("long", 2)
        assert rows.open() == {"short": 2}
        await rows.end("long")
        assert rows.open() == {"long": 1}
        await rows.end("short")
        assert rows.open() == {"short": 1}
        await rows.end("short", 2)
        assert rows.open() == {"long": 2}


@pytest.mark.parametrize(("asks", "opened"), [(True, 4), (False, 16)])
async def test_rows_that_would_only_wait_for_a_slow_space_are_not_opened(asks: bool, opened: int) -> None:
    """Twice as many as may be asked; rows that have their answers need no place of the space."""
    with rows_of(16) as rows:
        rows.come("slow", 20, space="Slow", places=2, asks=asks)
        await settle()
        assert rows.open() == {"slow": opened}
        rows.come("other", 20)
        await settle()
        assert rows.open()["other"] == 16 - opened


async def test_an_answer_opens_the_next_row_of_a_slow_space() -> None:
    """While the first is judged the next is asked."""
    with rows_of(16) as rows:
        rows.come("slow", 20, places=1)
        await settle()
        await rows.answer("slow")
        assert rows.open() == {"slow": 3}
        await rows.end("slow")
        assert rows.open() == {}


async def test_rows_that_are_broken_off_leave_their_turns_to_others() -> None:
    """Whether they waited, were just let in, or were open."""
    turns = Turns(1)
    rows = Rows(turns)
    rows.come("first", 3)
    await settle()
    rows.tasks[1].cancel()
    rows.tasks[0].cancel()
    await asyncio.sleep(0)
    rows.tasks[2].cancel()
    await asyncio.gather(*rows.tasks, return_exceptions=True)
    rows.come("second", 1)
    await settle()
    assert rows.open() == {"first": 1, "second": 1}
    await rows.end("second")
    assert not vars(turns)["_lines"]
