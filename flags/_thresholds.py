"""Which similarity tells right answers from wrong ones, by what persons said about them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flags._scorecard import Checked, usable

LEAST = 10
"""Reviews that say yes, and that say no, below which nothing is proposed: each would move the threshold by itself."""
_DIGITS = 4


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A threshold for similarity, and what it would have changed; `threshold` None: none is proposed, `why` says so.

    `correct` and `wrong` count the reviews it rests on. Of all rows, `gained` would be TRUE that are not, `lost` the
    other way round; of the reviewed ones `mended` would be right that are not, `broken` the other way round.
    `accuracy` is the mean of the shares of wrong answers below and of correct ones not below the threshold, weighed as
    in the scorecard; `accuracy_now` is that of the one in use.
    """

    current: float
    correct: int
    wrong: int
    threshold: float | None = None
    accuracy: float | None = None
    accuracy_now: float | None = None
    gained: int = 0
    lost: int = 0
    mended: int = 0
    broken: int = 0
    why: str = ""


def propose(rows: Iterable[Checked], current: float) -> Proposal:
    """Return the threshold that tells wrong answers from correct ones best; of equal ones the nearest to `current`."""
    rows = list(rows)
    looked, weights = _weighed(rows)
    wrong = np.array([row.correct is False for row in looked], dtype=bool)
    found = Proposal(current=current, correct=int((~wrong).sum()), wrong=int(wrong.sum()))
    needed = {"yes": LEAST - found.correct, "no": LEAST - found.wrong}
    missing = " and ".join(f"{number} more that say {said}" for said, number in needed.items() if number > 0)
    if missing:
        why = f"too few reviews: {missing} are needed (flagged rows and those of the audit sample count)"
        return replace(found, why=why)
    scores = np.array([row.score for row in looked])
    seen = np.unique(scores)
    candidates = np.array([current, *np.round((seen[1:] + seen[:-1]) / 2, _DIGITS)])
    accuracies = np.array([_accuracy(scores < candidate, wrong, weights) for candidate in candidates])
    best = min(np.flatnonzero(accuracies >= accuracies.max() - 1e-9), key=lambda at: abs(candidates[at] - current))
    now = float(accuracies[0])
    if best == 0:
        return replace(found, accuracy_now=now, why="no other threshold is better on these reviews")
    threshold = float(candidates[best])
    before, after = scores < current, scores < threshold
    every = np.array([row.score for row in rows if row.score is not None])
    return replace(
        found,
        threshold=threshold,
        accuracy=float(accuracies[best]),
        accuracy_now=now,
        gained=int(((every < threshold) & (every >= current)).sum()),
        lost=int(((every >= threshold) & (every < current)).sum()),
        mended=int(((after == wrong) & (before != wrong)).sum()),
        broken=int(((after != wrong) & (before == wrong)).sum()),
    )


def _weighed(rows: Sequence[Checked]) -> tuple[list[Checked], NDArray[np.float64]]:
    """Return the reviewed rows that count and have a similarity, and for how many rows each of them stands."""
    runs: dict[str, list[Checked]] = defaultdict(list)
    for row in rows:
        runs[row.run].append(row)
    weights: list[tuple[Checked, float]] = []
    for run in runs.values():
        counted = list(usable(run))
        for final in (True, False):
            reviewed = [row for row in counted if row.flags["final"] is final]
            size = sum(row.flags["final"] is final for row in run)
            weights += [(row, size / len(reviewed)) for row in reviewed if row.score is not None]
    return [row for row, _ in weights], np.array([weight for _, weight in weights])


def _accuracy(below: NDArray[np.bool_], wrong: NDArray[np.bool_], weights: NDArray[np.float64]) -> float:
    caught = weights[wrong & below].sum() / weights[wrong].sum()
    spared = weights[~wrong & ~below].sum() / weights[~wrong].sum()
    return float(caught + spared) / 2
