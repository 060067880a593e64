"""This process among those that share its database: signs of life and the lease its rows stand under."""

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable
from contextlib import suppress

from service.runs._faults import log_fault
from service.store import Store

BEAT_S = 2.0
"""How often a process gives a sign of life, in seconds."""

SILENT_S = 10.0
"""After so many seconds without a sign others take a process's work over."""

TRUSTED_S = SILENT_S - BEAT_S
"""A process whose own last sign is older calls nothing more until it knows that its lease still holds."""


class Presence:
    """Holds a lease on behalf of the process. Where it has its database to itself, the lease is its name."""

    def __init__(
        self, store: Store, executor: str, *, shared: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._now = clock
        self.executor = executor
        self.shared = shared
        self.lease = executor
        self._last = self._since = clock()
        self._beating: asyncio.Task[None] | None = None

    def holds(self, lease: str) -> bool:
        """Return whether the lease is the one of this process, and certainly nobody else's meanwhile."""
        if not self.shared:
            return True
        return lease == self.lease and self._now() - self._last < TRUSTED_S

    def steady(self) -> bool:
        """Return whether the database answered for long enough to call others dead.

        After the database was away, everybody's last sign is old.
        """
        return self._now() - self._since > SILENT_S

    async def open(self) -> None:
        """Begin to give signs of life."""
        if self.shared:
            await self._enter()
            self._beating = asyncio.create_task(every(BEAT_S, self.beat))

    async def close(self) -> None:
        """Leave: what this process carried may be taken over at once."""
        if self._beating is not None:
            await ended(self._beating)
            await self._store.workers.leave(self.executor, self.lease)

    async def beat(self) -> None:
        """Give a sign of life; where the lease was lost meanwhile, go on under a new one."""
        sent = self._now()
        if sent - self._last > TRUSTED_S:
            self._since = sent
        if await self._store.workers.beat(self.executor, self.lease):
            self._last = sent
        else:
            await self._enter()

    async def _enter(self) -> None:
        sent = self._now()
        lease = f"{self.executor}/{uuid.uuid4().hex[:8]}"
        await self._store.workers.enter(self.executor, lease)
        self.lease, self._last, self._since = lease, sent, sent


async def every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    """Do something again and again; what goes wrong is logged, and tried again the next time."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - the database may be away for a while
            log_fault("keeping_up_failed", error)


async def ended(task: asyncio.Task[None]) -> None:
    """Break a task off and wait for its end."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
