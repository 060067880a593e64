"""Things that are dear to build, built once per process however many ask for them at the same time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Shelf:
    """Keeps what was built by key, the last `most` used; a build that failed is tried again by the next who asks."""

    def __init__(self, most: int = 32) -> None:
        self._most = most
        self._kept: OrderedDict[str, Any] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}

    async def get(self, key: str, build: Callable[[], Awaitable[T]]) -> T:
        """Return what stands under the key, building it first when nothing does."""
        if key not in self._kept:
            lock = self._locks.setdefault(key, asyncio.Lock())
            async with lock:
                if key not in self._kept:
                    self._kept[key] = await build()
            self._locks.pop(key, None)
        self._kept.move_to_end(key)
        kept: T = self._kept[key]
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return kept
