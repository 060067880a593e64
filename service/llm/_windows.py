"""Texts longer than a model reads at once are read in overlapping windows; nothing is cut off."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Span = tuple[int, int]
Vectors = NDArray[np.float32]

OVERLAP = 8
"""One eighth of a window is read again by the next one, so that no thought is torn apart unseen."""


def windows(spans: Sequence[Span], limit: int) -> list[tuple[Span, int]]:
    """Return (start, end) of each window in the text with its number of tokens.

    `spans` are the places of the text's tokens, `limit` the tokens a window may hold. Windows are of equal size, so
    that the last one is not a crumb that weighs little and says nothing.
    """
    if len(spans) <= limit:
        return [((0, spans[-1][1] if spans else 0), len(spans))]
    step_at_most = limit - limit // OVERLAP
    count = -(-(len(spans) - limit) // step_at_most) + 1
    starts = [round(at * (len(spans) - limit) / (count - 1)) for at in range(count)]
    return [((spans[start][0], spans[start + limit - 1][1]), limit) for start in starts]


def mean_of_windows(rows: Vectors, weights: Sequence[int], owners: Sequence[int], count: int) -> Vectors:
    """Return one unit row a text: the mean of its windows' rows, weighted by their tokens.

    `owners` says, in ascending order, which of the `count` texts each row belongs to.
    """
    bounds = np.searchsorted(np.asarray(owners), np.arange(count + 1))
    weighted = rows * np.asarray(weights, dtype=np.float32)[:, None]
    sums = np.stack([weighted[start:end].sum(axis=0) for start, end in pairwise(bounds)])
    return unit(sums)


def unit(rows: Vectors) -> Vectors:
    """Return the rows at length 1; a zero row stays zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled
