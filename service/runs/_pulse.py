"""Whether a run still goes on, looked at before every call."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from weakref import WeakValueDictionary

from service.runs._last_words import LastWords
from service.runs._presence import Presence
from service.store import Store

FRESH_S = 0.5
"""How long a look at the database counts: a cancel by another process is seen within this time, in seconds."""

GOING = ("queued", "in_progress")


class Stopped(Exception):
    """Nothing more may be called for this run; what is stored stays."""

    code = "run_stopped"


class Pulse:
    """Knows which runs were cancelled, deleted or have failed, which leases hold, and whether the process stops."""

    def __init__(
        self, store: Store, presence: Presence | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._presence = presence
        self._now = clock
        self._seen: dict[str, tuple[float, bool]] = {}
        self._looking = asyncio.Lock()
        self._ends: WeakValueDictionary[str, asyncio.Event] = WeakValueDictionary()
        self.stopping = False
        self.last_words = LastWords(store)

    async def going(self, run_id: str, lease: str = "") -> bool:
        """Return whether the run may go on; with the lease of a row, whether this process still holds it."""
        if self.stopping or (lease and self._presence is not None and not self._presence.holds(lease)):
            return False
        fresh = self._fresh(run_id)
        if fresh is not None:
            return fresh
        async with self._looking:
            fresh = self._fresh(run_id)
            if fresh is None:
                fresh = await self._store.runs.state(run_id) in GOING
                self._seen[run_id] = (self._now(), fresh)
        return fresh

    async def check(self, run_id: str, lease: str = "") -> None:
        """Raise `Stopped` unless the run may go on."""
        if not await self.going(run_id, lease):
            raise Stopped(run_id)

    def stop(self, run_id: str) -> None:
        """Note at once that a run was ended in this process."""
        self._seen[run_id] = (float("inf"), False)
        if end := self._ends.pop(run_id, None):
            end.set()

    async def sleep(self, run_id: str, seconds: float) -> None:
        """Wait for so long, or until the run is ended in this process."""
        end = self._ends.setdefault(run_id, asyncio.Event())
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await end.wait()

    def forget(self, run_id: str) -> None:
        """Look again: the run was taken up once more."""
        self._seen.pop(run_id, None)

    def stop_all(self) -> None:
        """Let nothing more be called; the runs go on when the process starts again."""
        self.stopping = True

    def _fresh(self, run_id: str) -> bool | None:
        when, going = self._seen.get(run_id, (float("-inf"), False))
        return going if self._now() - when < FRESH_S else None
