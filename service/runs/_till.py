"""Who pays: what the calls of each row take is noted, and a run with a limit stays within it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from secrets import token_hex
from threading import Lock

from structlog.contextvars import bound_contextvars

from service.errors import OptionsRefused
from service.llm import Charge, Errand, on_errand
from service.runs._plan import Plan, priced
from service.runs._prices import Prices, load_prices
from service.runs._purse import BOOK, Purse
from service.runs._shapes import RunOptions
from service.settings import Settings
from service.store import EARLIER, Line, RowRecord, RunRecord, Store, Used, Wish


class Notes:
    """Has bills written, many at once: those that change while a write waits for its turn go along with it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: _Batch | None = None
        self._lock = Lock()

    def write(self, bill: "Bill") -> asyncio.Future[None]:
        """Have a bill written as it is by then; return what ends with it."""
        with self._lock:
            if self._waiting is None or self._waiting.begun:
                batch = _Batch(self._lock)
                batch.written = self._store.spending.note(batch.lines)
                self._waiting = batch
            self._waiting.bills[bill] = None
            return self._waiting.written


class _Batch:
    """Bills that are written together; on the store's thread, where a write may be carried out twice."""

    written: asyncio.Future[None]

    def __init__(self, lock: Lock) -> None:
        self.bills: dict[Bill, None] = {}
        self.begun = False
        self._lock = lock

    def lines(self) -> list[Line]:
        """Return the lines of its bills; from now on no further bill is added."""
        with self._lock:
            self.begun = True
        return [line for bill in self.bills for line in bill.lines()]


class Bill:
    """The payer of one row's calls."""

    def __init__(self, notes: Notes, row: RowRecord, account: "Account") -> None:
        self._notes = notes
        self._row = (row.run_id, row.number, token_hex(BOOK))
        self._prices = account.prices
        self._used: dict[tuple[str, str], Used] = {}
        self._written: asyncio.Future[None] | None = None
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
        if self._written is not None:
            # the last says what the earlier ones said, and more; shielded, since other rows wait for it as well
            await asyncio.shield(self._written)

    def lines(self) -> list[Line]:
        """Return what was used so far."""
        return [(*self._row, used) for used in self._used.copy().values()]

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
        self._written = self._notes.write(self)


class Account:
    """What the calls of a run are paid with."""

    def __init__(self, prices: Prices, purse: Purse | None) -> None:
        self.prices = prices
        self.purse = purse


class Till:
    """The accounts of the runs a process works on."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._notes = Notes(store)
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
        bill = Bill(self._notes, row, account)
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
