"""Whether the answer answers the question at all."""

from dataclasses import dataclass
from typing import ClassVar

from flags._ask import decided, score_of
from flags._case import Case, Verdict
from flags._clean import answer_of
from flags._coverage import ask_coverage
from flags._flag import Tools


@dataclass(frozen=True, kw_only=True)
class Relation:
    """TRUE when the answer does not answer the question: off topic, a refusal, a question back."""

    needs: ClassVar[tuple[str, ...]] = ()

    async def __call__(self, case: Case, tools: Tools) -> Verdict:
        """Return the judge's verdict on question and answer; a reference is not needed."""
        if not answer_of(case):
            return Verdict.given(True, "the answer is empty")
        judgement = await ask_coverage(case, tools)
        unrelated = decided(judgement, "relation", "relation_reason") == "does_not_answer"
        score = score_of(judgement, "relation_score")
        return Verdict.given(unrelated, judgement["relation_reason"].strip(), score=score)
