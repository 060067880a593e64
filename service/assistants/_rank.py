"""Which passages belong to a question: rank by embedding and rank by keyword, fused."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from service.assistants._chunks import Passage
from service.assistants._terms import Compounds, language_of_text, terms

_RRF = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Found:
    """A passage with its place in the index and its scores: cosine in [-1, 1], BM25, and the fused one."""

    place: int
    passage: Passage
    cosine: float
    keyword: float
    score: float


class Index:
    """Passages with a unit vector each; `places` are those that can be found, a row of `vectors` for each."""

    def __init__(self, passages: Sequence[Passage], vectors: Floats) -> None:
        self.passages = tuple(passages)
        self.places: NDArray[np.intp] = np.arange(len(self.passages))
        self.vectors = vectors

    @cached_property
    def _tokens(self) -> list[list[str]]:
        return [terms(f"{passage.heading} {passage.text}", passage.language) for passage in self.passages]

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset(token for tokens in self._tokens for token in tokens)

    @cached_property
    def _compounds(self) -> Compounds:
        return Compounds(self._vocabulary)

    @cached_property
    def _bm25(self) -> "object":
        import bm25s

        ranker = bm25s.BM25(method="lucene")
        ranker.index(self._tokens, show_progress=False)
        return ranker

    def prepare(self) -> None:
        """Build the keyword index now (it takes a while for many passages)."""
        _ = self._bm25, self._compounds

    def likely(self, question: str, most: int) -> NDArray[np.intp]:
        """Return where the passages stand that share most with a question by their words, in the order of the text.

        All of them where there are few, or where none shares a word: then meaning alone can tell.
        """
        if len(self.passages) <= most:
            return self.places
        keywords = self._keyword_scores(question)
        if not keywords.any():
            return self.places
        return np.sort(np.argsort(-keywords, kind="stable")[:most])

    def narrowed(self, places: NDArray[np.intp], vectors: Floats) -> "Index":
        """Return the index with vectors for some passages, of which alone it finds any; words are weighed over all."""
        narrow = copy.copy(self)
        narrow.places, narrow.vectors = places, vectors
        return narrow

    def rarity(self, question: str) -> dict[str, float]:
        """Return the question's terms with their inverse document frequency; terms nobody uses are the rarest."""
        wanted = terms(question, language_of_text(question))
        count = len(self.passages)
        holders = {term: sum(term in held for held in self._held) for term in wanted}
        return {term: float(np.log1p((count - n + 0.5) / (n + 0.5))) for term, n in holders.items()}

    @cached_property
    def _held(self) -> list[frozenset[str]]:
        return [frozenset(tokens) for tokens in self._tokens]

    def search(self, question: str, vector: Floats, most: int) -> list[Found]:
        """Return the passages that fit best, best first; ties keep the order of the documents."""
        if not self.passages:
            return []
        cosines = np.round(self.vectors @ vector, 4)
        keywords = np.round(self._keyword_scores(question)[self.places], 4)
        fused = _reciprocal(cosines, np.ones(len(cosines), dtype=bool)) + _reciprocal(keywords, keywords > 0)
        best = np.argsort(-fused, kind="stable")[:most]
        return [
            Found(at, self.passages[at], *(round(float(scores[row]), 6) for scores in (cosines, keywords, fused)))
            for row, at in zip(best, map(int, self.places[best]), strict=True)
        ]

    def _keyword_scores(self, question: str) -> Floats:
        wanted = dict.fromkeys(terms(question, language_of_text(question)))
        known = [term for term in wanted if term in self._vocabulary]
        known += [other for term in wanted for other in self._compounds.of(term)]
        if not known:
            return np.zeros(len(self.passages), dtype=np.float32)
        return np.asarray(self._bm25.get_scores(list(dict.fromkeys(known))), dtype=np.float32)  # type: ignore[attr-defined]


def _reciprocal(scores: Floats, counts: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return 1 / (60 + rank) for each score that counts; equal scores share a rank."""
    ordered = np.sort(scores[counts])[::-1]
    ranks = np.searchsorted(-ordered, -scores, side="left") + 1
    return np.where(counts, 1.0 / (_RRF + ranks), 0.0)
