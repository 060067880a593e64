"""How many calls may be under way: as many as allowed, fewer when the endpoint says so, and back again."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

Waiter = asyncio.Future[None]


class Roof:
    """How many calls may be under way to an endpoint, those of all limiters below it together (None: no such limit).

    Who stands first in `limiters` goes first: judging what was answered comes before asking more.
    """

    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self.in_flight = 0
        self.limiters: list[Limiter] = []
        self.lock = threading.RLock()

    def has_room(self) -> bool:
        """Return whether one more call may be made."""
        return self.most is None or self.in_flight < self.most

    def wake(self) -> None:
        """Let in who may."""
        for limiter in self.limiters:
            limiter.wake()


class Limiter:
    """Lets calls in one by one, first come first served; works for callers on different event loops.

    A refusal (429) halves the limit, once for all calls that were under way together, and stops new calls for as long
    as the endpoint asked. Each call that succeeds gives back 1/limit, so about one more call per round.
    """

    def __init__(
        self, most: int, roof: Roof | None = None, *, first: bool = False, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = float(most)
        self._limit = float(most)
        self._now = now
        self._in_flight = 0
        self._paused_until = 0.0
        self._cut_at = float("-inf")
        self._waiting: deque[Waiter] = deque()
        self._roof = roof or Roof()
        self._lock = self._roof.lock
        self._roof.limiters.insert(0 if first else len(self._roof.limiters), self)

    @property
    def limit(self) -> int:
        """Return how many calls may be under way now."""
        return int(self._limit)

    @property
    def in_flight(self) -> int:
        """Return how many calls are under way."""
        return self._in_flight

    @property
    def waiting(self) -> int:
        """Return how many calls wait for their turn."""
        return sum(not waiter.done() for waiter in tuple(self._waiting))

    def widen(self, most: int) -> None:
        """Allow at least so many calls: the widest of those who share the endpoint counts."""
        with self._lock:
            if most > self._most:
                self._limit = float(most) if self._limit == self._most else self._limit
                self._most = float(most)
            self.wake()

    @asynccontextmanager
    async def turn(self, *, again: bool = False) -> AsyncIterator[float]:
        """Wait for a place, give the time it was given at, and free it afterwards; a repeated call goes first."""
        await self._enter(again)
        try:
            yield self._now()
        finally:
            self._leave()

    def succeeded(self) -> None:
        """Grow back a little."""
        with self._lock:
            self._limit = min(self._most, self._limit + 1 / self._limit)
            self.wake()

    def refused(self, started: float) -> None:
        """Halve the limit, unless a call that was under way at the same time did so already."""
        with self._lock:
            if started >= self._cut_at:
                self._limit = max(1.0, self._limit / 2)
                self._cut_at = self._now()

    def pause(self, seconds: float) -> None:
        """Let nobody in for so many seconds."""
        with self._lock:
            until = self._now() + seconds
            if until > self._paused_until:
                self._paused_until = until
                asyncio.get_running_loop().call_later(seconds, self.wake)

    async def _enter(self, again: bool) -> None:
        with self._lock:
            self._roof.wake()
            if not self._waiting and self._may_enter():
                self._take()
                return
            waiter: Waiter = asyncio.get_running_loop().create_future()
            if again:
                self._waiting.appendleft(waiter)
            else:
                self._waiting.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():
                self._leave()  # the place was given in the moment the caller gave up
            raise

    def _leave(self) -> None:
        with self._lock:
            self._in_flight -= 1
            self._roof.in_flight -= 1
            self._roof.wake()

    def _take(self) -> None:
        self._in_flight += 1
        self._roof.in_flight += 1

    def _may_enter(self) -> bool:
        return self._in_flight < int(self._limit) and self._roof.has_room() and self._now() >= self._paused_until

    def wake(self) -> None:
        """Let in those that wait, as many as may."""
        with self._lock:
            while self._waiting and self._may_enter():
                waiter = self._waiting.popleft()
                if waiter.cancelled() or waiter.get_loop().is_closed():
                    continue
                self._take()
                waiter.get_loop().call_soon_threadsafe(self._give, waiter)

    def _give(self, waiter: Waiter) -> None:
        if waiter.done():
            self._leave()
        else:
            waiter.set_result(None)
