"""Reading beside writing: reads on a few threads, writes through the one writer."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.orm import Session

from service.store._connect import writing
from service.store._persistence import Persistence
from service.store._writer import Writer

T = TypeVar("T")

READERS = 4


class Database:
    """Run functions off the event loop; a read sees every write that was awaited before it."""

    def __init__(self, engine: Engine, persistence: Persistence | None = None) -> None:
        self._engine = engine
        self._persistence = persistence or Persistence()
        self._writer = Writer(writing(engine), self._persistence)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")

    async def read(self, work: Callable[[Session], T]) -> T:
        """Return what `work` returned."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returned, once its changes are on disk."""
        return await self._writer.write(work)

    def post(self, work: Callable[[Connection], T]) -> "asyncio.Future[T]":
        """Put a write before all that come later; the future holds what it returned, once it is on disk."""
        return self._writer.post(work)

    async def close(self) -> None:
        """Finish the waiting writes and let the connections go."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._readers, self._writer.close)
        self._readers.shutdown(wait=True)
        self._engine.dispose()

    def _read(self, work: Callable[[Session], T]) -> T:
        def once() -> T:
            with Session(self._engine) as session:
                return work(session)

        return self._persistence.carry_out(once)
