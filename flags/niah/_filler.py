"""The filler of one document: a corpus walked from a drawn place, around, leaving out what would give answers away."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flags.niah._corpus import Corpus, Positions


@dataclass(frozen=True, kw_only=True, eq=False)
class Filler:
    """Spans of a corpus, in the order they are read; positions are tokens of the walk, counted from 0."""

    corpus: Corpus
    spans: tuple[tuple[int, int], ...]

    @property
    def tokens(self) -> int:
        """Return how many tokens the walk has."""
        return int(self._before[-1])

    @cached_property
    def _before(self) -> Positions:
        return np.cumsum([0, *(end - start for start, end in self.spans)])

    def parts(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the corpus tokens (from, to) that the walk passes between two of its positions."""
        span = int(np.searchsorted(self._before, start, side="right")) - 1
        while start < end:
            offset = self.spans[span][0] - int(self._before[span])
            stop = min(end, int(self._before[span + 1]))
            yield start + offset, stop + offset
            start, span = stop, span + 1

    def text(self, start: int, end: int) -> bytes:
        """Return the bytes between two positions of the walk."""
        return b"".join(self.corpus.text(a, b) for a, b in self.parts(start, end))

    def ends(self, of: Positions) -> Positions:
        """Return those of the corpus's ends (paragraphs, sentences, words) that the walk meets, as its positions."""
        found = [np.array([0, self.tokens], dtype=np.int64)]
        for (start, end), before in zip(self.spans, self._before, strict=False):
            first, last = np.searchsorted(of, [start, end], side="right")
            found.append(of[first:last] - start + before)
        return np.unique(np.concatenate(found))

    def is_whole(self, position: int) -> bool:
        """Tell whether a text may be cut at this position without cutting a character in two."""
        if position in (0, self.tokens):
            return True
        ((start, _),) = self.parts(position, position + 1)
        return self.corpus.is_whole(start)


def draw(corpus: Corpus, seed: str, hidden: Iterable[str]) -> Filler:
    """Return a walk that begins at a unit drawn by seed and leaves out every unit that holds a hidden phrase."""
    units = corpus.units
    start = int(units[random.Random(seed).randrange(len(units) - 1)])
    holes = {int(np.searchsorted(units, hit, side="right")) for phrase in hidden for hit in corpus.holds(phrase)}
    spans = [*_without(units, holes, start, corpus.tokens), *_without(units, holes, 0, start)]
    return Filler(corpus=corpus, spans=tuple(spans))


def _without(units: Positions, holes: set[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    for hole in sorted(holes):
        first, last = int(units[hole - 1]), int(units[hole])
        if start <= first < end:
            if start < first:
                yield start, first
            start = last
    if start < end:
        yield start, end
