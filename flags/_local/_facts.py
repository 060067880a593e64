"""Facts that are compared exactly: quantities, dates, clock times, names and codes."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

Date: TypeAlias = tuple[int | None, int | None, int | None]
"""Year, month, day; None where it is not said."""


_SCALES = (1.0, 1e2, 1e3, 1e6, 1e9)
_ROUNDED = 0.005
"""Numbers of free answers that differ by less are rounded."""


@dataclass(frozen=True, kw_only=True)
class Fact(ABC):
    """Something said in a claim: its words, where they start, and the sort of thing it is."""

    text: str
    start: int
    kind: str

    @property
    @abstractmethod
    def keys(self) -> frozenset[Hashable]:
        """Return what equal facts share."""

    @abstractmethod
    def matches(self, other: "Fact", *, exact: bool) -> bool:
        """Tell whether both say the same; unless `exact`, rounding is allowed."""

    def rivals(self, other: "Fact") -> bool:
        """Tell whether both are of one sort, so that only one of them can stand in the same place."""
        return self.kind == other.kind


@dataclass(frozen=True, kw_only=True)
class Quantity(Fact):
    """A number with its unit.

    `readings` are its possible values as written (1.200 is 1200 or 1.2), scales applied, units not; `factor` leads to
    the base unit of `kind`; `grain` is the value of its last digit; `sign` is what stands before it.
    """

    readings: tuple[float, ...]
    factor: float = 1.0
    grain: float = 1.0
    sign: str = ""

    @property
    def keys(self) -> frozenset[Hashable]:
        return frozenset((self.kind, self.sign, reading * self.factor) for reading in self.readings)

    def matches(self, other: Fact, *, exact: bool) -> bool:
        if isinstance(other, Day):
            return self.kind == "number" and other.year_alone in self.readings
        if not isinstance(other, Quantity) or not self._comparable(other) or {self.sign, other.sign} == {"+", "-"}:
            return False
        bare = self.kind != other.kind
        here, there = (1.0, 1.0) if bare else (self.factor, other.factor)
        slack = 0.0 if exact else max(self.grain * here, other.grain * there) / 2
        return any(
            abs(one * here - two * there) <= max(slack, 1e-9 * max(one * here, two * there))
            for one in self.readings
            for two in other.readings
        )

    def scaled(self, other: Fact) -> bool:
        """Tell whether both are the same number, of which one side leaves out thousands, millions or the percent."""
        if not isinstance(other, Quantity):
            return False
        pairs = [(one, two) for one in self.readings for two in other.readings if one and two]
        return any(abs(max(one, two) / min(one, two) / scale - 1) < _ROUNDED for one, two in pairs for scale in _SCALES)

    def _comparable(self, other: "Quantity") -> bool:
        return self.kind == other.kind or "number" in {self.kind, other.kind}

    def rivals(self, other: Fact) -> bool:
        both_money = self.kind.startswith("money") and other.kind.startswith("money")
        return isinstance(other, Quantity) and (self.kind == other.kind or both_money or self._spans(other))

    def _spans(self, other: "Quantity") -> bool:
        """Tell whether both are lengths of time, as days are beside months."""
        return {self.kind, other.kind} == {"time", "months"}


@dataclass(frozen=True, kw_only=True)
class Day(Fact):
    """A date, complete or in part; an ambiguous one (03/04/2024) has two readings."""

    readings: tuple[Date, ...]

    @property
    def keys(self) -> frozenset[Hashable]:
        return frozenset(self.readings)

    @property
    def year_alone(self) -> int | None:
        """Return the year when nothing else is said."""
        year, month, day = self.readings[0]
        return year if month is None and day is None else None

    def matches(self, other: Fact, *, exact: bool) -> bool:
        if isinstance(other, Quantity):
            return other.matches(self, exact=exact)
        return isinstance(other, Day) and any(_agree(one, two) for one in self.readings for two in other.readings)

    def rivals(self, other: Fact) -> bool:
        return isinstance(other, Day) and any(_share(one, two) for one in self.readings for two in other.readings)


@dataclass(frozen=True, kw_only=True)
class Clock(Fact):
    """A time of day in minutes; `9:00` without a.m. or p.m. may be either in English."""

    readings: tuple[int, ...]

    @property
    def keys(self) -> frozenset[Hashable]:
        return frozenset((self.kind, reading) for reading in self.readings)

    def matches(self, other: Fact, *, exact: bool) -> bool:
        return isinstance(other, Clock) and not set(self.readings).isdisjoint(other.readings)


@dataclass(frozen=True, kw_only=True)
class Name(Fact):
    """A proper name, an acronym, a code, an address; `key` is its comparable form."""

    key: str

    @property
    def keys(self) -> frozenset[Hashable]:
        return frozenset({(self.kind, self.key)})

    def matches(self, other: Fact, *, exact: bool) -> bool:
        if not isinstance(other, Name):
            return False
        one, two = set(self.key.split()), set(other.key.split())
        return one <= two or two <= one or self._acronym(other) or other._acronym(self)

    def _acronym(self, other: "Name") -> bool:
        initials = "".join(word[0] for word in other.key.split())
        return len(initials) > 1 and self.key == initials


def found_in(fact: Fact, facts: Iterable[Fact], *, exact: bool = False) -> bool:
    """Tell whether one of the facts says the same."""
    return any(fact.matches(other, exact=exact) for other in facts)


def _agree(one: Date, two: Date) -> bool:
    return _share(one, two) and all(a == b for a, b in zip(one, two, strict=True) if a is not None and b is not None)


def _share(one: Date, two: Date) -> bool:
    return any(a is not None and b is not None for a, b in zip(one, two, strict=True))
