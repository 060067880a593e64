"""Which claims of two texts speak of the same thing."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from flags._flag import Embedder
from flags._local._claims import Claim, Text

_SETTLED = 0.75
"""A claim so like another by its words needs no embedding."""
_EMBEDDED = 80
"""So many claims of a side are embedded, the most telling first; the others are compared by their words."""
_CHARACTERS = 5_000
"""So much of a side is embedded: more than answers have, and what embedding takes does not grow beyond it."""
_COSINE = (0.25, 0.85)
"""Cosines of unrelated and of equivalent sentences: what lies between is spread over [0, 1]."""

_NOTHING = 1e-6
Likeness = NDArray[np.float64]
"""A row a claim of the one text, a column a claim of the other; 0 nothing in common, 1 the same."""


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Two texts side by side, and how like each claim of one is to each claim of the other.

    `likeness` rests on shared words or on embeddings, whichever is higher; `meaning` on embeddings alone (0 where none
    was made). `far` and `apart` are distances (1 - cosine) of what is said beyond the question: the mean of the
    sentences of `one` to the nearest of `other`, and that of `one` as a whole.
    """

    one: Text
    other: Text
    likeness: Likeness
    meaning: Likeness
    far: float = 0.0
    apart: float = 0.0

    def turned(self) -> "Pairs":
        """Return the same seen from the other text; the distances are not the same then, and are left out."""
        return Pairs(one=self.other, other=self.one, likeness=self.likeness.T, meaning=self.meaning.T)

    def best(self, least: float) -> tuple[tuple[int, int], ...]:
        """Return the index pairs in which a claim is the other's most alike, at least `least` alike."""
        if not self.likeness.size:
            return ()
        rows = ((row, int(column)) for row, column in enumerate(self.likeness.argmax(axis=1)))
        columns = ((int(row), column) for column, row in enumerate(self.likeness.argmax(axis=0)))
        pairs = dict.fromkeys((*rows, *columns))
        return tuple(sorted(pair for pair in pairs if self.likeness[pair] >= least))


async def pair(one: Text, other: Text, embedder: Embedder | None = None, asked: str = "") -> Pairs:
    """Return both texts with the likeness of their claims: by shared words, and by embeddings where words differ.

    `asked` is the question both answer, which is embedded along with them.
    """
    likeness = _by_words(one.claims, other.claims)
    meaning = np.zeros_like(likeness)
    if embedder is not None and likeness.size:
        rows = _unsettled(likeness.max(axis=1), one.claims)
        columns = _unsettled(likeness.max(axis=0), other.claims)
        if rows or columns:
            distances = await _by_meaning(meaning, (_Chosen(one, rows), _Chosen(other, columns)), embedder, asked)
            best = np.maximum(likeness, meaning)
            return Pairs(one=one, other=other, likeness=best, meaning=meaning, far=distances[0], apart=distances[1])
    return Pairs(one=one, other=other, likeness=likeness, meaning=meaning)


def dice(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of words two sets have in common, in [0, 1]."""
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


def _by_words(one: Sequence[Claim], other: Sequence[Claim]) -> Likeness:
    """Return the mean of Dice's coefficient and the share of the shorter claim found in the longer."""
    shared = frozenset().union(*(claim.stems for claim in one)) & frozenset().union(*(claim.stems for claim in other))
    index = {stem: place for place, stem in enumerate(sorted(shared))}
    common = _incidence(one, index) @ _incidence(other, index).T
    rows = np.array([[max(len(claim.stems), 1)] for claim in one], dtype=np.float64).reshape(len(one), 1)
    columns = np.array([max(len(claim.stems), 1) for claim in other], dtype=np.float64).reshape(1, len(other))
    likeness: Likeness = common / (rows + columns) + common / np.minimum(rows, columns) / 2
    return likeness


def _incidence(claims: Sequence[Claim], index: dict[str, int]) -> Likeness:
    matrix = np.zeros((len(claims), len(index)))
    for row, claim in enumerate(claims):
        matrix[row, [index[stem] for stem in claim.stems if stem in index]] = 1
    return matrix


def _unsettled(best: NDArray[np.float64], claims: Sequence[Claim]) -> list[int]:
    return [place for place, likeness in enumerate(best) if likeness < _SETTLED and claims[place].stems]


@dataclass(frozen=True)
class _Chosen:
    """The claims of a text that are embedded: the unsettled ones, then the longest."""

    text: Text
    unsettled: list[int]

    @property
    def places(self) -> list[int]:
        claims = self.text.claims
        longest = sorted(range(len(claims)), key=lambda place: (place not in self.unsettled, -len(claims[place].stems)))
        so_far = accumulate(len(claims[place].text) for place in longest)
        read = sum(characters <= _CHARACTERS for characters in so_far)
        return sorted(longest[: min(max(read, 1), _EMBEDDED)])

    @property
    def texts(self) -> list[str]:
        return [self.text.claims[place].text for place in self.places]


async def _by_meaning(
    meaning: Likeness, sides: tuple[_Chosen, _Chosen], embedder: Embedder, asked: str
) -> tuple[float, float]:
    """Fill in how near the claims' embeddings are, and return `far` and `apart`; one call for question and texts."""
    rows, columns = sides
    vectors = np.nan_to_num(np.asarray(await embedder.embed([asked, *rows.texts, *columns.texts]), dtype=np.float64))
    question, mine, theirs = vectors[0], vectors[1 : 1 + len(rows.texts)], vectors[1 + len(rows.texts) :]
    lowest, highest = _COSINE
    near = np.clip((mine @ theirs.T - lowest) / (highest - lowest), 0.0, 1.0)
    meaning[np.ix_(rows.places, columns.places)] = near
    return _distances(_beyond(mine, question), _beyond(theirs, question))


def _beyond(vectors: Likeness, question: Likeness) -> Likeness:
    """Return unit vectors without what they share with the question."""
    left = vectors - np.outer(vectors @ question, question)
    lengths = np.linalg.norm(left, axis=1, keepdims=True)
    unit: Likeness = np.divide(left, lengths, out=np.zeros_like(left), where=lengths > _NOTHING)
    return unit


def _distances(mine: Likeness, theirs: Likeness) -> tuple[float, float]:
    """Return how far the rows of `mine`, and their mean, are from the nearest of `theirs`."""
    whole = mine.mean(axis=0)
    whole = whole / max(float(np.linalg.norm(whole)), _NOTHING)
    all_theirs = theirs.mean(axis=0)
    all_theirs = all_theirs / max(float(np.linalg.norm(all_theirs)), _NOTHING)
    nearest = max(float((theirs @ whole).max()), float(all_theirs @ whole))
    return float(1 - (mine @ theirs.T).max(axis=1).mean()), 1 - nearest
