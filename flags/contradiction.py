"""Whether the two answers contradict each other."""

from dataclasses import dataclass
from typing import ClassVar

from flags._ask import CANNOT_TELL, FENCED, LANGUAGE, ask, decided, score_of, told, verdict_field
from flags._case import Case, Verdict
from flags._clean import answer_of, reference_of
from flags._flag import Field, Grid, Judgement, Rubric, Tools


def _merged(grid: Grid) -> Judgement:
    """Return what parts come to: the answers contradict each other where any two parts do."""
    replies = [reply for line in grid for reply in line]
    found = [reply for reply in replies if reply["verdict"] == "contradicts"]
    shown = found or [reply for reply in replies if reply["verdict"] == CANNOT_TELL] or replies[:1]
    quotes = {name: " … ".join(reply[name] for reply in found) for name in ("reference_quote", "answer_quote")}
    return {**quotes, "reason": told(shown, "reason", grid), "verdict": shown[0]["verdict"]}


RUBRIC = Rubric(
    name="contradiction",
    template=f"""\
Compare a new answer with the reference answer to the same question. The reference is taken to be right.

Rules:
- The answers contradict each other when both cannot be true at once, or when a reader who relies on the new answer
  would act or conclude significantly otherwise than with the reference: other numbers, dates, units, names,
  conditions, directions (more/less, before/after, at least/at most), yes against no, a statement against its negation.
- Other words, another order, another language, another notation of the same number or date, and reasonable rounding are
  no contradiction.
- What only one of the answers mentions is no contradiction: extent is judged elsewhere.
- An answer that declines, or says that nothing was found, contradicts nothing: relation is judged elsewhere.

{LANGUAGE}
{FENCED}
{{{{ question }}}}

{{{{ reference }}}}

{{{{ answer }}}}
""",
    symmetric=True,
    merge=_merged,
    fields=(
        Field(
            name="reference_quote", description="The words of the reference the verdict rests on, verbatim, or empty."
        ),
        Field(name="answer_quote", description="The words of the new answer the verdict rests on, verbatim, or empty."),
        Field(
            name="reason",
            description="What differs, in one or two sentences in the language of the new answer; short if nothing.",
        ),
        verdict_field("verdict", ("contradicts", "agrees"), "Whether the two answers contradict each other."),
    ),
)


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """TRUE when the two answers contradict each other or differ significantly in meaning."""

    needs: ClassVar[tuple[str, ...]] = ()

    async def __call__(self, case: Case, tools: Tools) -> Verdict:
        """Return the judge's verdict on the two answers."""
        if not reference_of(case):
            return Verdict.skipped("no benchmark answer")
        if not answer_of(case):
            return Verdict.skipped("the answer is empty")
        judgement = await ask(RUBRIC, case, tools)
        contradicts = decided(judgement, "verdict", "reason") == "contradicts"
        return Verdict.given(contradicts, judgement["reason"].strip(), score=score_of(judgement))
