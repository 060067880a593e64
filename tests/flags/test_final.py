"""Whether a person must look at the row, and why."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from flags import Case, Tools, Verdict
from flags.final import Final

MakeCase = Callable[..., Case]
MakeTools = Callable[..., Tools]
YES = {
    "contradiction": Verdict.given(True, "5 against 6"),
    "embedding": Verdict.given(True, "0.871 is below 0.92", score=0.871),
    "extent": Verdict.given(True, "missing: the date"),
    "hallucination": Verdict.given(True, "not supported: “6”"),
    "module": Verdict.given(True, "translate instead of search"),
    "relation": Verdict.given(True, "off topic!"),
    "source": Verdict.given(True, "missing: A.pdf"),
    "tone": Verdict.given(True, ""),
}
NO = {name: Verdict.given(False) for name in YES}


@pytest.fixture
def sum_up(make_case: MakeCase, scripted: MakeTools) -> Callable[..., Any]:
    """The final verdict on a case with these verdicts."""

    async def judge(
        verdicts: dict[str, Verdict], *, counts: Any = None, reference: str = "a", **question: Any
    ) -> Verdict:
        return await Final(counts=counts)(replace(make_case(reference, "b", **question), verdicts=verdicts), scripted())

    return judge


async def test_the_explanation_begins_with_the_heaviest_finding(sum_up: Callable[..., Any]) -> None:
    """Contradiction, hallucination, what is missing, relation, flags of one's own, sources, modules, similarity."""
    verdict = await sum_up(YES)
    assert verdict.value is True
    assert verdict.code == ""
    assert verdict.reason == (
        "Contradiction – 5 against 6. Hallucination – not supported: “6”. Extent – missing: the date. "
        "Relation – off topic! Tone. Sources – missing: A.pdf. Modules – translate instead of search. "
        "Similarity – 0.871 is below 0.92."
    )


async def test_what_is_extra_weighs_less_than_a_missing_answer(sum_up: Callable[..., Any]) -> None:
    """Extra content stands after relation, missing content before."""
    extra = {"extent": Verdict.given(True, "extra: a date"), "relation": Verdict.given(True, "off topic")}
    assert (await sum_up({**NO, **extra})).reason == "Relation – off topic. Extent – extra: a date."


async def test_similarity_alone_says_that_nothing_else_was_found(sum_up: Callable[..., Any]) -> None:
    """Most such rows are rephrased answers: the person should know."""
    alone = await sum_up({**NO, "embedding": YES["embedding"]})
    assert alone.reason == "Similarity – 0.871 is below 0.92. No other flag found a deviation."
    both = await sum_up({**NO, "embedding": YES["embedding"], "source": YES["source"]})
    assert "No other flag" not in both.reason


async def test_a_benchmark_marked_wrong_is_said_first(sum_up: Callable[..., Any]) -> None:
    """There a deviation may be an improvement, and no deviation is no good news."""
    deviates = await sum_up({**NO, "contradiction": YES["contradiction"]}, correct=False)
    assert deviates.reason == (
        "benchmark answer was marked wrong; a deviation may be an improvement. Contradiction – 5 against 6."
    )
    same = await sum_up({"contradiction": NO["contradiction"], "source": Verdict.skipped("none")}, correct=False)
    assert (same.value, same.reason) == (
        False,
        "benchmark answer was marked wrong, and the new answer does not deviate from it (contradiction).",
    )


async def test_a_row_without_findings_says_what_was_checked(sum_up: Callable[..., Any]) -> None:
    """A skipped flag has found nothing because it did not look."""
    clean = await sum_up({"extent": NO["extent"], "module": Verdict.skipped("unknown"), "relation": NO["relation"]})
    assert (clean.value, clean.reason) == (False, "No deviation found by extent, relation.")
    first = await sum_up({"relation": NO["relation"]}, reference="", correct=False)
    assert (first.value, first.reason) == (False, "No benchmark answer to compare with; nothing found by relation.")


async def test_a_failed_flag_makes_the_row_not_judged(sum_up: Callable[..., Any]) -> None:
    """The code comes first, what was found all the same follows."""
    away = Verdict.failed("judge_unreachable", "Away")
    verdict = await sum_up(
        {**NO, "contradiction": away, "extent": Verdict.failed("judge_cannot_tell", "Hm?"), "relation": away}
        | {"source": YES["source"]}
    )
    assert (verdict.status, verdict.value, verdict.code) == ("given", True, "judge_unreachable")
    assert verdict.reason == (
        "NOT JUDGED judge_unreachable: contradiction, relation – Away. extent – Hm? (judge_cannot_tell). "
        "Sources – missing: A.pdf."
    )


async def test_only_flags_that_count_are_heard(sum_up: Callable[..., Any]) -> None:
    """A flag taken out neither flags a row nor fails it."""
    verdicts = {**NO, "embedding": YES["embedding"], "extent": Verdict.failed("x", "y")}
    verdict = await sum_up(verdicts, counts=("contradiction", "source"))
    assert (verdict.value, verdict.reason) == (False, "No deviation found by contradiction, source.")


async def test_a_row_of_which_nothing_could_be_given_is_not_judged(sum_up: Callable[..., Any]) -> None:
    """Skipped flags are never read as FALSE."""
    verdict = await sum_up({"source": Verdict.skipped("no benchmark sources")})
    assert (verdict.value, verdict.code) == (True, "nothing_judged")


def test_a_verdict_is_not_a_bool() -> None:
    """`if verdict:` would read a failure as TRUE and a skip too."""
    with pytest.raises(TypeError, match="status"):
        bool(Verdict.given(True))
