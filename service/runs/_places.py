"""Places of a space: how many questions may be open to it at the same time, over all workers together."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

from service.assistants import Space
from service.runs._presence import Presence, ended, every
from service.store import Need, Store

DIVIDE_S = 0.25
"""How often workers divide the places of their spaces anew, in seconds."""


LOOKS_BACK = 8
"""As many divisions back the need is looked at: a place given back between two rows would have to be waited for."""


class Places(Protocol):
    """Gives a place for the length of one question; over all workers there are `most`."""

    @property
    def most(self) -> int:
        """How many there are."""
        ...

    def place(self) -> AbstractAsyncContextManager[None]:
        """Wait for a place and hold it."""
        ...


class OwnPlaces:
    """The places of a space that one process has to itself."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._free = asyncio.Semaphore(most)

    def place(self) -> AbstractAsyncContextManager[None]:
        """Wait for a place and hold it."""
        return self._free


class SharedPlaces:
    """This worker's part of a space's places; it grows and shrinks while the worker goes on."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._held = 0
        self._in_use = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._wanted: deque[int] = deque(maxlen=LOOKS_BACK)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait for a place and hold it."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        self._let_in()
        try:
            await waiter
            yield
        finally:
            if waiter.done() and not waiter.cancelled():
                self._in_use -= 1
            self._let_in()

    def need(self) -> Need | None:
        """Return what the worker would hold if it could; None when it holds nothing and wants nothing.

        Until `hold` is called nobody is let in: what the database may give away must not be taken meanwhile.
        """
        self._wanted.append(self._in_use + sum(not waiter.done() for waiter in self._waiting))
        wanted = max(self._wanted)
        if not wanted and not self._held:
            return None
        self._held = self._in_use
        return Need(most=self.most, wanted=wanted, in_use=self._in_use)

    def hold(self, places: int) -> None:
        """Take a new part; what is in use above it goes back when its call ends."""
        self._held = places
        self._let_in()

    def _let_in(self) -> None:
        while self._waiting and self._in_use < self._held:
            waiter = self._waiting.popleft()
            if not waiter.done():
                self._in_use += 1
                waiter.set_result(None)


class Division:
    """Divides the places of every space this worker asks with the other workers."""

    def __init__(self, store: Store, presence: Presence) -> None:
        self._store = store
        self._presence = presence
        self._spaces: dict[str, SharedPlaces] = {}
        self._dividing: asyncio.Task[None] | None = None

    def of(self, space: Space) -> SharedPlaces:
        """Return the worker's places of a space."""
        return self._spaces.setdefault(space.name, SharedPlaces(space.concurrency))

    async def open(self) -> None:
        """Begin to divide."""
        self._dividing = asyncio.create_task(every(DIVIDE_S, self.divide))

    async def close(self) -> None:
        """Stop dividing."""
        if self._dividing is not None:
            await ended(self._dividing)

    async def divide(self) -> None:
        """Ask the database for this worker's part of each space it asks, and give back what it needs no more."""
        asked = {name: one.need() for name, one in self._spaces.items()}
        needs = {name: need for name, need in asked.items() if need is not None}
        if not needs:
            return
        for name, places in (await self._store.workers.divide(self._presence.lease, needs)).items():
            self._spaces[name].hold(places)
