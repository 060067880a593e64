"""Contradiction, extent, relation and hallucination: what becomes of a judge's reply."""

from collections.abc import Callable
from typing import Any

import pytest

from flags import Case, Source, Tools, Verdict, discover, evaluate
from flags._fakes import ScriptedJudge
from flags.extent import Extent

MakeCase = Callable[..., Case]
MakeTools = Callable[..., Tools]
DOCUMENT = Source(name="A.pdf", text="The limit is 5.")


async def judged(case: Case, tools: Tools, **settings: Any) -> dict[str, Verdict]:
    """Return the verdicts of all flags."""
    return await evaluate(case, discover(settings), tools)


@pytest.mark.parametrize(
    ("flag", "rubric", "field", "said", "expected"),
    [
        ("contradiction", "contradiction", "verdict", "contradicts", (True, "because")),
        ("contradiction", "contradiction", "verdict", "agrees", (False, "because")),
        ("extent", "coverage", "extent", "equal", (False, "because")),
        ("extent", "coverage", "extent", "missing", (True, "missing: because")),
        ("extent", "coverage", "extent", "extra", (True, "extra: because")),
        ("extent", "coverage", "extent", "missing_and_extra", (True, "missing and extra: because")),
        ("relation", "coverage", "relation", "answers", (False, "because")),
        ("relation", "coverage", "relation", "does_not_answer", (True, "because")),
        ("hallucination", "hallucination", "verdict", "fully_supported", (False, "because")),
        ("hallucination", "hallucination", "verdict", "partially_supported", (True, "partially supported: because")),
        ("hallucination", "hallucination", "verdict", "not_supported", (True, "not supported: because")),
    ],
)
async def test_a_reply_becomes_a_verdict(
    flag: str, rubric: str, field: str, said: str, expected: tuple[bool, str], make_case: MakeCase, scripted: MakeTools
) -> None:
    """The choice decides, the reason is the judge's; extent and hallucination say the direction first."""
    reason = {"extent": "extent_reason", "relation": "relation_reason"}.get(field, "reason")
    tools = scripted(**{rubric: {field: said, reason: " because "}})
    verdict = (await judged(make_case("a", "b", sources=(DOCUMENT,)), tools))[flag]
    assert (verdict.value, verdict.reason) == expected


@pytest.mark.parametrize(
    ("flag", "rubric", "field", "reason"),
    [
        ("contradiction", "contradiction", "verdict", "reason"),
        ("extent", "coverage", "extent", "extent_reason"),
        ("relation", "coverage", "relation", "relation_reason"),
        ("hallucination", "hallucination", "verdict", "reason"),
    ],
)
@pytest.mark.parametrize(("why", "told"), [("Half a sentence.", "Half a sentence."), (" ", "it gave no reason")])
async def test_a_judge_that_cannot_tell_leaves_the_row_to_a_person(
    flag: str, rubric: str, field: str, reason: str, why: str, told: str, make_case: MakeCase, scripted: MakeTools
) -> None:
    """Doubt is a failure with a code of its own."""
    tools = scripted(**{rubric: {field: "cannot_tell", reason: why}})
    verdicts = await judged(make_case("a", "a", sources=(DOCUMENT,)), tools)
    assert verdicts[flag] == Verdict.failed("judge_cannot_tell", f"The judge could not tell: {told}")
    assert verdicts["final"].code == "judge_cannot_tell"


async def test_with_only_missing_an_answer_that_says_more_is_no_deviation(
    make_case: MakeCase, scripted: MakeTools
) -> None:
    """The reason still says what is extra; what is missing counts as ever."""
    for said, value in [("extra", False), ("missing", True), ("missing_and_extra", True)]:
        tools = scripted(coverage={"extent": said, "extent_reason": "x"})
        verdict = await Extent(only_missing=True)(make_case("a", "b"), tools)
        assert verdict.value is value
        assert verdict.reason.endswith("x")


async def test_a_first_run_is_judged_on_hallucination_and_relation_alone(
    make_case: MakeCase, scripted: MakeTools
) -> None:
    """Without a benchmark answer the flags that compare are not given, whatever else is known."""
    case = make_case(
        " [1] ", "b", sources=(DOCUMENT,), reference_sources=(DOCUMENT,), reference_modules=("x",), modules=("y",)
    )
    tools = scripted()
    verdicts = await judged(case, tools)
    assert {name for name, verdict in verdicts.items() if verdict.status == "given"} == {
        "hallucination",
        "relation",
        "final",
    }
    assert isinstance(tools.judge, ScriptedJudge)
    assert sorted(tools.judge.asked) == ["hallucination", "relation"]


async def test_an_empty_answer_needs_no_judge(make_case: MakeCase, scripted: MakeTools) -> None:
    """It lacks everything, answers nothing, and contradicts or invents nothing."""
    tools = scripted()
    verdicts = await judged(make_case("a", "<sup>1</sup>", sources=(DOCUMENT,)), tools)
    assert verdicts["extent"] == Verdict.given(True, "missing: the answer is empty")
    assert verdicts["relation"] == Verdict.given(True, "the answer is empty")
    assert verdicts["contradiction"] == verdicts["hallucination"] == Verdict.skipped("the answer is empty")
    assert isinstance(tools.judge, ScriptedJudge)
    assert tools.judge.asked == []


async def test_hallucination_is_not_given_without_texts(make_case: MakeCase, scripted: MakeTools) -> None:
    """A source's name supports nothing and refutes nothing."""
    verdict = (await judged(make_case("a", "b", sources=(Source(name="A.pdf"),)), scripted()))["hallucination"]
    assert verdict.status == "skipped"
    assert verdict.reason.startswith("not given")


async def test_a_source_that_could_not_be_read_is_named(make_case: MakeCase, scripted: MakeTools) -> None:
    """An unsupported statement may stand in a document whose content is not at hand."""
    tools = scripted(hallucination={"verdict": "partially_supported", "reason": "5?"})
    case = make_case("a", "b", sources=(DOCUMENT, Source(name="B.pdf", pages="2"), Source(name="b.pdf")))
    verdict = (await judged(case, tools))["hallucination"]
    assert verdict.reason == "partially supported: 5? (not at hand: the content of B.pdf)"
