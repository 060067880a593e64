"""Looking things up by a key: what is wanted at the same time is looked for together."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy.orm import Session

from service.store._database import Database

T = TypeVar("T")
Look = Callable[[Session, frozenset[str]], Mapping[str, T]]
"""Returns what there is under some keys."""


class Together(Generic[T]):
    """Finds things by their keys; what is wanted while a look is under way shares the next one.

    Going to a reading thread and back, with a transaction, takes many times as long as finding one thing.
    """

    def __init__(self, database: Database, look: Look[T]) -> None:
        self._database = database
        self._look = look
        # futures belong to their event loop
        self._lines: WeakKeyDictionary[asyncio.AbstractEventLoop, _Line[T]] = WeakKeyDictionary()

    async def find(self, key: str) -> T | None:
        """Return what there is under the key, None without anything."""
        loop = asyncio.get_running_loop()
        line = self._lines.get(loop)
        if line is None:
            line = self._lines[loop] = _Line(self._database, self._look)
        found: asyncio.Future[T | None] = loop.create_future()
        line.add(key, found)
        return await found


class _Line(Generic[T]):
    """Those who wait on one event loop."""

    def __init__(self, database: Database, look: Look[T]) -> None:
        self._database = database
        self._look = look
        self._waiting: list[tuple[str, asyncio.Future[T | None]]] = []
        self._looking: asyncio.Task[None] | None = None

    def add(self, key: str, found: asyncio.Future[T | None]) -> None:
        self._waiting.append((key, found))
        if self._looking is None:
            self._looking = asyncio.create_task(self._keep_looking())

    async def _keep_looking(self) -> None:
        wanted: list[tuple[str, asyncio.Future[T | None]]] = []
        try:
            while self._waiting:
                wanted, self._waiting = self._waiting, []
                await self._tell(wanted)
        finally:
            self._looking = None
            for _, found in (*wanted, *self._waiting):  # the process stops: nobody looks any more
                found.cancel()
            self._waiting = []

    async def _tell(self, wanted: Sequence[tuple[str, asyncio.Future[T | None]]]) -> None:
        keys = frozenset(key for key, _ in wanted)
        known: Mapping[str, T] = {}
        failure: Exception | None = None
        try:
            known = await self._database.read(lambda session: self._look(session, keys))
        except Exception as error:  # noqa: BLE001 - everyone who waits hears of it
            failure = error
        for key, found in wanted:
            if found.done():
                continue
            if failure is None:
                found.set_result(known.get(key))
            else:
                found.set_exception(failure)
