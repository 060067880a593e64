"""Scorers that borrow a model, the formulas to the letter, and expected answers that cannot be compared."""

from typing import Any

import pytest

from flags import JudgeFailed, LocalJudge
from flags._fakes import ScriptedJudge, WordEmbedder
from flags.niah import Borrowed, ExpectedRefused, Score, Spec, Trial, score
from flags.niah._scorers import yes

NOTHING = Borrowed()


async def scored(
    response: str, *expected: str, task: str = "s_rt", borrowed: Borrowed = NOTHING, **settings: Any
) -> Score:
    """Return the score of a response under settings of the task."""
    spec = Spec(task=task, context_length=1000, parameters=settings)
    return await score(spec, Trial(question="What is it?", expected=expected), response, borrowed)


@pytest.mark.parametrize(
    ("said", "meant"),
    [("YES", True), ("**YES** it does", True), ("yes.", True), ("_Yes_", True), ("NO, it says 3", False), ("No", False),
     ("YESTERDAY it was", None), ("Nothing", None), ("", None), ("It is YES", None), ("yes-man", None)],
)  # fmt: skip
def test_a_judge_says_yes_with_the_word_alone(said: str, meant: bool | None) -> None:
    """YES in any marks is yes; a word that begins with it is not."""
    assert yes(said) is meant


@pytest.mark.parametrize(
    ("verdict", "points", "category"),
    [("**YES** it is there.", 1.0, "correct"), ("NO, it is not.", 0.0, "wrong"), ("YESTERDAY …", None, "failed")],
)
async def test_the_judge_scorer_takes_the_judges_word(verdict: str, points: float | None, category: str) -> None:
    """A clear word decides; anything else is failed, never wrong."""
    judge = ScriptedJudge({"needle": {"verdict": verdict}})
    found = await scored("It is red", "red", borrowed=Borrowed(judge=judge), scorer="llm_judge")
    assert (found.score, found.category, found.scorer) == (points, category, "llm_judge")
    assert judge.asked == ["needle"]


async def test_a_judge_that_fails_leaves_the_cell_failed() -> None:
    """Without a language model, or with one that is down, the cell says which code."""
    down = ScriptedJudge({"needle": JudgeFailed("judge_unreachable", "The judge is down.")})
    for judge, code in (
        (down, "judge_unreachable"),
        (LocalJudge(WordEmbedder()), "judge_unable"),
        (None, "judge_missing"),
    ):
        found = await scored("It is red", "red", borrowed=Borrowed(judge=judge), scorer="llm_judge")
        assert (found.score, found.category, found.code) == (None, "failed", code)


async def test_an_empty_response_is_not_put_before_the_judge() -> None:
    """There is nothing to judge in it."""
    judge = ScriptedJudge({})
    assert (await scored(" ", "red", borrowed=Borrowed(judge=judge), scorer="llm_judge")).category == "empty"
    assert judge.asked == []


@pytest.mark.parametrize(
    ("response", "points", "category"),
    [
        ("the red door", 1.0, "correct"),
        ("a blue window", 0.0, "wrong"),
        ("", 0.0, "empty"),
        ("I don't know", 0.0, "refused"),
    ],
)
async def test_the_semantic_scorer_compares_meanings(response: str, points: float, category: str) -> None:
    """A cosine of 0.8 is correct; refusals and empty responses are not compared."""
    found = await scored(response, "the red door", borrowed=Borrowed(embedder=WordEmbedder()), scorer="semantic")
    assert (found.score, found.category) == (points, category)


async def test_without_an_embedder_the_semantic_scorer_fails() -> None:
    """The cell is failed with a code that says so."""
    found = await scored("red", "red", scorer="semantic")
    assert (found.score, found.code) == (None, "embedder_missing")


@pytest.mark.parametrize(
    ("task", "response", "expected", "points"),
    [
        ("s_rt", "733", ("732",), 1.0),
        ("s_rt", "412", ("12",), 0.0),
        ("s_rt", "blue", ("12",), 0.0),
        ("s_rt", "the QR-77490", ("QR-7749",), 1.0),
        ("key_value", "not QR-77490", ("QR-7749",), 1.0),
        ("atc", "Malice", ("Alice",), 1.0),
        ("m_rs", "it is 1,240 or 5", ("1234",), 1.0),
        ("m_rs", "Zyr-77", ("Zyr-7",), 1.0),
        ("m_rt", "412 and 8910", ("412", "891"), 1.0),
        ("m_rt", "412", ("412", "891"), 0.5),
        ("counting", "9", ("10",), 0.9),
        ("counting", "none", ("10",), 0.0),
        ("conflicting", "891", ("412", "891"), 1.0),
        ("conflicting", "412 and 891", ("412", "891"), 0.0),
        ("distractor", "x7.425", ("7.42",), 1.0),
    ],
)
async def test_literal_takes_the_methodologys_formulas_to_the_letter(
    task: str, response: str, expected: tuple[str, ...], points: float
) -> None:
    """Containment for exact, 1 % for whole numbers too, the first number of the response."""
    found = await scored(response, *expected, task=task, literal=True)
    assert found.score == pytest.approx(points)
    assert "literal" in found.scorer


@pytest.mark.parametrize(
    ("settings", "response", "expected", "points"),
    [
        ({"integer_tolerance": 0.01}, "733", "732", 1.0),
        ({"tolerance": 0.0}, "733", "732.57", 0.0),
        ({"scorer": "exact"}, "412", "412", 1.0),
        ({"scorer": "exact"}, "red or blue", "red", 0.0),
        ({"scorer": "substring"}, "red or blue", "red", 1.0),
        ({"scorer": "numeric"}, "about 4.0", "4", 1.0),
        ({"scorer": "auto"}, "4", "4", 1.0),
    ],
)
async def test_settings_choose_the_scorer_and_its_tolerance(
    settings: dict[str, Any], response: str, expected: str, points: float
) -> None:
    """Each task's scorer can be changed."""
    assert (await scored(response, expected, **settings)).score == points


@pytest.mark.parametrize("task", ["m_rt", "counting", "m_rs"])
async def test_other_scorers_serve_tasks_with_rules_of_their_own(task: str) -> None:
    """A judge can be asked about every task but conflicting."""
    judge = Borrowed(judge=ScriptedJudge({"needle": {"verdict": "YES"}}))
    assert (await scored("five", "5", task=task, borrowed=judge, scorer="llm_judge")).score == 1.0
    failed = Borrowed(judge=ScriptedJudge({"needle": {"verdict": "?"}}))
    assert (await scored("five", "5", task=task, borrowed=failed, scorer="llm_judge")).score is None


@pytest.mark.parametrize("scorer", ["exact", "substring", "auto", "numeric"])
async def test_multi_retrieval_by_any_scorer(scorer: str) -> None:
    """The share of values is found by each of them; numbers by value, the rest as text."""
    expected = ("412", "7.5") if scorer == "numeric" else ("412", "QR-1234")
    found = await scored(" and ".join(expected), *expected, task="m_rt", scorer=scorer)
    assert found.score == 1.0


@pytest.mark.parametrize(
    ("task", "expected", "settings"),
    [
        ("s_rt", (".",), {}), ("s_rt", ("",), {}), ("s_rt", (), {}), ("s_rt", ("red",), {"scorer": "numeric"}),
        ("counting", ("many",), {}), ("counting", ("0",), {}), ("counting", ("2.5",), {}), ("conflicting", ("1",), {}),
        ("m_rt", ("4", "!"), {}), ("m_rs", ("…",), {}),
    ],
)  # fmt: skip
async def test_an_expected_answer_that_cannot_be_compared_is_refused(
    task: str, expected: tuple[str, ...], settings: dict[str, Any]
) -> None:
    """A full stop would be found in any response; a word is no count."""
    with pytest.raises(ExpectedRefused):
        await scored("412.", *expected, task=task, **settings)


@pytest.mark.parametrize(
    ("response", "points"),
    [
        ("Zyr-7: 412\nKor-2: 891", 1.0),
        ("Zyr-7: 891\nKor-2: 412", 0.0),
        ("Zyr-7 has 412, while Kor-2 has 891", 1.0),
        ("Zyr-7 has 891, while Kor-2 has 412", 0.0),
        ("412 for Zyr-7, 891 for Kor-2", 1.0),
        ("412\n891", 1.0),
        ("891\n412", 0.0),
        ("412, 891", 1.0),
        ("891 and 412", 0.0),
        ("Zyr-7: 412", 0.5),
        ("I saw 891 and then there was 412 somewhere; 891 it is", 1.0),
    ],
)
async def test_a_value_counts_for_the_entity_it_is_said_of(response: str, points: float) -> None:
    """Values given to the wrong entity, or in the wrong order, are not retrieved."""
    trial = Trial(
        question="- What is the span of Zyr-7?\n- What is the span of Kor-2?",
        expected=("412", "891"), known=("Zyr-7", "Kor-2", "span"), details={"entities": ("Zyr-7", "Kor-2")},
    )  # fmt: skip
    found = await score(Spec(task="m_rt", context_length=1000), trial, response, Borrowed())
    assert found.score == points, found
