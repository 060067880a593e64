"""Texts longer than the judge's window are judged in parts, and nothing is cut."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from flags import BothOrders, Case, JudgeFailed, Judgement, Rubric, Source, SplitJudge, Window, render
from flags._coverage import COVERAGE, RELATION
from flags._split import pieces
from flags.contradiction import RUBRIC as CONTRADICTION
from flags.hallucination import RUBRIC as HALLUCINATION

MakeCase = Callable[..., Case]


def count(text: str) -> int:
    """Count words."""
    return len(text.split())


def sentences(first: int, last: int, word: str = "fact") -> str:
    """Return numbered sentences of five words each."""
    return " ".join(f"This is {word} number {number}." for number in range(first, last))


class Reader:
    """A judge that answers from the parts it is given, and remembers them."""

    name = "reader"

    def __init__(self, says: Callable[[str, str, str], dict[str, str]] | None = None) -> None:
        self.says = says or (lambda answer, reference, sources: {})
        self.seen: list[Case] = []
        self.longest = 0

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        self.seen.append(case)
        self.longest = max(self.longest, count(render(rubric, case, "0" * 16)))
        sources = "\n".join(source.text for source in case.answer.sources)
        calm = {
            field.name: next((c for c in field.choices if c in ("agrees", "equal", "answers", "fully_supported")), "")
            for field in rubric.fields
        }
        return {**calm, **self.says(case.answer.text, case.question.reference, sources)}


def window(tokens: int) -> Window:
    """Return a window of words; `holds` must not take the short way by bytes for them."""
    return Window(tokens=tokens, count=count)


async def test_what_fits_is_handed_on_as_it_is(make_case: MakeCase) -> None:
    """With its sources, passages and messages."""
    reader, case = Reader(), make_case("a", "b")
    await SplitJudge(reader, window(100_000)).decide(CONTRADICTION, case)
    assert reader.seen == [case]
    assert SplitJudge(reader, window(1)).name == "reader"


@pytest.mark.parametrize("rubric", [CONTRADICTION, COVERAGE, RELATION, HALLUCINATION], ids=lambda rubric: rubric.name)
async def test_every_part_is_seen_and_no_prompt_is_longer_than_the_window(rubric: Rubric, make_case: MakeCase) -> None:
    """Each part of the answer meets each part of what it is held against."""
    reader = Reader()
    sources = (Source(name="A", text=sentences(0, 150, "source")), Source(name="B", text=sentences(150, 220, "source")))
    case = make_case(sentences(0, 120, "reference"), sentences(0, 200, "answer"), sources=sources)
    await SplitJudge(reader, window(900)).decide(rubric, case)
    assert reader.longest <= 900
    answers = {each.answer.text for each in reader.seen}
    assert numbers(answers, "answer") == set(range(200))
    if rubric in (CONTRADICTION, COVERAGE):
        others = {each.question.reference for each in reader.seen}
        assert numbers(others, "reference") == set(range(120))
    else:
        others = {"\n".join(source.text for source in each.answer.sources) for each in reader.seen}
        assert numbers(others, "source") == (set(range(220)) if rubric is HALLUCINATION else set())
    assert len(reader.seen) == len(answers) * len(others)


def numbers(texts: set[str], word: str) -> set[int]:
    """Return the numbers of the sentences in some texts."""
    return {int(number) for text in texts for number in re.findall(rf"{word} number (\d+)\.", text)}


async def test_a_contradiction_of_two_parts_is_one_of_the_answers(make_case: MakeCase) -> None:
    """Its words are quoted, and the reason says that the texts were read in parts."""

    def says(answer: str, reference: str, sources: str) -> dict[str, str]:
        if "number 80." in answer and "number 7." in reference:
            return {"verdict": "contradicts", "reason": "80 is not 7.", "answer_quote": "80", "reference_quote": "7"}
        return {"reason": "Nothing."}

    case = make_case(sentences(0, 120), sentences(0, 120))
    judge = SplitJudge(Reader(says), window(900))
    reply = await judge.decide(CONTRADICTION, case)
    parts = len(judge._judge.seen)  # type: ignore[attr-defined]
    assert reply == {
        "verdict": "contradicts",
        "reason": f"80 is not 7. (Judged in {parts} parts.)",
        "answer_quote": "80",
        "reference_quote": "7",
    }
    assert parts > 2
    both = await BothOrders(judge).decide(CONTRADICTION, case)
    assert both["verdict"] == "contradicts"


@pytest.mark.parametrize(("verdict", "merged"), [("agrees", "agrees"), ("cannot_tell", "cannot_tell")])
async def test_what_one_part_cannot_tell_the_whole_cannot(make_case: MakeCase, verdict: str, merged: str) -> None:
    """Unless another part decides it; a reason is told once."""
    reader = Reader(lambda answer, reference, sources: {"verdict": verdict if "number 80." in answer else "agrees"})
    reply = await SplitJudge(reader, window(900)).decide(CONTRADICTION, make_case("R", sentences(0, 300)))
    assert reply["verdict"] == merged


EXTENTS = [
    (lambda answer, reference: "missing" if "80." in reference else "equal", "missing"),
    (lambda answer, reference: "missing" if "80." in reference and "number 5." in answer else "equal", "equal"),
    (lambda answer, reference: "extra" if "80." in answer else "equal", "extra"),
    (lambda answer, reference: "missing_and_extra", "missing_and_extra"),
    (lambda answer, reference: "cannot_tell" if "80." in answer else "missing", "cannot_tell"),
]


@pytest.mark.parametrize(("extent", "merged"), EXTENTS)
async def test_missing_is_what_no_part_of_the_answer_covers(
    make_case: MakeCase, extent: Callable[[str, str], str], merged: str
) -> None:
    """And extra what no part of the reference has."""
    reader = Reader(lambda answer, reference, sources: {"extent": extent(answer, reference), "extent_reason": "why"})
    case = make_case(sentences(0, 120), sentences(0, 120))
    reply = await SplitJudge(reader, window(900)).decide(COVERAGE, case)
    assert reply["extent"] == merged
    assert reply["extent_reason"].startswith("why (Judged in ")
    assert reply["relation"] == "answers"


@pytest.mark.parametrize(
    ("choices", "merged"),
    [
        (("answers", "does_not_answer"), "answers"),
        (("does_not_answer", "does_not_answer"), "does_not_answer"),
        (("cannot_tell", "does_not_answer"), "cannot_tell"),
    ],
)
async def test_an_answer_answers_where_any_part_of_it_does(
    make_case: MakeCase, choices: tuple[str, str], merged: str
) -> None:
    """A long answer may begin with something else."""
    reader = Reader(lambda answer, reference, sources: {"relation": choices["number 0." not in answer]})
    reply = await SplitJudge(reader, window(700)).decide(RELATION, make_case("", sentences(0, 300)))
    assert len(reader.seen) > 1
    assert reply["relation"] == merged


def supported(answer: str, sources: str) -> str:
    """Tell whether all numbers of a part stand in its sources."""
    said, known = (set(re.findall(r"number (\d+)\.", text)) for text in (answer, sources))
    return "fully_supported" if said <= known else "partially_supported" if said & known else "not_supported"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (sentences(0, 40), "fully_supported"),
        (sentences(380, 420), "partially_supported"),
        (sentences(500, 540), "not_supported"),
        ("I am unsure.", "cannot_tell"),
    ],
)
async def test_statements_may_rest_on_sources_that_do_not_fit_together(
    make_case: MakeCase, answer: str, verdict: str
) -> None:
    """Each statement meets all sources, group by group, and is supported where one group supports it."""

    def says(part: str, reference: str, sources: str) -> dict[str, str]:
        return {"verdict": "cannot_tell" if "unsure" in part else supported(part, sources), "unsupported_quote": part}

    every_other = [number for half in (range(0, 400, 2), range(1, 400, 2)) for number in half]
    text = " ".join(f"This is fact number {number}." for number in every_other)
    reader = Reader(says)
    case = make_case("", answer, sources=(Source(name="A", text=text),))
    reply = await SplitJudge(reader, window(1000)).decide(HALLUCINATION, case)
    assert reply["verdict"] == verdict
    assert reader.longest <= 1000
    assert ("number 400." in reply["unsupported_quote"]) == (verdict == "partially_supported")


@pytest.mark.parametrize(
    ("rubric", "tokens"),
    [(CONTRADICTION, 50), (Rubric(name="own", template="{{ answer }}", fields=()), 500)],
    ids=["no room", "no rule"],
)
async def test_what_cannot_be_judged_in_parts_fails_and_is_never_cut(
    make_case: MakeCase, rubric: Rubric, tokens: int
) -> None:
    """A question longer than the window, or a rubric without a rule for parts; the judge is not asked."""
    reader = Reader()
    with pytest.raises(JudgeFailed, match="Nothing was cut") as failed:
        await SplitJudge(reader, window(tokens)).decide(rubric, make_case("R", sentences(0, 300)))
    assert (failed.value.code, reader.seen) == ("judge_text_too_long", [])


async def test_a_failure_on_a_part_is_a_failure(make_case: MakeCase) -> None:
    """A verdict on some parts is none on the whole."""

    def says(answer: str, reference: str, sources: str) -> dict[str, str]:
        raise JudgeFailed("judge_truncated", "broke off")

    with pytest.raises(JudgeFailed, match="broke off"):
        await SplitJudge(Reader(says), window(900)).decide(CONTRADICTION, make_case("R", sentences(0, 300)))


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("One. Two! Three? Four… Five\nSix", 2),
        ("word " * 50, 7),
        ("x" * 60, 9),
        ("Dr. No. " * 30, 3),
        ("", 1),
    ],
)
def test_parts_hold_every_character_of_a_text(text: str, limit: int) -> None:
    """Broken between sentences, else between words, else anywhere; white space aside nothing is lost."""

    def size(part: str) -> int:
        return len(part.split()) if " " in text else len(part) // 3

    found = pieces(text, limit, size)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(size(part) <= limit + 1 for part in found)


def test_a_text_of_few_bytes_is_not_counted() -> None:
    """Counting costs; a token is at least a byte."""

    def never(text: str) -> Any:
        raise AssertionError

    assert Window(tokens=10, count=never).holds("0123456789")
