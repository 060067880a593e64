"""Who pays: what the calls of each row take is noted, and a run with a limit stays within it."""

import asyncio
import time
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import replace
from secrets import token_hex

from structlog.contextvars import bound_contextvars

from service.errors import CostLimitReached, OptionsRefused
from service.llm import Charge, Errand, on_errand
from service.runs._plan import Plan, priced
from service.runs._prices import Prices, load_prices
from service.runs._shapes import RunOptions
from service.settings import Settings
from service.store import EARLIER, Grant, RowRecord, RunRecord, Store, Used, Wish

PORTION = 0.01
"""The part of a run's limit a process takes at once: what it takes it need not ask for with each call."""

LOOK_S = 0.5
"""How often a process that may spend nothing more looks whether others gave something back, in seconds."""

SILENT_S = 60.0
"""After so many seconds without a change it takes them for gone."""

NOTHING = 1e-12
"""Sums of amounts are not exact to the last bit."""

BOOK = 6
"""Bytes of the name under which a row's calls, or what a process may spend, are noted."""


class Purse:
    """What a process may spend for a run; together the purses of all processes never hold more than its limit.

    Before a call, what it may cost at most is put aside. When nothing more can be put aside, calls wait for those under
    way, which mostly cost less; when none is under way, the limit is reached.
    """

    def __init__(self, store: Store, run_id: str, limit: float) -> None:
        self._store = store
        self._run_id = run_id
        self._book = token_hex(BOOK)
        self._limit = limit
        self._held = 0.0
        self._spent = 0.0
        self._reserved = 0.0
        self._calls = 0
        self._all_taken = False
        self._asking = asyncio.Lock()
        self._changed = asyncio.Event()

    async def reserve(self, amount: float) -> None:
        """Put an amount aside; raise `CostLimitReached` when it cannot be had any more."""
        while not self._fits(amount):
            changed = self._changed
            if not self._calls:
                await self._ask_alone(amount)
            elif not self._all_taken:
                await self._ask_for(amount)
            else:
                await changed.wait()
        self._reserved += amount
        self._calls += 1

    def release(self, amount: float, spent: float) -> None:
        """Spend a part of what was put aside, and the rest not."""
        self._reserved -= amount
        self._calls -= 1
        self._spent += spent
        self._changed.set()
        self._changed = asyncio.Event()

    def spend(self, amount: float) -> None:
        """Spend what was put aside in another's name."""
        self._spent += amount

    async def give_back(self) -> None:
        """Leave to others what is neither spent nor put aside."""
        async with self._asking:
            await self._wish(self._spent + self._reserved)
            self._all_taken = False

    def _fits(self, amount: float) -> bool:
        return self._spent + self._reserved + amount <= self._held

    async def _ask_for(self, amount: float) -> None:
        """Take more, or all that is left."""
        async with self._asking:
            if not self._fits(amount):
                wanted = self._spent + self._reserved + amount + self._limit * PORTION
                await self._wish(wanted)
                self._all_taken = self._held < wanted

    async def _ask_alone(self, amount: float) -> None:
        """Take enough for a call while none is under way here; wait for what other processes may give back."""
        async with self._asking:
            open_elsewhere, since = -1.0, 0.0
            while not self._fits(amount) and not self._calls:
                grant = await self._wish(self._spent + amount)
                if self._fits(amount):
                    break
                if grant.open_elsewhere != open_elsewhere:
                    open_elsewhere, since = grant.open_elsewhere, time.monotonic()
                if open_elsewhere <= NOTHING or time.monotonic() - since > SILENT_S:
                    raise CostLimitReached(limit=f"{self._limit:g}", spent=f"{self._spent:g}")
                await asyncio.sleep(LOOK_S)

    async def _wish(self, most: float) -> Grant:
        wish = Wish(spent=self._spent, most=most, least=most if not self._calls else self._spent + self._reserved)
        grant = await self._store.spending.grant(self._run_id, self._book, wish, self._limit)
        self._held = grant.held
        return grant


class Bill:
    """The payer of one row's calls."""

    def __init__(self, store: Store, row: RowRecord, account: "Account") -> None:
        self._store = store
        self._row = (row.run_id, row.number)
        self._book = token_hex(BOOK)
        self._prices = account.prices
        self._used: dict[tuple[str, str], Used] = {}
        self._writes: list[asyncio.Future[None]] = []
        self._waits = False
        self.purse = account.purse

    async def reserve(self, most: Charge) -> float:
        """Put aside what a call may cost at most."""
        if self.purse is None:
            return 0.0
        amount = self._prices.most(most)
        await self.purse.reserve(amount)
        return amount

    def pay(self, reserved: float, charge: Charge | None) -> None:
        """Note a call; one that told no tokens is taken to have cost what was put aside."""
        spent = 0.0
        if charge is not None:
            self._note(charge)
            told = charge.input is not None and charge.output is not None
            spent = self._prices.most(charge) if told else reserved
        self._settle(reserved, spent)

    def share(self, charge: Charge) -> None:
        """Note a part of a call that another row put something aside for."""
        self._note(charge)
        if self.purse is not None:
            self.purse.spend(self._prices.most(charge))

    def lose(self, reserved: float) -> None:
        """Take a call of which nothing is known to have cost what was put aside."""
        self._settle(reserved, reserved)

    async def written(self) -> None:
        """Return once everything noted is on disk."""
        await asyncio.gather(*self._writes)

    def _settle(self, reserved: float, spent: float) -> None:
        if self.purse is not None:
            self.purse.release(reserved, spent)

    def _note(self, charge: Charge) -> None:
        key = (charge.caller, charge.model)
        before = self._used.get(key) or Used(caller=charge.caller, model=charge.model)
        self._used[key] = replace(
            before,
            calls=before.calls + charge.calls,
            untold=before.untold + (charge.calls if charge.input is None or charge.output is None else 0),
            input=before.input + (charge.input or 0),
            cached=before.cached + charge.cached,
            output=before.output + (charge.output or 0),
        )
        if not self._waits:  # a write that waits takes along what is noted until its turn
            self._waits = True
            self._writes.append(self._store.spending.note(self._row, self._book, self._so_far))

    def _so_far(self) -> Collection[Used]:
        self._waits = False
        return self._used.copy().values()


class Account:
    """What the calls of a run are paid with."""

    def __init__(self, prices: Prices, purse: Purse | None) -> None:
        self.prices = prices
        self.purse = purse


class Till:
    """The accounts of the runs a process works on."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._purses: dict[tuple[str, float], Purse] = {}

    def account(self, run: RunRecord, plan: Plan) -> Account:
        """Return the account of a run; its purse is one as long as its limit stays."""
        limit = RunOptions.model_validate(run.options).max_cost
        if limit is None:
            return Account(plan.prices, None)
        purse = self._purses.setdefault((run.id, limit), Purse(self._store, run.id, limit))
        return Account(plan.prices, purse)

    @asynccontextmanager
    async def errand(self, row: RowRecord, account: Account) -> AsyncIterator[None]:
        """Let every call made inside be paid for by a row, which lines in the log name; then its bill is on disk."""
        bill = Bill(self._store, row, account)
        try:
            with on_errand(Errand(bill)), bound_contextvars(run=row.run_id, row=row.number):
                yield
        finally:
            await bill.written()


async def limit_anew(store: Store, run: RunRecord, limit: float, settings: Settings) -> None:
    """Give a run another limit, or its first; raise `OptionsRefused` for none, `PriceUnknown` without its prices."""
    if not 0 < limit < float("inf"):
        raise OptionsRefused(option="max_cost", problem="it must be more than 0")
    plan = Plan.model_validate(run.plan)
    prices = load_prices(settings.prices)
    plan = priced(plan, prices if settings.prices else plan.prices, limit)
    await store.runs.replan(run.id, {**run.options, "max_cost": limit}, plan.model_dump(mode="json"))
    if run.options.get("max_cost") is None:
        spent = sum(plan.prices.cost(used) or 0.0 for used in run.tally.used)
        await store.spending.grant(run.id, EARLIER, Wish(spent=spent, most=spent, least=0.0), spent)
