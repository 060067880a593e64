"""A run's limit: what a process may spend of it, put aside before each call."""

import asyncio
import time
from secrets import token_hex

from service.errors import CostLimitReached
from service.store import Grant, Store, Wish

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
