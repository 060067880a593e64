"""How many calls may be under way: as many as allowed, fewer when the endpoint says so, and back again."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

Waiter = asyncio.Future[None]


class Limiter:
    """Lets calls in one by one, first come first served; works for callers on different event loops.

    A refusal (429) halves the limit, once for all calls that were under way together, and stops new calls for as long
    as the endpoint asked. Each call that succeeds gives back 1/limit, so about one more call per round.
    """

    def __init__(self, most: int, *, now: Callable[[], float] = time.monotonic) -> None:
        self._most = float(most)
        self._limit = float(most)
        self._now = now
        self._in_flight = 0
        self._paused_until = 0.0
        self._cut_at = float("-inf")
        self._waiting: deque[Waiter] = deque()
        self._lock = threading.RLock()

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
            self._wake()

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
            self._wake()

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
                asyncio.get_running_loop().call_later(seconds, self._wake)

    async def _enter(self, again: bool) -> None:
        with self._lock:
            self._wake()
            if not self._waiting and self._may_enter():
                self._in_flight += 1
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
            self._wake()

    def _may_enter(self) -> bool:
        return self._in_flight < int(self._limit) and self._now() >= self._paused_until

    def _wake(self) -> None:
        with self._lock:
            while self._waiting and self._may_enter():
                waiter = self._waiting.popleft()
                if waiter.cancelled() or waiter.get_loop().is_closed():
                    continue
                self._in_flight += 1
                waiter.get_loop().call_soon_threadsafe(self._give, waiter)

    def _give(self, waiter: Waiter) -> None:
        if waiter.done():
            self._leave()
        else:
            waiter.set_result(None)
