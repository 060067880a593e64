"""Whether one answer says significantly more than the other, in relation to the question."""

from dataclasses import dataclass
from typing import ClassVar

from flags._ask import decided, score_of
from flags._case import Case, Verdict
from flags._clean import answer_of, reference_of
from flags._coverage import ask_coverage
from flags._flag import Tools

MISSING = "missing"
EXTRA = "extra"


@dataclass(frozen=True, kw_only=True)
class Extent:
    """TRUE when one answer answers the question significantly further than the other.

    The reason begins with the direction: `missing:` (the new answer lacks something), `extra:` or both. With
    `only_missing` an answer that only says more is no deviation.
    """

    needs: ClassVar[tuple[str, ...]] = ()
    only_missing: bool = False

    async def __call__(self, case: Case, tools: Tools) -> Verdict:
        """Return the judge's verdict on the extent of the two answers."""
        if not reference_of(case):
            return Verdict.skipped("no benchmark answer")
        if not answer_of(case):
            return Verdict.given(True, f"{MISSING}: the answer is empty")
        judgement = await ask_coverage(case, tools)
        extent = decided(judgement, "extent", "extent_reason")
        reason, score = judgement["extent_reason"].strip(), score_of(judgement, "extent_score")
        if extent == "equal":
            return Verdict.given(False, reason, score=score)
        direction = {"missing_and_extra": f"{MISSING} and {EXTRA}"}.get(extent, extent)
        return Verdict.given(not (self.only_missing and extent == EXTRA), f"{direction}: {reason}", score=score)
