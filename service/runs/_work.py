"""What the engine calls: hand out, work off, bring to an end. Nothing here lets an exception out."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import structlog

from service.runs._bench import Bench
from service.runs._faults import log_fault, run_fault
from service.runs._finish import build_workbook
from service.runs._pulse import Pulse
from service.runs._shard import ShardWork, Sharing
from service.store import Store

_log = structlog.get_logger(__name__)


class RunWork:
    """The steps of a run; each may be repeated at any time and then does what is left."""

    def __init__(self, store: Store, bench: Bench, pulse: Pulse, sharing: Sharing) -> None:
        self._store = store
        self._pulse = pulse
        self._limits = bench.limits
        self._shard_work = ShardWork(store, bench, pulse, sharing)
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
        content = await build_workbook(self._store, finished, limits=self._limits)
        await self._store.runs.finish(run_id, content, run.tally, now)
        self._pulse.stop(run_id)
        _log.info("run_ready", run=run_id, rows=run.total, errors=run.tally.errors, flagged=run.tally.flagged)

    async def _fail(self, run_id: str, error: Exception) -> None:
        """End the run with the reason; when not even that can be stored, it is tried again at the next start."""
        log_fault("run_failed", error, run=run_id)
        try:
            await self._store.runs.fail(run_id, run_fault(error).as_dict())
        except Exception as second:
            log_fault("failure_not_stored", second, run=run_id)
            raise asyncio.CancelledError from second
        self._pulse.stop(run_id)
