"""All flags on one case."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from flags import (
    Case,
    FlagError,
    FlagsMisconfigured,
    JudgeFailed,
    Judgement,
    Rubric,
    Tools,
    Verdict,
    discover,
    evaluate,
    unanswered,
)
from flags._fakes import ScriptedJudge

MakeCase = Callable[..., Case]
MakeTools = Callable[..., Tools]


@dataclass(frozen=True, kw_only=True)
class Says:
    """A flag that says what it heard, or raises."""

    needs: tuple[str, ...] = ()  # type: ignore[misc]
    error: Exception | None = None

    async def __call__(self, case: Case, tools: Tools) -> Verdict:
        if self.error:
            raise self.error
        return Verdict.given(False, ",".join(case.verdicts))


class CodedError(Exception):
    """An error of the service, which carries a code."""

    code = "judge_unreachable"


async def test_each_rubric_is_asked_once_a_case(make_case: MakeCase, scripted: MakeTools) -> None:
    """Extent and relation share one call; a second case is asked anew."""
    tools = scripted()
    case = make_case("a", "b")
    for _ in range(2):
        await evaluate(case, discover(), tools)
    judge = tools.judge
    assert isinstance(judge, ScriptedJudge)
    assert sorted(judge.asked) == sorted(["contradiction", "coverage"] * 2)


async def test_flags_see_the_judge_they_borrow(make_case: MakeCase, scripted: MakeTools) -> None:
    """What stands between a flag and its judge keeps the judge's name."""

    class Named(Says):
        async def __call__(self, case: Case, tools: Tools) -> Verdict:
            return Verdict.given(False, tools.judge.name)

    verdicts = await evaluate(make_case("a", "b"), {"named": Named()}, scripted())
    assert verdicts["named"].reason == "scripted"


async def test_a_flag_speaks_after_those_it_needs(make_case: MakeCase, scripted: MakeTools) -> None:
    """Needs that are not among the flags are no obstacle; `*` speaks after all others; the order given is kept."""
    flags = {
        "last": Says(needs=("*",)),
        "second": Says(needs=("first", "absent")),
        "first": Says(),
        "end": Says(needs=("*",)),
    }
    verdicts = await evaluate(make_case("a", "b"), flags, scripted())
    assert list(verdicts) == list(flags)
    assert {name: verdict.reason for name, verdict in verdicts.items()} == {
        "first": "",
        "second": "first",
        "last": "first,second",
        "end": "first,second",
    }


async def test_independent_flags_speak_at_the_same_time(make_case: MakeCase, scripted: MakeTools) -> None:
    """Two flags that wait for each other's call both finish."""
    both = asyncio.Barrier(2)

    class Meets(Says):
        async def __call__(self, case: Case, tools: Tools) -> Verdict:
            await both.wait()
            return Verdict.given(False)

    async with asyncio.timeout(5):
        verdicts = await evaluate(make_case("a", "b"), {"one": Meets(), "two": Meets()}, scripted())
    assert [verdict.status for verdict in verdicts.values()] == ["given", "given"]


async def test_flags_that_wait_for_each_other_are_refused(make_case: MakeCase, scripted: MakeTools) -> None:
    """A circle of needs is a mistake of whoever wrote the flags."""
    flags = {"a": Says(needs=("b",)), "b": Says(needs=("a",))}
    with pytest.raises(FlagsMisconfigured, match="wait for each other: a, b"):
        await evaluate(make_case("a", "b"), flags, scripted())


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        (JudgeFailed("judge_malformed", "It said nothing usable."), "judge_malformed", "It said nothing usable."),
        (CodedError("The judge is away."), "judge_unreachable", "The judge is away."),
        (FlagError("Badly set."), "flag_error", "Badly set."),
        (KeyError("secret-token"), "flag_error", "the flag failed (KeyError)"),
    ],
)
async def test_whatever_a_flag_raises_is_failed_never_false(
    error: Exception, code: str, reason: str, make_case: MakeCase, scripted: MakeTools
) -> None:
    """An unexpected error is named by its kind only: its words may hold what nobody should read."""
    flags = {**discover(), "extent": Says(error=error)}
    verdicts = await evaluate(make_case("a", "a"), flags, scripted())
    assert verdicts["extent"] == Verdict.failed(code, reason)
    assert verdicts["final"].value is True
    assert verdicts["final"].code == code
    assert verdicts["final"].reason.startswith(f"NOT JUDGED {code}: ")


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"reference_quote": "", "answer_quote": "", "reason": "", "verdict": "INCORRECT"},
        {"reference_quote": "", "answer_quote": "", "reason": None, "verdict": "agrees"},
    ],
)
async def test_a_silent_judge_never_turns_a_row_green(
    reply: dict[str, Any], make_case: MakeCase, agreeable: dict[str, Judgement], scripted: MakeTools
) -> None:
    """A reply without the rubric's fields and choices is a failure."""

    class Silent(ScriptedJudge):
        async def decide(self, rubric: Rubric, case: Case) -> Judgement:
            return reply if rubric.name == "contradiction" else await super().decide(rubric, case)

    tools = Tools(judge=Silent(agreeable), embedder=scripted().embedder)
    verdicts = await evaluate(make_case("a", "a"), discover(), tools)
    assert (verdicts["contradiction"].status, verdicts["contradiction"].code) == ("failed", "judge_malformed")
    assert verdicts["final"].value is True


async def test_a_failed_call_fails_all_flags_that_share_it(make_case: MakeCase, scripted: MakeTools) -> None:
    """Extent and relation stand or fall together, and the call is not repeated."""
    tools = scripted(coverage=JudgeFailed("judge_unreachable", "Away."))
    verdicts = await evaluate(make_case("a", "b"), discover(), tools)
    assert [verdicts[name].code for name in ("extent", "relation")] == ["judge_unreachable"] * 2


async def test_an_evaluation_broken_off_breaks_off_its_calls(make_case: MakeCase, scripted: MakeTools) -> None:
    """A stopped run pays for no further replies."""
    asked, broken_off = asyncio.Event(), asyncio.Event()

    class Slow(ScriptedJudge):
        async def decide(self, rubric: Rubric, case: Case) -> Judgement:
            asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                broken_off.set()
            raise AssertionError

    tools = Tools(judge=Slow({}), embedder=scripted().embedder)
    work = asyncio.create_task(evaluate(make_case("a", "b"), discover(), tools))
    await asked.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    await asyncio.wait_for(broken_off.wait(), 5)


def test_a_row_without_an_answer_is_not_judged() -> None:
    """Every flag is skipped; final is TRUE with the code, where final is among the flags."""
    verdicts = unanswered("assistant_unreachable", "It did not answer.", discover())
    assert {verdict.status for name, verdict in verdicts.items() if name != "final"} == {"skipped"}
    assert verdicts["final"].value is True
    assert verdicts["final"].code == "assistant_unreachable"
    assert verdicts["final"].reason == "NOT JUDGED assistant_unreachable: It did not answer."
    assert list(unanswered("x", "y", {"extent": Says()})) == ["extent"]


async def test_verdicts_given_before_are_heard(make_case: MakeCase, scripted: MakeTools) -> None:
    """A case may bring verdicts along, as when one flag is judged again."""
    case = make_case("a", "b")
    brought = Case(question=case.question, answer=case.answer, verdicts={"old": Verdict.given(False)})
    verdicts = await evaluate(brought, {"new": Says()}, scripted())
    assert verdicts["new"].reason == "old"
