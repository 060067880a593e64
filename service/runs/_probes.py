"""Whether what a process stands on works: asked one at a time, and never waited for long."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

PATIENCE_S = 2.0
"""A part that does not answer within so many seconds does not work."""

Probe = Callable[[], Awaitable[object]]


class Probes:
    """Tries the parts of a process. One that hangs is not tried a second time meanwhile, however often it is asked."""

    def __init__(self, parts: Mapping[str, Probe], *, patience_s: float = PATIENCE_S) -> None:
        self._parts = parts
        self._patience_s = patience_s
        self._trying: dict[str, asyncio.Task[object]] = {}

    async def failing(self) -> tuple[str, ...]:
        """Return the names of the parts that do not work."""
        for name, probe in self._parts.items():
            if name not in self._trying:
                self._trying[name] = asyncio.ensure_future(_tried(probe))
        await asyncio.wait(self._trying.values(), timeout=self._patience_s)
        return tuple(name for name in self._parts if not self._worked(name))

    def give_up(self) -> None:
        """Break off what is still being tried."""
        for task in self._trying.values():
            task.cancel()

    def _worked(self, name: str) -> bool:
        task = self._trying.get(name)
        if task is None or not task.done():
            return False
        self._trying.pop(name)
        return not task.cancelled() and task.exception() is None


async def _tried(probe: Probe) -> object:
    return await probe()
