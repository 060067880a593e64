"""What the engine calls: hand out, work off, bring to an end. Nothing here lets an exception out."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import structlog

from service.errors import RunBroken, ServiceError
from service.runs._bench import Bench
from service.runs._finish import build_workbook
from service.runs._pulse import Pulse
from service.runs._shard import ShardWork
from service.store import Store


class RunWork:
    """The steps of a run; each may be repeated at any time and then does what is left."""

    def __init__(self, store: Store, bench: Bench, pulse: Pulse) -> None:
        self._store = store
        self._pulse = pulse
        self._shard_work = ShardWork(store, bench, pulse)
        self._finishing = asyncio.Lock()

    async def shards(self, run_id: str) -> list[tuple[int, str]]:
        """Return the run's shards as (number, space); none once it has ended."""
        try:
            return await self._store.rows.shards(run_id) if await self._pulse.going(run_id) else []
        except Exception as error:  # noqa: BLE001 - see _fail
            await self._fail(run_id, error)
            return []

    async def rows(self, run_id: str, shard: int) -> None:
        """Work off a shard, and bring the run to its end when it was the last."""
        try:
            await self._shard_work.carry(run_id, shard)
        except Exception as error:  # noqa: BLE001 - see _fail
            await self._fail(run_id, error)
        await self.end(run_id)

    async def end(self, run_id: str) -> None:
        """Write the result and make the run ready, in one transaction, once every row is settled."""
        try:
            async with self._finishing:
                await self._end(run_id)
        except Exception as error:  # noqa: BLE001 - see _fail
            await self._fail(run_id, error)

    async def _end(self, run_id: str) -> None:
        if not await self._pulse.going(run_id) or await self._store.rows.unsettled(run_id):
            return
        run = await self._store.runs.get(run_id)
        if run is None:
            return
        await self._store.runs.begin(run_id)
        now = datetime.now(UTC)
        finished = replace(run, state="ready", started=run.started or now, finished=now)
        content = await build_workbook(self._store, finished)
        await self._store.runs.finish(run_id, content, run.tally, now)
        self._pulse.stop(run_id)

    async def _fail(self, run_id: str, error: Exception) -> None:
        """End the run with the reason; when not even that can be stored, it is tried again at the next start."""
        log = structlog.get_logger(__name__)
        log.error("a run failed", run=run_id, exc_info=error)
        try:
            await self._store.runs.fail(run_id, failure_of(error))
        except Exception as second:
            log.error("the failure could not be stored", run=run_id, exc_info=second)
            raise asyncio.CancelledError from second
        self._pulse.stop(run_id)


def failure_of(error: Exception) -> Mapping[str, Any]:
    """Return what is stored of the error that ended a run; of a group, its first."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    told = error if isinstance(error, ServiceError) else RunBroken(problem=type(error).__name__)
    return told.as_dict()
