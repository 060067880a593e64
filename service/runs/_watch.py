"""Watching something change: one look a second, however many watch."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from typing import Generic, TypeVar

from service.runs._faults import log_fault
from service.runs._presence import ended

T = TypeVar("T")

EVERY_S = 1.0
"""How often is looked, in seconds."""


class Watch(Generic[T]):
    """What all who watch one thing share; `changes` counts how often it was seen to be different."""

    def __init__(self, look: Callable[[], Awaitable[T | None]], every_s: float) -> None:
        self._look = look
        self._every_s = every_s
        self._looking: asyncio.Task[None] | None = None
        self.latest: T | None = None
        self.changes = 0
        self.over = False
        self.moved = asyncio.Event()
        self.watchers = 0

    def begin(self) -> None:
        """Look from now on."""
        self._looking = asyncio.create_task(self._keep_looking())

    async def stop(self) -> None:
        """Look no more, and let those who watch go."""
        if self._looking is not None:
            await ended(self._looking)
        self.finish()

    def finish(self) -> None:
        """Tell that nothing more will be seen."""
        self.over = True
        self._tell()

    async def _keep_looking(self) -> None:
        try:
            while (seen := await self._look()) is not None:
                if seen != self.latest:
                    self.latest, self.changes = seen, self.changes + 1
                    self._tell()
                await asyncio.sleep(self._every_s)
        except Exception as error:  # noqa: BLE001 - whoever watches comes again, and is told then what is wrong
            log_fault("watching_failed", error)
        self.finish()

    def _tell(self) -> None:
        moved, self.moved = self.moved, asyncio.Event()
        moved.set()


class Watches:
    """Everything that is watched, by key. Who watches gets the newest state and may miss those in between."""

    def __init__(self, every_s: float = EVERY_S) -> None:
        self._every_s = every_s
        self._watches: dict[Hashable, Watch[object]] = {}
        self._closed = False

    def __len__(self) -> int:
        return len(self._watches)

    async def follow(self, key: Hashable, look: Callable[[], Awaitable[T | None]]) -> AsyncIterator[T]:
        """Yield what `look` returns, at once and with each change, until it returns None or `hang_up` is called."""
        if self._closed:
            return
        watch = self._watches.get(key)
        if watch is None or watch.over:
            watch = self._watches[key] = Watch(look, self._every_s)
            watch.begin()
        watch.watchers += 1
        try:
            async for seen in _states(watch):
                yield seen  # type: ignore[misc]  # a key has one kind of look
        finally:
            watch.watchers -= 1
            if not watch.watchers:
                if self._watches.get(key) is watch:
                    del self._watches[key]
                await watch.stop()

    def hang_up(self) -> None:
        """Let everybody go: the process is about to end."""
        self._closed = True
        for watch in self._watches.values():
            watch.finish()


async def _states(watch: Watch[object]) -> AsyncIterator[object]:
    shown = 0
    while True:
        moved = watch.moved
        if watch.changes > shown:
            shown = watch.changes
            yield watch.latest
        elif watch.over:
            return
        else:
            await moved.wait()
