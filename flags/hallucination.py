"""Whether the answer rests on its sources."""

from dataclasses import dataclass
from typing import ClassVar

from flags._ask import CANNOT_TELL, FENCED, LANGUAGE, ask, decided, score_of, told, verdict_field
from flags._case import Case, Verdict
from flags._clean import answer_of
from flags._evidence import evidence, without_text
from flags._flag import Field, Grid, Judgement, Rubric, Tools

FULLY = "fully_supported"
PARTIALLY = "partially_supported"
NOT = "not_supported"

_BEST = (FULLY, CANNOT_TELL, PARTIALLY, NOT)
"""A part of the answer is supported as well as by the group of sources that supports it best."""


def _merged(grid: Grid) -> Judgement:
    """Return what parts come to: all supported is fully, none is not, and anything between is partially supported."""
    best = [min(line, key=lambda reply: _BEST.index(reply["verdict"])) for line in grid]
    lacking = [reply for reply in best if reply["verdict"] in (PARTIALLY, NOT)]
    unsure = [reply for reply in best if reply["verdict"] == CANNOT_TELL]
    verdict = PARTIALLY if lacking else CANNOT_TELL if unsure else FULLY
    if all(reply["verdict"] == NOT for reply in best):
        verdict = NOT
    quotes = " … ".join(reply["unsupported_quote"] for reply in lacking)
    reason = told(lacking or unsure or best[:1], "reason", grid)
    return {"unsupported_quote": quotes, "reason": reason, "verdict": verdict}


RUBRIC = Rubric(
    name="hallucination",
    template=f"""\
Judge whether all information in an answer is taken from the sources it rests on.

Rules:
- fully supported: every statement of the answer is stated in the sources or follows from them directly.
- partially supported: the answer agrees with the sources but contains statements they do not support.
- not supported: what the answer says is not taken from the sources, or they say otherwise.
- Your own knowledge does not count: a true statement that is not in the sources is unsupported.
- Other words, another language, another notation of a number and plain arithmetic on the sources' numbers are no
  lack of support. What the question itself says, courtesy, and the remark that something was not found need no support.

{LANGUAGE}
{FENCED}
{{{{ question }}}}

{{{{ answer }}}}

{{{{ sources }}}}
""",
    fields=(
        Field(
            name="unsupported_quote", description="The answer's words the sources do not support, verbatim, or empty."
        ),
        Field(
            name="reason",
            description="What is unsupported, in one or two sentences in the language of the answer; short if nothing.",
        ),
        verdict_field("verdict", (FULLY, PARTIALLY, NOT), "How far the sources support the answer."),
    ),
    merge=_merged,
)


@dataclass(frozen=True, kw_only=True)
class Hallucination:
    """TRUE when the answer is only partly or not supported by the content of the sources it references.

    Where it references none, the retrieved passages count; where there are none, the flag is not given.
    """

    needs: ClassVar[tuple[str, ...]] = ()

    async def __call__(self, case: Case, tools: Tools) -> Verdict:
        """Return the judge's verdict on answer and sources."""
        if not answer_of(case):
            return Verdict.skipped("the answer is empty")
        if not evidence(case):
            return Verdict.skipped("not given: the content of the answer's sources is not known")
        judgement = await ask(RUBRIC, case, tools)
        verdict = decided(judgement, "verdict", "reason")
        reason, score = judgement["reason"].strip(), score_of(judgement)
        if verdict == FULLY:
            return Verdict.given(False, reason, score=score)
        return Verdict.given(True, f"{verdict.replace('_', ' ')}: {reason}{_unread(case)}", score=score)


def _unread(case: Case) -> str:
    names = ", ".join(source.name for source in without_text(case))
    return f" (not at hand: the content of {names})" if names else ""
