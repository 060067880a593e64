"""Rubrics asked in both orders, and the version by which their wording is known."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from flags import BothOrders, Case, JudgeFailed, Judgement, Rubric, render
from flags._coverage import COVERAGE, RELATION
from flags.contradiction import RUBRIC as CONTRADICTION
from flags.hallucination import RUBRIC as HALLUCINATION

AGREES = {"reference_quote": "", "answer_quote": "", "reason": "Same.", "verdict": "agrees"}


class Ordered:
    """A judge with a reply for each order."""

    name = "ordered"

    def __init__(self, first: Judgement, turned: Judgement | Exception) -> None:
        self.replies = {False: first, True: turned}
        self.asked: list[Rubric] = []

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        self.asked.append(rubric)
        template = rubric.template
        turned = rubric.symmetric and template.index("{{ answer }}") < template.index("{{ reference }}")
        reply = self.replies[turned]
        if isinstance(reply, Exception):
            raise reply
        return reply


@pytest.fixture
def case(make_case: Callable[..., Case]) -> Case:
    """Return two answers."""
    return make_case("REF", "ANS")


async def test_what_both_orders_agree_on_is_said_as_the_first_said_it(case: Case) -> None:
    """Reasons in other words are no disagreement."""
    judge = Ordered(AGREES, {**AGREES, "reason": "No difference."})
    assert await BothOrders(judge).decide(CONTRADICTION, case) == AGREES
    assert BothOrders(judge).name == "ordered, both orders"
    assert [each.name for each in judge.asked] == ["contradiction", "contradiction"]
    assert judge.asked[0].version != judge.asked[1].version


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ("30 is not 40.", "Asked in both orders, it said “agrees” (Same) and “contradicts” (30 is not 40)."),
        ("", "Asked in both orders, it said “agrees” (Same) and “contradicts”."),
    ],
)
async def test_a_choice_that_depends_on_the_order_becomes_cannot_tell(case: Case, why: str, told: str) -> None:
    """Its reason says what was said in each order."""
    judge = Ordered(AGREES, {**AGREES, "verdict": "contradicts", "reason": why})
    reply = await BothOrders(judge).decide(CONTRADICTION, case)
    assert (reply["verdict"], reply["reason"]) == ("cannot_tell", told)


async def test_only_the_choice_that_differs_is_lost(case: Case) -> None:
    """A rubric with two verdicts keeps the one both orders agree on."""
    first = dict.fromkeys([field.name for field in COVERAGE.fields], "") | {"extent": "equal", "relation": "answers"}
    reply = await BothOrders(Ordered(first, {**first, "extent": "missing"})).decide(COVERAGE, case)
    assert (reply["extent"], reply["relation"], reply["relation_reason"]) == ("cannot_tell", "answers", "")
    assert reply["extent_reason"].startswith("Asked in both orders")


@pytest.mark.parametrize("rubric", [RELATION, HALLUCINATION], ids=lambda rubric: rubric.name)
async def test_a_question_without_two_answers_is_asked_once(case: Case, rubric: Rubric) -> None:
    """There is nothing to turn."""
    judge = Ordered(AGREES, JudgeFailed("x", "never asked"))
    assert await BothOrders(judge).decide(rubric, case) == AGREES
    assert judge.asked == [rubric]


async def test_a_failure_in_one_order_is_a_failure(case: Case) -> None:
    """Half a judgement is none."""
    with pytest.raises(JudgeFailed, match="broke off"):
        await BothOrders(Ordered(AGREES, JudgeFailed("judge_truncated", "broke off"))).decide(CONTRADICTION, case)


@pytest.mark.parametrize("rubric", [CONTRADICTION, COVERAGE], ids=lambda rubric: rubric.name)
def test_a_turned_rubric_differs_in_the_order_alone(rubric: Rubric, case: Case) -> None:
    """The same words, the new answer before the reference; turned twice it is itself."""
    straight, turned = (render(each, case, "0123456789") for each in (rubric, rubric.turned()))
    assert straight.index("REF") < straight.index("ANS")
    assert turned.index("ANS") < turned.index("REF")
    assert sorted(straight.split()) == sorted(turned.split())
    assert rubric.turned().turned() == rubric


@pytest.mark.parametrize(
    "change",
    [
        {"template": CONTRADICTION.template + " "},
        {"fields": CONTRADICTION.fields[1:]},
        {"fields": (*CONTRADICTION.fields[:-1], replace(CONTRADICTION.fields[-1], description="Otherwise."))},
        {"fields": (*CONTRADICTION.fields[:-1], replace(CONTRADICTION.fields[-1], choices=("a", "b")))},
    ],
)
def test_every_change_of_wording_is_another_version(change: dict[str, Any]) -> None:
    """So that runs judged by other words are told apart; the same words are the same version."""
    assert replace(CONTRADICTION, **change).version != CONTRADICTION.version
    assert replace(CONTRADICTION).version == CONTRADICTION.version
    assert len(CONTRADICTION.version) == 8
