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
from service.runs._triage import drawn
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
            found = await self._store.rows.shards(run_id) if await self._pulse.going(run_id) else []
        except Exception as error:  # noqa: BLE001 - see _fail
            await self._fail(run_id, error)
            found = []
        self._keep_open(run_id)
        return found

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
        self._keep_open(run_id)

    async def _end(self, run_id: str) -> None:
        if not await self._pulse.going(run_id):
            return
        # Read first: should the run be taken up again from here on, its rows wait and this result is refused.
        run = await self._store.runs.get(run_id)
        if run is None or await self._store.rows.unsettled(run_id):
            return
        tally = await self._store.rows.tally(run_id)
        run = replace(run, tally=replace(tally, audit=await drawn(self._store, run)))
        await self._store.runs.begin(run_id)
        now = datetime.now(UTC)
        finished = replace(run, state="ready", started=run.started or now, finished=now)
        content = await build_workbook(self._store, finished, limits=self._limits)
        if await self._store.runs.finish(run, content, now):
            self._pulse.stop(run_id)
            _log.info("run_ready", run=run_id, rows=run.total, errors=run.tally.errors, flagged=run.tally.flagged)

    async def _fail(self, run_id: str, error: Exception) -> None:
        """End the run with the reason; when not even that can be stored, the engine keeps its work as unfinished."""
        log_fault("run_failed", error, run=run_id)
        failure = run_fault(error).as_dict()
        self._pulse.stop(run_id)
        try:
            await self._store.runs.fail(run_id, failure)
        except Exception as second:  # noqa: BLE001 - kept in memory until it can be
            log_fault("failure_not_stored", second, run=run_id)
            self._pulse.last_words.keep(run_id, failure)

    def _keep_open(self, run_id: str) -> None:
        """Break off what the engine asked for, so that the next start does it, where the run's end is not stored."""
        if self._pulse.last_words.kept(run_id):
            raise asyncio.CancelledError
