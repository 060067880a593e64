"""A shard: up to a few dozen rows of one space, handed out together."""

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from weakref import WeakValueDictionary

import structlog

from flags import FlagsMisconfigured, texts_ahead
from service.assistants import Assistant, Space
from service.errors import AnswerMissing, OptionsRefused, ServiceError
from service.llm import embed_ahead, with_consent
from service.runs._bench import Bench
from service.runs._cell_row import CellHandling, CellWork
from service.runs._faults import ENDS_RUN, row_fault
from service.runs._judging import Judging
from service.runs._places import OwnPlaces, Places
from service.runs._plan import Plan
from service.runs._presence import Presence
from service.runs._pulse import Pulse
from service.runs._row import Handling, RowWork
from service.runs._shapes import RunOptions
from service.runs._till import Account, Till
from service.settings import Settings
from service.store import NewRun, RowRecord, RunRecord, Store

_log = structlog.get_logger(__name__)

LOOK_S = 1.0
"""How often rows that another worker carries are looked at, in seconds."""


@dataclass(frozen=True, kw_only=True)
class Sharing:
    """How a worker shares rows and the places of spaces with others."""

    presence: Presence
    places: Callable[[Space], Places]


def shards_at_once(rows_at_once: int, shard_rows: int) -> int:
    """Return how many shards of one run and space a process needs so that the end of one leaves no place empty."""
    return math.ceil(rows_at_once / shard_rows) + 1


def first_shards(new: NewRun, settings: Settings) -> list[int]:
    """Return the shards this process begins with at once; where others work beside it, the rest is left to all."""
    ahead = 1 if settings.shared else shards_at_once(settings.rows_at_once, settings.shard_rows)
    return sorted({row.shard for row in new.rows if row.shard is not None})[:ahead]


class ShardWork:
    """Works off the rows of a shard that are not settled yet; doing it twice asks nothing twice."""

    def __init__(self, store: Store, bench: Bench, pulse: Pulse, sharing: Sharing) -> None:
        self._store = store
        self._bench = bench
        self._pulse = pulse
        self._sharing = sharing
        self._till = Till(store)
        self._row_work = RowWork(store, pulse)
        self._cell_work = CellWork(store, pulse)
        self._carried: WeakValueDictionary[tuple[str, int], asyncio.Lock] = WeakValueDictionary()

    async def carry(self, run_id: str, shard: int) -> None:
        """Bring each row of the shard to its verdicts, as many at once as the process allows.

        Rows that another worker carries are waited for: should it die, they are carried here.
        """
        # A run that is taken up again may find rows of its last attempt still under way here.
        async with self._carried.setdefault((run_id, shard), asyncio.Lock()):
            await self._until_settled(run_id, shard)

    async def _until_settled(self, run_id: str, shard: int) -> None:
        presence = self._sharing.presence
        while await self._pulse.going(run_id):
            lease = presence.lease
            if presence.holds(lease):
                await self._store.rows.claim(run_id, shard, lease, shared=presence.shared)
            rows = await self._store.rows.of_shard(run_id, shard)
            if not rows:
                return
            mine = [row for row in rows if row.lease == lease]
            await self._carry_all(run_id, mine)
            if len(mine) < len(rows) or not presence.holds(lease):
                await asyncio.sleep(LOOK_S)

    async def _carry_all(self, run_id: str, rows: Sequence[RowRecord]) -> None:
        run = await self._store.runs.order(run_id)
        if run is None or not rows:
            return
        await self._store.runs.begin(run_id)
        plan = Plan.model_validate(run.plan)
        handling, account = self._handling_of(run, plan, rows[0].space), self._till.account(run, plan)
        if isinstance(handling, Handling) and "embedding" in handling.flags:
            embed_ahead(handling.tools.embedder, (text for row in rows for text in texts_ahead(row.question)))
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._carry(row, handling, account)) for row in rows]
        if account.purse is not None:
            await account.purse.give_back()
        for closed in filter(None, (task.result() for task in tasks)):
            raise closed

    async def _carry(self, row: RowRecord, handling: Handling | CellHandling, account: Account) -> ServiceError | None:
        """Carry a row; an endpoint that is closed is told to the caller once the rows under way have ended."""
        asks = row.answer is None
        async with self._bench.turns.turn(row.run_id, row.space, handling.most, asks=asks) as answered:
            if not await self._pulse.going(row.run_id, row.lease):
                return None
            try:
                async with self._till.errand(row, account):
                    await self._work(row, handling, answered)
                    _log.info("row_carried", space=row.space)
            except ENDS_RUN as error:
                self._pulse.stop(row.run_id)
                return error
        return None

    async def _work(self, row: RowRecord, handling: Handling | CellHandling, answered: Callable[[], None]) -> None:
        with with_consent(partial(self._pulse.check, row.run_id, row.lease)):
            if isinstance(handling, CellHandling):
                await self._cell_work.carry(row, handling, answered)
            else:
                await self._row_work.carry(row, handling, answered)

    def _handling_of(self, run: RunRecord, plan: Plan, space: str) -> Handling | CellHandling:
        if plan.niah is None:
            return self._handling(run, plan, space)
        found = plan.spaces.get(space) or Space(name=space)
        places: tuple[Places, ...] = (self._sharing.places(found),)
        if plan.niah.concurrency < found.concurrency:
            # a place of the run first, so that nobody holds one of the space while waiting for it
            own = {"name": f"{space}, run {run.id}", "concurrency": plan.niah.concurrency}
            places = (self._sharing.places(found.model_copy(update=own)), *places)
        return CellHandling(
            assistant=self._assistant(found) if plan.ask else AnswerMissing(),
            places=places,
            tools=self._bench.tools(plan.judging),
            space=found,
            plan=plan.niah,
            company=run.company,
        )

    def _handling(self, run: RunRecord, plan: Plan, space: str) -> Handling:
        try:
            flags = plan.flags_of(space)
        except FlagsMisconfigured as error:  # settings that an older version knew
            raise OptionsRefused(option="flags", problem=str(error)) from None
        found = plan.spaces.get(space) if plan.ask else None
        return Handling(
            assistant=self._assistant(found) if found else AnswerMissing(),
            places=self._sharing.places(found) if found else OwnPlaces(1),
            flags=flags,
            tools=self._bench.tools(plan.judging),
            judging=Judging.of(plan.judging, company=run.company, trials=RunOptions.model_validate(run.options).trials),
            company=run.company,
            clears=plan.approved == "clear",
        )

    def _assistant(self, space: Space) -> Assistant | ServiceError:
        try:
            return self._bench.assistant(space)
        except ServiceError as error:
            return error
        except Exception as error:  # noqa: BLE001 - a backend that cannot be opened fails its rows, not the run
            return row_fault(error, space=space.name)
