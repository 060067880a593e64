"""What calls are made for: a row that pays for them and has only so much patience."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Protocol


@dataclass(frozen=True, kw_only=True)
class Charge:
    """What an endpoint charges for; tokens are None where it does not tell them, `cached` are among `input`."""

    caller: str
    model: str
    calls: int = 1
    input: int | None = None
    cached: int = 0
    output: int | None = None


class Payer(Protocol):
    """Who pays for calls: notes what was charged, and may refuse a call that could cost too much."""

    async def reserve(self, most: Charge) -> float:
        """Return how much is put aside for a call that is charged `most` at most; raise `CostLimitReached`."""
        ...

    @property
    def purse(self) -> object:
        """What it is paid out of; calls out of the same one may be made together."""
        ...

    def pay(self, reserved: float, charge: Charge | None) -> None:
        """Note what a call was charged; None where it was refused, so that nothing was."""
        ...

    def share(self, charge: Charge) -> None:
        """Note a part of a call that another put something aside for."""
        ...

    def lose(self, reserved: float) -> None:
        """Note that nobody can tell whether a call was charged."""
        ...


class Nobody:
    """The payer of calls that are made for no row, such as those of a test."""

    purse: object = None

    async def reserve(self, most: Charge) -> float:
        """Put nothing aside."""
        return 0.0

    def pay(self, reserved: float, charge: Charge | None) -> None:
        """Note nothing."""

    def share(self, charge: Charge) -> None:
        """Note nothing."""

    def lose(self, reserved: float) -> None:
        """Note nothing."""


class Trial:
    """How much time was lost to calls that failed and were made again; what fails at the same time counts once."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lost = 0.0
        self._failing = 0
        self._since = 0.0

    @property
    def lost(self) -> float:
        """Return the seconds lost so far."""
        return self._lost + (self._now() - self._since if self._failing else 0.0)

    def fails(self) -> None:
        """Note that a call has begun to fail."""
        if not self._failing:
            self._since = self._now()
        self._failing += 1

    def ends(self) -> None:
        """Note that a call that failed has ended, one way or the other."""
        self._lost = self.lost
        self._failing -= 1
        self._since = self._now()


class Errand:
    """One row's account and patience, for all calls made on its behalf."""

    def __init__(self, payer: Payer | None = None) -> None:
        self.payer = payer or Nobody()
        self.trial = Trial()

    async def reserve(self, most: Charge) -> float:
        """Return how much was put aside; raise `CostLimitReached`."""
        return await self.payer.reserve(most)

    def pay(self, reserved: float, charge: Charge | None) -> None:
        """Pay a call that ended."""
        self.payer.pay(reserved, charge)

    def lose(self, reserved: float) -> None:
        """Give up a call of which nobody can tell whether it was charged."""
        self.payer.lose(reserved)

    @property
    def lost(self) -> float:
        """Return the seconds lost to failing calls."""
        return self.trial.lost

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Count the time inside as lost."""
        self.trial.fails()
        try:
            yield
        finally:
            self.trial.ends()


class Party(Errand):
    """Several rows whose texts travel in one call and who pay out of one purse; each pays its part, by `weights`.

    They go on as long as one of them has patience left.
    """

    def __init__(self, weights: Mapping[Errand, int]) -> None:
        super().__init__()
        self._errands = list(weights)
        self._parts = [weight / max(1, sum(weights.values())) for weight in weights.values()]

    async def reserve(self, most: Charge) -> float:
        """Put the whole aside in the name of the first."""
        return await self._errands[0].reserve(most)

    def pay(self, reserved: float, charge: Charge | None) -> None:
        """Let each one pay its part."""
        shares = self._shares(charge) if charge else []
        for errand, share in zip(self._errands[1:], shares[1:], strict=False):
            errand.payer.share(share)
        self._errands[0].pay(reserved, shares[0] if shares else None)

    def lose(self, reserved: float) -> None:
        """Give up the whole."""
        self._errands[0].lose(reserved)

    @property
    def lost(self) -> float:
        """Return the least of what one of them lost."""
        return min((errand.lost for errand in self._errands), default=self.trial.lost)

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Count the time inside as lost for each."""
        for errand in self._errands:
            errand.trial.fails()
        try:
            yield
        finally:
            for errand in self._errands:
                errand.trial.ends()

    def _shares(self, charge: Charge) -> list[Charge]:
        """Return each one's part of a charge; together they are the whole, the first one has made the call."""
        if charge.input is None:
            return [replace(charge, calls=int(at == 0)) for at in range(len(self._errands))]
        tokens = [int(charge.input * part) for part in self._parts]
        tokens[0] += charge.input - sum(tokens)
        return [replace(charge, calls=int(at == 0), input=number) for at, number in enumerate(tokens)]


_ERRAND: ContextVar[Errand | None] = ContextVar("errand", default=None)


def this_errand() -> Errand:
    """Return what the calls of this task are made for."""
    return _ERRAND.get() or Errand()


@contextmanager
def on_errand(errand: Errand) -> Iterator[None]:
    """Make every call inside, also in tasks begun inside, on behalf of an errand."""
    token = _ERRAND.set(errand)
    try:
        yield
    finally:
        _ERRAND.reset(token)
