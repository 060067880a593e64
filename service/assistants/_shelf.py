"""Things that are dear to build, built once per process however many ask for them at the same time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Shelf:
    """Keeps what was built by key; a build that failed is tried again by the next who asks."""

    def __init__(self) -> None:
        self._kept: dict[str, Any] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def get(self, key: str, build: Callable[[], Awaitable[T]]) -> T:
        """Return what stands under the key, building it first when nothing does."""
        if key not in self._kept:
            async with self._locks.setdefault(key, asyncio.Lock()):
                if key not in self._kept:
                    self._kept[key] = await build()
        kept: T = self._kept[key]
        return kept
