"""How often a flag is right: rates with 95 % intervals, Cohen's kappa, the area under the ROC curve."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_Z = 1.959964
Interval = tuple[float, float]


@dataclass(frozen=True)
class Seen:
    """What a person says of an item (`deviates`), what the flag says, and how sure it is."""

    deviates: bool
    flagged: bool
    score: float | None


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval."""

    value: float
    interval: Interval


def figures(seen: Sequence[Seen]) -> dict[str, Any]:
    """Return n, auc, false_alarm, miss, precision, recall, kappa and `intervals`; None where it is not defined."""
    return _told(len(seen), {"auc": auc(seen), **_rates(seen)})


def overall(by_origin: Mapping[str, Sequence[Seen]]) -> dict[str, Any]:
    """Return the same over all origins: counts are added up, the AUC is the mean of those within an origin."""
    everything = [one for seen in by_origin.values() for one in seen]
    inside = [found for seen in by_origin.values() if (found := auc(seen)) is not None]
    return _told(len(everything), {"auc": _mean(inside), **_rates(everything)})


def auc(seen: Sequence[Seen]) -> Estimate | None:
    """Return the chance that a deviating item scores above another (ties count half); interval by DeLong."""
    scored = [(one.score, one.deviates) for one in seen if one.score is not None]
    high = np.array([score for score, deviates in scored if deviates], dtype=np.float64)
    low = np.array([score for score, deviates in scored if not deviates], dtype=np.float64)
    if len(scored) < len(seen) or not len(high) or not len(low):
        return None
    wins = (high[:, None] > low[None, :]) + 0.5 * (high[:, None] == low[None, :])
    spread = sum(part.var(ddof=1) / len(part) for part in (wins.mean(axis=1), wins.mean(axis=0)) if len(part) > 1)
    return _around(float(wins.mean()), math.sqrt(spread))


def wilson(hits: int, n: int) -> Estimate | None:
    """Return a share with its Wilson interval, None of nothing."""
    if not n:
        return None
    share, z2 = hits / n, _Z * _Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return Estimate(share, (max(0.0, middle - half), min(1.0, middle + half)))


def kappa(seen: Sequence[Seen]) -> Estimate | None:
    """Return Cohen's kappa of person and flag with its large-sample interval; None where both say one thing only."""
    n = len(seen)
    if not n:
        return None
    agreed = sum(one.deviates == one.flagged for one in seen) / n
    person, flag = sum(one.deviates for one in seen) / n, sum(one.flagged for one in seen) / n
    by_chance = person * flag + (1 - person) * (1 - flag)
    if by_chance == 1:
        return None
    error = math.sqrt(agreed * (1 - agreed) / (n * (1 - by_chance) ** 2))
    return _around((agreed - by_chance) / (1 - by_chance), error, lowest=-1.0)


def _rates(seen: Sequence[Seen]) -> dict[str, Estimate | None]:
    hits = sum(one.deviates and one.flagged for one in seen)
    alarms = sum(one.flagged and not one.deviates for one in seen)
    deviating = sum(one.deviates for one in seen)
    return {
        "false_alarm": wilson(alarms, len(seen) - deviating),
        "miss": wilson(deviating - hits, deviating),
        "precision": wilson(hits, hits + alarms),
        "recall": wilson(hits, deviating),
        "kappa": kappa(seen),
    }


def _mean(found: Sequence[Estimate]) -> Estimate | None:
    if not found:
        return None
    errors = [(one.interval[1] - one.interval[0]) / 2 / _Z for one in found]
    mean = sum(one.value for one in found) / len(found)
    return _around(mean, math.sqrt(sum(error * error for error in errors)) / len(found))


def _around(value: float, error: float, lowest: float = 0.0) -> Estimate:
    return Estimate(value, (max(lowest, value - _Z * error), min(1.0, value + _Z * error)))


def _told(n: int, found: Mapping[str, Estimate | None]) -> dict[str, Any]:
    rounded = {name: None if one is None else round(one.value, 3) for name, one in found.items()}
    intervals = {name: _rounded(one.interval) for name, one in found.items() if one is not None}
    return {"n": n, **rounded, "intervals": intervals}


def _rounded(numbers: Iterable[float]) -> list[float]:
    return [round(number, 3) for number in numbers]
