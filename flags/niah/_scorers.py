"""The scorers all tasks share."""

import re
from dataclasses import dataclass
from typing import Literal

from flags._ask import FENCED
from flags._case import Answer, Case, Question
from flags._errors import JudgeFailed
from flags._flag import Field, Rubric
from flags.niah import _literal
from flags.niah._match import check_expected, match_number, match_text
from flags.niah._numbers import plain_number
from flags.niah._reading import missing, read, unanswered
from flags.niah._region import region
from flags.niah._task import Borrowed, Score, Trial

Scorer = Literal["exact", "substring", "numeric", "semantic", "llm_judge", "auto"]
SIMILAR = 0.8
"""A response at least so similar to the expected answer (cosine) is correct to the semantic scorer."""

RUBRIC = Rubric(
    name="needle",
    template=f"""\
You are a strict fact-checking judge. Does the answer correctly contain the reference, which is the ground truth?

{FENCED}
{{{{ question }}}}

{{{{ reference }}}}

{{{{ answer }}}}
""",
    fields=(Field(name="verdict", description='Only "YES" or "NO", followed by a one-sentence explanation.'),),
)


@dataclass(frozen=True, kw_only=True)
class Scoring:
    """How the responses of an experiment are scored: parameters every task has.

    `scorer` "" stands for the task's own. `tolerance` is a share of the expected value, for numbers with decimals;
    `integer_tolerance` the same for whole numbers. `literal` takes the methodology's formulas to the letter.
    """

    scorer: Scorer | Literal[""] = ""
    tolerance: float = 0.01
    integer_tolerance: float = 0.0
    literal: bool = False

    async def one(self, trial: Trial, response: str, borrowed: Borrowed, default: Scorer) -> Score:
        """Return the score against the trial's one expected answer.

        Raise `ExpectedRefused` for an expected answer that nothing can be compared with.
        """
        check_expected(trial.expected)
        expected = trial.expected[0]
        scorer = self.scorer or default
        if scorer == "semantic":
            return await _semantic(trial, response, borrowed)
        if scorer == "llm_judge":
            return await _judged(trial, response, borrowed)
        if self.literal:
            return _by_formula(expected, response, scorer)
        return self.by_rule(trial, response, scorer)

    def by_rule(self, trial: Trial, response: str, scorer: Scorer) -> Score:
        """Return the score by exact, substring, numeric or auto, against the first expected answer."""
        expected = trial.expected[0]
        reading = read(trial, response)
        value = plain_number(expected)
        if scorer == "numeric" or (scorer == "auto" and value is not None):
            return match_number(reading, expected, self.tolerance_of(expected))
        if value is not None:
            # a number is compared by value: “4.0” is 4, and “1'234” is 1234
            return match_number(reading, expected, 0.0, scorer=scorer)
        return match_text(reading, expected, trial.decoys, scorer="exact" if scorer == "exact" else "substring")

    def tolerance_of(self, expected: str) -> float:
        """Return the share by which a number may be off: whole numbers not at all by default."""
        return self.integer_tolerance if re.fullmatch(r"\s*[-−+]?\d+\s*", expected) else self.tolerance


def _by_formula(expected: str, response: str, scorer: Scorer) -> Score:
    value = _literal.parse(expected)
    if scorer in ("auto", "numeric") and value is not None:
        return _literal.numeric(value, response)
    return _literal.contains(expected, response)


async def _semantic(trial: Trial, response: str, borrowed: Borrowed) -> Score:
    expected = trial.expected[0]
    reading = read(trial, response)
    early = unanswered(reading, "semantic", expected)
    if early or (reading.refuses and not reading.text):
        return early or missing(reading, "semantic", expected)
    if borrowed.embedder is None:
        return failed("semantic", "embedder_missing", "There is no embedder to compare meanings with.")
    one, other = await borrowed.embedder.embed([region(response), expected])
    similarity = float(one @ other)
    is_right = similarity >= SIMILAR
    says = f"The cosine of response and “{expected}” is {similarity:.3f}; {SIMILAR} or more is correct."
    return Score(
        score=float(is_right), category="correct" if is_right else "wrong", scorer="semantic", explanation=says
    )


async def _judged(trial: Trial, response: str, borrowed: Borrowed) -> Score:
    expected = ", ".join(trial.expected)
    if not response.strip():
        return Score(score=0.0, category="empty", scorer="llm_judge", explanation="The response is empty.")
    if borrowed.judge is None:
        return failed("llm_judge", "judge_missing", "There is no judge to ask.")
    question = Question(text=trial.question, space="", reference=expected)
    try:
        reply = await borrowed.judge.decide(RUBRIC, Case(question=question, answer=Answer(text=response)))
    except JudgeFailed as problem:
        return failed("llm_judge", problem.code, problem.message)
    said = str(reply.get("verdict", "")).strip()
    is_right = yes(said)
    if is_right is None:
        return failed("llm_judge", "judge_malformed", f"The judge said neither YES nor NO: {said[:200]!r}.")
    return Score(
        score=float(is_right), category="correct" if is_right else "wrong", scorer="llm_judge",
        explanation=f"The judge says: {said}",
    )  # fmt: skip


def yes(said: str) -> bool | None:
    """Return whether a judge's reply begins with YES (True) or NO (False) as a word, in any marks; else None."""
    found = re.match(r"[\W_]*(yes|no)(?![^\W_]|['’-]\w)", said, re.IGNORECASE)
    return found[1].lower() == "yes" if found else None


def failed(scorer: str, code: str, says: str) -> Score:
    """Return that a response could not be judged; it is counted apart, never as wrong."""
    return Score(score=None, category="failed", scorer=scorer, explanation=says, code=code)
