"""Several answers to one question: what most of them show."""

from typing import Any

import pytest

from flags import Answer, Question, Tools, Verdict, discover, unanswered
from flags._fakes import ScriptedJudge, WordEmbedder
from service.runs._majority import settled, steadiness
from service.store import Trial

TOOLS = Tools(judge=ScriptedJudge({}), embedder=WordEmbedder())
FLAGS = {name: flag for name, flag in discover().items() if name in ("contradiction", "extent", "final")}
LETTERS = {
    "+": Verdict.given(True, "found"),
    "-": Verdict.given(False, "nothing"),
    "!": Verdict.failed("judge_malformed", "unusable"),
    ".": Verdict.skipped("no benchmark answer"),
}


def trial(number: int, contradiction: str, extent: str = "-") -> Trial:
    """Return an answer whose flags are written as letters; `x` was not answered."""
    if contradiction == "x":
        verdicts = unanswered("endpoint_timeout", "It took too long.", FLAGS)
        return Trial(trial=number, verdicts=verdicts, code="endpoint_timeout")
    code = "judge_malformed" if "!" in (contradiction, extent) else ""
    final = Verdict.given("+" in (contradiction, extent) or bool(code), "sum", code=code)
    verdicts = {"contradiction": LETTERS[contradiction], "extent": LETTERS[extent], "final": final}
    return Trial(trial=number, answer=Answer(text=f"Answer {number}"), verdicts=verdicts, code=code)


async def merged(contradiction: str, extent: str = "", **question: Any) -> tuple[Answer | None, dict[str, Verdict]]:
    """Return what trials come to, a letter each."""
    extent = extent or "-" * len(contradiction)
    trials = [
        trial(number, *letters) for number, letters in enumerate(zip(contradiction, extent, strict=True), start=1)
    ]
    return await settled(Question(text="q", space="s", reference="r", **question), trials, FLAGS, TOOLS)


MAJORITIES = [
    ("---", False, "", "stable, 0 of 3 answers deviate."),
    ("--+", False, "", "flaky, 1 of 3 answers deviate (contradiction 1)."),
    ("-++", True, "", "flaky, 2 of 3 answers deviate (contradiction 2)."),
    ("-+", True, "", "flaky, 1 of 2 answers deviate (contradiction 1)."),
    ("+++", True, "", "regressed, 3 of 3 answers deviate (contradiction 3)."),
    ("--x", False, "", "stable, 0 of 2 answers deviate; 1 not answered or not judged."),
    ("-xx", None, "endpoint_timeout", "stable, 0 of 1 answers deviate; 2 not answered or not judged."),
    ("-!!", None, "judge_malformed", "stable, 0 of 1 answers deviate; 2 not answered or not judged."),
    ("-!", None, "judge_malformed", "stable, 0 of 1 answers deviate; 1 not answered or not judged."),
    ("--++!", True, "", "flaky, 2 of 4 answers deviate (contradiction 2); 1 not answered or not judged."),
    ("xx", None, "endpoint_timeout", "Asked 2 times; 2 not answered or not judged."),
]


@pytest.mark.parametrize(("letters", "value", "code", "told"), MAJORITIES)
async def test_a_flag_is_false_only_where_most_answers_say_so(
    letters: str, value: bool | None, code: str, told: str
) -> None:
    """A tie is a finding; what failed or was not answered is never taken for FALSE; the spread is told."""
    _, verdicts = await merged(letters)
    if letters != "xx":
        assert verdicts["contradiction"].value is value
    assert verdicts["final"].value is (value is not False)
    assert verdicts["final"].code == code
    assert verdicts["final"].reason.endswith(told)
    assert verdicts["final"].reason.startswith(f"NOT JUDGED {code}") == bool(code)


async def test_the_answer_shown_is_one_of_the_majority() -> None:
    """Its reasons are shown, and all answers stand in the technical record."""
    answer, verdicts = await merged("+--", "---")
    assert answer is not None
    assert answer.text == "Answer 2"
    assert answer.messages["trials"] == [
        {"answer": "Answer 1", "deviates": True, "code": ""},
        {"answer": "Answer 2", "deviates": False, "code": ""},
        {"answer": "Answer 3", "deviates": False, "code": ""},
    ]
    assert verdicts["contradiction"].reason == "nothing"
    nobody, _ = await merged("xx")
    assert nobody is None


async def test_a_reason_about_another_answer_says_so() -> None:
    """The answer shown does not have every finding of the majority."""
    answer, verdicts = await merged("++-", "-++")
    assert answer is not None
    assert answer.text == "Answer 2"
    _, verdicts = await merged("+-", "-+")
    assert {verdicts["contradiction"].reason, verdicts["extent"].reason} == {"found", "(of another answer) found"}
    _, verdicts = await merged("..")
    assert verdicts["contradiction"] == LETTERS["."]


async def test_answers_that_deviate_each_in_its_own_way_deviate() -> None:
    """No flag has a majority, but most answers are not as they should be."""
    _, verdicts = await merged("+--", "-+-")
    assert (verdicts["contradiction"].value, verdicts["extent"].value) == (False, False)
    assert verdicts["final"].value is True
    assert verdicts["final"].reason.startswith(
        "Most answers deviate, though no flag does in most of them. Asked 3 times"
    )


@pytest.mark.parametrize(
    ("letters", "steady"), [("--", "stable"), ("-+", "flaky"), ("++", "regressed"), ("x+", "regressed"), ("x!", None)]
)
def test_a_question_is_stable_flaky_or_regressed(letters: str, steady: str | None) -> None:
    """By the answers that were judged."""
    assert steadiness([trial(number, letter) for number, letter in enumerate(letters)]) == steady
