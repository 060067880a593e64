"""How similar the two answers are as a whole."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flags._case import Case, Question, Verdict
from flags._clean import answer_of, clean, reference_of
from flags._errors import FlagsMisconfigured, JudgeFailed
from flags._flag import Tools

DIGITS = 4


def texts_ahead(question: Question) -> tuple[str, ...]:
    """Return what will be embedded whatever the answer is: the service may do so while it waits for the answer."""
    reference = clean(question.reference)
    return (reference,) if reference else ()


@dataclass(frozen=True, kw_only=True)
class Embedding:
    """Cosine similarity of reference and new answer, in [-1, 1]; TRUE below `threshold`.

    A threshold belongs to one embedding model and one kind of answer: fit it per space from human reviews.
    """

    needs: ClassVar[tuple[str, ...]] = ()
    threshold: float = 0.92

    def __post_init__(self) -> None:
        if not -1 <= self.threshold <= 1:
            raise FlagsMisconfigured(f"embedding.threshold is a cosine between -1 and 1, not {self.threshold:g}.")

    async def __call__(self, case: Case, tools: Tools) -> Verdict:
        """Return the similarity as score; TRUE below the threshold."""
        reference, answer = reference_of(case), answer_of(case)
        if not reference:
            return Verdict.skipped("no benchmark answer")
        score = await _similarity(reference, answer, tools)
        deviates = score < self.threshold
        reason = f"{score:.4f} is below {self.threshold:g}" if deviates else ""
        return Verdict.given(deviates, reason, score=score)


async def _similarity(one: str, other: str, tools: Tools) -> float:
    if one.split() == other.split():
        return 1.0
    if not other:
        return 0.0
    vectors = np.asarray(await tools.embedder.embed([one, other]), dtype=np.float64)
    score = float(vectors[0] @ vectors[1])
    if not np.isfinite(score):
        raise JudgeFailed("embedding_unusable", "The embedding model returned numbers that cannot be compared.")
    # Further digits depend on which texts were embedded together, and would make equal runs differ.
    return round(min(1.0, max(-1.0, score)), DIGITS)
