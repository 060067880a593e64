"""Whether two answers say the same: what accepting a variant of an answer, and measuring the judges, rest on."""

from flags._ask import FENCED, ask, decided, score_of, verdict_field
from flags._case import Case, Verdict
from flags._clean import answer_of, reference_of
from flags._flag import Field, Rubric, Tools

RUBRIC = Rubric(
    name="equivalence",
    template=f"""\
Decide whether a new answer says the same as the reference answer to the same question. The reference is taken to be
right.

Rules:
- equivalent: a reader who asked this question learns the same from both: the same facts, conditions and conclusion.
- different: something the question asks for is said otherwise, or only one of them says it.
- Other words, order, language or notation, reasonable rounding, courtesy, and detail the question does not ask for are
  no difference.

{FENCED}
{{{{ question }}}}

{{{{ reference }}}}

{{{{ answer }}}}
""",
    fields=(
        Field(name="reference_quote", description="The words of the reference that differ, verbatim, or empty."),
        Field(name="answer_quote", description="The words of the new answer that differ, verbatim, or empty."),
        Field(name="reason", description="What differs, in one sentence in the language of the new answer."),
        verdict_field("verdict", ("equivalent", "different"), "Whether both answers say the same."),
    ),
)


async def differs(case: Case, tools: Tools) -> Verdict:
    """Return a verdict that is TRUE when the new answer does not say what the reference says.

    Identical texts are the same without a judge, an empty answer differs. Raise `JudgeFailed` where the judge fails.
    """
    reference, answer = reference_of(case), answer_of(case)
    if not reference:
        return Verdict.skipped("no benchmark answer")
    if not answer or reference.split() == answer.split():
        return Verdict.given(not answer, "the answer is empty" if not answer else "", score=0.0 if answer else 1.0)
    judgement = await ask(RUBRIC, case, tools)
    verdict = decided(judgement, "verdict", "reason")
    return Verdict.given(verdict == "different", judgement["reason"].strip(), score=score_of(judgement))
