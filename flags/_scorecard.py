"""How right flags were, by what persons said about the answers."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

_DRAWS = 4000
_SEED = 20260101
"""Intervals are drawn from the same numbers each time: equal reviews give equal intervals."""

NOBODY_LOOKED = "unknown: no row of the audit sample was reviewed"
NOT_REVIEWED = "unknown: too few kinds of rows were reviewed"

Numbers = NDArray[np.float64]
Cells = tuple[Numbers, Numbers, Numbers, Numbers]


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """A judged row, and what a person said of its answer (None: nothing).

    `flags` holds what was given, `final` among it. `audit` rows were drawn at random among those whose final flag is
    FALSE. `score` is the similarity.
    """

    run: str
    flags: Mapping[str, bool]
    correct: bool | None = None
    audit: bool = False
    score: float | None = None


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A rate (or kappa) with its 95 % interval; all None where it cannot be told."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, kw_only=True)
class Scorecard:
    """How right one flag was: TRUE should mean that the answer is wrong.

    `rows` had the flag, `reviews` of them count, in `wrong` of which the answer was wrong. `precision` is the share of
    TRUE that was right, `recall` the share of wrong answers that were TRUE, `false_alarm` the share of correct answers
    that were TRUE, `kappa` is Cohen's (1960). `why` says what keeps some of them from being told.
    """

    flag: str
    rows: int
    reviews: int
    wrong: int
    precision: Estimate = field(default_factory=Estimate)
    recall: Estimate = field(default_factory=Estimate)
    false_alarm: Estimate = field(default_factory=Estimate)
    kappa: Estimate = field(default_factory=Estimate)
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class _Stratum:
    """Rows on which a flag said the same and whose chance to be reviewed was the same: `share` of them is wrong."""

    flagged: bool
    size: int
    reviews: float
    share: float


def scorecard(flag: str, rows: Iterable[Checked]) -> Scorecard:
    """Return how right a flag was.

    Each reviewed row stands for those of its run that were as likely to be reviewed (inverse probability weighting):
    flagged rows for the flagged ones, rows of the audit sample for all others. Other reviews of rows without a flag are
    left out, since nobody knows why they were looked at; unless all rows without a flag were.
    """
    given = [row for row in rows if flag in row.flags and "final" in row.flags]
    by_kind: dict[tuple[bool, bool], list[Checked]] = defaultdict(list)
    for row in given:
        by_kind[row.flags[flag], row.flags["final"]].append(row)
    counted = [row for run in _runs(given) for row in usable(run)]
    strata = [_stratum(kind[0], of, {id(row) for row in counted}) for kind, of in by_kind.items()]
    card = Scorecard(
        flag=flag, rows=len(given), reviews=len(counted), wrong=sum(row.correct is False for row in counted)
    )
    if all(stratum.reviews for stratum in strata if stratum.flagged):
        card = replace(card, precision=_estimate(_precision, strata))
    unseen = [kind for kind, stratum in zip(by_kind, strata, strict=True) if not stratum.reviews]
    if unseen or not strata:
        return replace(card, why=NOBODY_LOOKED if any(not final for _, final in unseen) else NOT_REVIEWED)
    return replace(
        card,
        recall=_estimate(_recall, strata),
        false_alarm=_estimate(_false_alarm, strata),
        kappa=_estimate(_kappa, strata),
    )


def usable(run: Sequence[Checked]) -> Iterator[Checked]:
    """Yield the reviewed rows of a run that can speak for those that were not reviewed."""
    unflagged = [row for row in run if not row.flags["final"]]
    everything = all(row.correct is not None for row in unflagged)
    for row in run:
        if row.correct is not None and (row.flags["final"] or row.audit or everything):
            yield row


def _runs(rows: Iterable[Checked]) -> list[list[Checked]]:
    runs: dict[str, list[Checked]] = defaultdict(list)
    for row in rows:
        runs[row.run].append(row)
    return list(runs.values())


def _stratum(flagged: bool, rows: Sequence[Checked], counted: set[int]) -> _Stratum:
    """Join the runs: each weighs as many rows as it has, however many of them were reviewed."""
    size, share, spread = 0, 0.0, 0.0
    for run in _runs(rows):
        said = [row.correct is False for row in run if id(row) in counted]
        if said:
            size += len(run)
            share += len(run) * sum(said) / len(said)
            spread += len(run) ** 2 / len(said)
    if not size:
        return _Stratum(flagged=flagged, size=len(rows), reviews=0, share=0)
    return _Stratum(flagged=flagged, size=len(rows), reviews=size**2 / spread, share=share / size)


def _estimate(rate: Callable[[Cells], Numbers], strata: Sequence[_Stratum]) -> Estimate:
    """Return the rate with the interval of its posterior: Jeffreys' prior for how many rows there are, and are wrong.

    It speaks of further rows of this kind as well, not of these alone.
    """
    value = float(rate(_cells(strata, [(np.array([one.size]), np.array([one.share])) for one in strata]))[0])
    if not np.isfinite(value):
        return Estimate()
    generator = np.random.default_rng(_SEED)
    absent = [_Stratum(flagged=kind, size=0, reviews=0, share=0) for kind in (True, False)]
    strata = [*strata, *(one for one in absent if one.flagged not in {each.flagged for each in strata})]
    draws = []
    for one in strata:
        wrong = one.share * one.reviews
        share = generator.beta(wrong + 0.5, one.reviews - wrong + 0.5, _DRAWS)
        draws.append((generator.gamma(one.size + 0.5, size=_DRAWS), share))
    low, high = np.quantile(rate(_cells(strata, draws)), (0.025, 0.975))
    return Estimate(value=value, low=min(value, float(low)), high=max(value, float(high)))


def _cells(strata: Sequence[_Stratum], drawn: Sequence[tuple[Numbers, Numbers]]) -> Cells:
    """Return rows that are TRUE and wrong, TRUE and correct, FALSE and wrong, FALSE and correct."""
    nothing: Numbers = np.zeros(1)
    found = {(flagged, wrong): nothing for flagged in (True, False) for wrong in (True, False)}
    for stratum, (size, share) in zip(strata, drawn, strict=True):
        found[stratum.flagged, True] = found[stratum.flagged, True] + size * share
        found[stratum.flagged, False] = found[stratum.flagged, False] + size * (1 - share)
    return found[True, True], found[True, False], found[False, True], found[False, False]


def _ratio(part: Numbers, whole: Numbers) -> Numbers:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(part / whole, dtype=np.float64)


def _precision(cells: Cells) -> Numbers:
    return _ratio(cells[0], cells[0] + cells[1])


def _recall(cells: Cells) -> Numbers:
    return _ratio(cells[0], cells[0] + cells[2])


def _false_alarm(cells: Cells) -> Numbers:
    return _ratio(cells[1], cells[1] + cells[3])


def _kappa(cells: Cells) -> Numbers:
    hit, alarm, miss, calm = cells
    rows = hit + alarm + miss + calm
    chance = _ratio((hit + alarm) * (hit + miss) + (miss + calm) * (alarm + calm), rows**2)
    return _ratio(_ratio(hit + calm, rows) - chance, 1 - chance)
