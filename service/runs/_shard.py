"""A shard: up to a few dozen rows of one space, handed out together."""

import asyncio
import math

from flags import FlagsMisconfigured
from service.assistants import Assistant, Space
from service.errors import AnswerMissing, OptionsRefused, ServiceError
from service.runs._bench import Bench
from service.runs._faults import row_fault
from service.runs._plan import Plan
from service.runs._pulse import Pulse
from service.runs._row import Handling, RowWork
from service.store import RowRecord, Store


def shards_at_once(rows_at_once: int, shard_rows: int) -> int:
    """Return how many shards of a space a process needs so that the end of one leaves no place empty."""
    return math.ceil(rows_at_once / shard_rows) + 1


class ShardWork:
    """Works off the rows of a shard that are not settled yet; doing it twice asks nothing twice."""

    def __init__(self, store: Store, bench: Bench, pulse: Pulse) -> None:
        self._store = store
        self._bench = bench
        self._pulse = pulse
        self._row_work = RowWork(store, pulse)

    async def carry(self, run_id: str, shard: int) -> None:
        """Bring each row of the shard to its verdicts, as many at once as the process allows."""
        if not await self._pulse.going(run_id):
            return
        run = await self._store.runs.get(run_id)
        rows = await self._store.rows.of_shard(run_id, shard)
        if run is None or not rows:
            return
        await self._store.runs.begin(run_id)
        handling = self._handling(Plan.model_validate(run.plan), rows[0].space)
        async with asyncio.TaskGroup() as group:
            for row in rows:
                group.create_task(self._carry(row, handling))

    async def _carry(self, row: RowRecord, handling: Handling) -> None:
        async with self._bench.rows:
            if await self._pulse.going(row.run_id):
                await self._row_work.carry(row, handling)

    def _handling(self, plan: Plan, space: str) -> Handling:
        try:
            flags = plan.flags_of(space)
        except FlagsMisconfigured as error:  # settings that an older version knew
            raise OptionsRefused(option="flags", problem=str(error)) from None
        found = plan.spaces.get(space) if plan.ask else None
        return Handling(
            assistant=self._assistant(found) if found else AnswerMissing(),
            places=self._bench.places(found) if found else asyncio.Semaphore(1),
            flags=flags,
            tools=self._bench.tools(plan.judging),
        )

    def _assistant(self, space: Space) -> Assistant | ServiceError:
        try:
            return self._bench.assistant(space)
        except ServiceError as error:
            return error
        except Exception as error:  # noqa: BLE001 - a backend that cannot be opened fails its rows, not the run
            return row_fault(error, space=space.name)
