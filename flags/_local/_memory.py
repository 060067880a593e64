"""Work that several questions to the judge share is done once."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Memory(Generic[T]):
    """The last results by key; who asks for one that is being made waits for it."""

    def __init__(self, size: int = 64) -> None:
        self._size = size
        self._made: OrderedDict[Hashable, T] = OrderedDict()
        self._being_made: dict[tuple[asyncio.AbstractEventLoop, Hashable], asyncio.Task[T]] = {}

    async def once(self, key: Hashable, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result for a key, made by `make` unless it is known; what `make` raises is not remembered."""
        if key in self._made:
            return self._made[key]
        here = (asyncio.get_running_loop(), key)
        if here not in self._being_made:
            task = self._being_made[here] = asyncio.ensure_future(make())
            task.add_done_callback(lambda done: self._keep(here, done))
        return await asyncio.shield(self._being_made[here])

    def _keep(self, here: tuple[asyncio.AbstractEventLoop, Hashable], done: "asyncio.Task[T]") -> None:
        del self._being_made[here]
        if not done.cancelled() and done.exception() is None:
            self._made[here[1]] = done.result()
            while len(self._made) > self._size:
                self._made.popitem(last=False)
