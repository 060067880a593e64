"""What is removed for good when its time is over."""

import asyncio
from dataclasses import replace
from datetime import datetime

from service.runs._engine import Engine
from service.runs._shapes import Pruned
from service.settings import Settings
from service.store import Store, give_back


class Retention:
    """Removes runs that ended long ago, and what the engine still knows of work that ended long ago."""

    def __init__(self, store: Store, engine: Engine, settings: Settings) -> None:
        self._store = store
        self._engine = engine
        self._urls = dict.fromkeys((settings.store_url, settings.engine_url))

    async def prune(self, before: datetime, *, dry_run: bool) -> Pruned:
        """Remove runs that ended before; one at a time, so that runs that go on do not have to wait."""
        found = await self._store.history.ended_before(before)
        pruned = Pruned(before=before)
        for old in found:
            if dry_run or await self._store.history.remove(old.id, before):
                pruned = replace(pruned, runs=pruned.runs + 1, rows=pruned.rows + old.rows, size=pruned.size + old.size)
        if not dry_run:
            await self._engine.forget(before)
        return pruned

    async def give_back(self) -> None:
        """Give the space of what was removed back to the disk."""
        for url in self._urls:
            await asyncio.to_thread(give_back, url)
