"""Units, currencies and scales as they stand beside a number."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from flags._local import _lexicon


@dataclass(frozen=True)
class Unit:
    """A kind of quantity (`percent`, `money CHF`, `time` …) and the factor to that kind's base unit."""

    kind: str
    factor: float = 1.0


NUMBER = Unit("number")
"""No unit is said."""


def unit_of(name: str) -> Unit:
    """Return the unit of a name or sign, `NUMBER` for other words."""
    return _units().get(name.casefold(), NUMBER)


def scale_of(name: str, *, money: bool) -> float:
    """Return the factor of a scale word (`Mio`, `billion`, `k`), 0 for other words; `m` is a million of money only."""
    if name in {"m", "M"}:
        return 1e6 if money or name == "M" else 0.0
    return _scales().get(name.casefold(), 0.0)


@cache
def _units() -> Mapping[str, Unit]:
    return dict(_each_unit())


@cache
def _scales() -> Mapping[str, float]:
    return {name: float(factor) for factor, names in _lexicon.words("scales").items() for name in names}


def _each_unit() -> Iterator[tuple[str, Unit]]:
    for head, names in _lexicon.words("units").items():
        kind, _, factor = head.rpartition(" ")
        unit = Unit(kind, float(factor)) if factor.replace(".", "").isdigit() else Unit(head)
        yield from ((name, unit) for name in names)
