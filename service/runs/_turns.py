"""Whose row is next: runs take turns, so that a short one is not stuck behind a long one."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

AHEAD = 2
"""So many times the places of a space are open rows that ask: one row is asked while another is on its way."""


@dataclass(eq=False)
class _Line:
    """Rows of one run and space; at most `most` of those that are open still have to be asked."""

    run: str
    most: int
    asking: int = 0
    open: int = 0
    waiting: deque[tuple[asyncio.Future[None], bool]] = field(default_factory=deque)

    def next_may(self) -> bool:
        """Return whether its first row may be opened; those that gave up waiting are forgotten."""
        while self.waiting and self.waiting[0][0].done():
            self.waiting.popleft()
        return bool(self.waiting) and (self.asking < self.most or not self.waiting[0][1])


class Turns:
    """Lets rows in, at most `most` at the same time.

    The run with the fewest open rows is next. Rows that only wait for a slow space are not let in: they would keep
    those of other spaces out.
    """

    def __init__(self, most: int) -> None:
        self._free = most
        self._lines: dict[tuple[str, str], _Line] = {}
        self._open: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, run: str, space: str, places: int, *, asks: bool) -> AsyncIterator[Callable[[], None]]:
        """Wait until a row may be opened; call what is yielded once it has its answer."""
        line = self._lines.setdefault((run, space), _Line(run, AHEAD * places))
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.waiting.append((waiter, asks))
        self._let_in()
        asking = asks

        def answered() -> None:
            nonlocal asking
            if asking:
                asking = False
                line.asking -= 1
                self._let_in()

        try:
            await waiter
            yield answered
        finally:
            if waiter.done() and not waiter.cancelled():
                self._free += 1
                self._open[run] -= 1
                line.open -= 1
                answered()
            self._let_in()
            self._forget((run, space), line)

    def _let_in(self) -> None:
        while self._free > 0:
            ready = [line for line in self._lines.values() if line.next_may()]
            if not ready:
                return
            line = min(ready, key=lambda one: (self._open[one.run], one.asking))
            waiter, asks = line.waiting.popleft()
            self._free -= 1
            self._open[line.run] += 1
            line.open += 1
            line.asking += asks
            waiter.set_result(None)

    def _forget(self, key: tuple[str, str], line: _Line) -> None:
        if not line.open and not line.next_may() and self._lines.get(key) is line:
            del self._lines[key]
            self._open += Counter()  # keeps those alone that are not zero
