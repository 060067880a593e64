"""Two runs side by side."""

from io import BytesIO
from typing import Any

import pytest

from service.runs import Comparison, Outcome, Side, compare, comparison_workbook

SAME = {"Judge": "llm m", "embedding.threshold (Law)": "0.92"}


def rows(text: str, *, space: str = "Law", first: int = 2, **changes: Any) -> tuple[Outcome, ...]:
    """Return a row a letter: p passed, d deviates, x was not judged; questions are numbered from `first`."""
    passes = {"p": True, "d": False, "x": None}
    return tuple(
        Outcome(
            **{
                "number": number,
                "space": space,
                "question": f"Question {number}?",
                "reference": "R",
                "passes": passes[letter],
                "code": "judge_malformed" if letter == "x" else "",
                **changes,
            }
        )
        for number, letter in enumerate(text, start=first)
    )


def side(*outcomes: Outcome, name: str = "A.xlsx", setup: dict[str, str] = SAME) -> Side:
    """Return a side that was judged as usual."""
    return Side(name=name, run="r", outcomes=outcomes, setup=setup)


def compared(a: str, b: str) -> Comparison:
    """Compare rows written as letters."""
    return compare(side(*rows(a)), side(*rows(b), name="B.xlsx"))


TRENDS = [
    ("pppppp", "dddddd", "worse", 0.031),
    ("dddddd", "pppppp", "better", 0.031),
    ("pppppppppd", "dddddddddp", "worse", 0.021),
    ("ppppppppdd", "ddddddddpp", "no evidence", 0.109),
    ("ppppp", "ddddd", "no evidence", 0.0625),
    ("pdpd", "pdpd", "no evidence", 1.0),
]


@pytest.mark.parametrize(("a", "b", "trend", "p"), TRENDS)
def test_a_verdict_needs_more_than_chance(a: str, b: str, trend: str, p: float) -> None:
    """Six rows that all changed for the worse are evidence, eight against two are not."""
    found = compared(a, b)
    assert (found.total.trend, found.total.p) == (trend, pytest.approx(p, abs=5e-4))
    assert found.verdict.startswith(trend.capitalize())
    assert f"p = {p:.3f}" in found.verdict or p == 0.0625


def test_rates_stand_by_space_with_their_intervals() -> None:
    """Rows that were not judged, and rows without a benchmark answer, are in no rate and in no pair."""
    a = (*rows("ppdx"), *rows("p", space="Tax", first=20), *rows("p", first=30, reference=" "))
    b = (*rows("pddp"), *rows("d", space="tax ", first=20), *rows("d", first=30, reference=""))
    found = compare(side(*a), side(*b))
    law = next(each for each in found.spaces if each.space == "Law")
    assert (law.a.passed, law.a.compared, law.b.passed, law.b.compared) == (2, 3, 2, 4)
    assert (law.paired, law.worse, law.better) == (3, 1, 0)
    assert law.a.low == pytest.approx(0.208, abs=5e-4)
    assert (found.total.paired, found.total.worse) == (4, 2)
    assert "1 row was judged on one side only" in found.warnings[0]


def test_rows_are_joined_by_question_and_space_and_not_by_place() -> None:
    """Sorted otherwise, with other white space and case, a row is the same; in another space it is not."""
    a = [*rows("p", question="What  is it?", first=2), *rows("p", question="And then?", first=3)]
    b = [*rows("d", question="And then?", first=2), *rows("p", question="what is IT?", space=" LAW", first=9)]
    found = compare(side(*a), side(*b))
    assert [(change.kind, change.a.number, change.b.number) for change in found.changes if change.a and change.b] == [
        ("worse", 3, 2)
    ]
    other = compare(side(*rows("p")), side(*rows("p", space="Tax")))
    assert [change.kind for change in other.changes] == ["new", "lost"]


def test_a_question_asked_twice_is_joined_by_its_id_and_then_in_order() -> None:
    """No row is paired with two others."""
    a = [*rows("p", question="q", id="1"), *rows("d", question="q", id="2", first=3), *rows("p", question="q", first=4)]
    b = [
        *rows("d", question="q", id="2", first=2),
        *rows("p", question="q", id="9", first=3),
        *rows("p", question="q", first=4),
        *rows("p", question="q", first=5),
    ]
    found = compare(side(*a), side(*b))
    assert (found.total.paired, found.total.worse, found.total.better) == (3, 0, 0)
    assert [(change.kind, change.b.number) for change in found.changes if change.b] == [("new", 5)]


def test_what_changed_is_told_by_kind() -> None:
    """New and lost rows, rows that lost their verdict, and rows whose benchmark answer is another."""
    a = (*rows("pdxp"), *rows("p", first=50), *rows("p", first=60))
    b = (*rows("dppx"), *rows("p", first=50, reference="Other"), *rows("p", first=70))
    found = compare(side(*a), side(*b))
    assert [change.kind for change in found.changes] == [
        "worse",
        "better",
        "judged",
        "unjudged",
        "reference",
        "new",
        "lost",
    ]
    assert found.total.paired == 2
    assert any("1 row has another benchmark answer" in warning for warning in found.warnings)


def test_a_change_against_an_answer_marked_wrong_may_be_an_improvement() -> None:
    """It is shown apart, and the verdict says so."""
    found = compare(side(*rows("pppp", correct=False)), side(*rows("dppp", correct=False)))
    assert [change.b.number for change in found.improvements if change.b] == [2]
    assert "1 of these has a benchmark answer that was marked wrong" in found.verdict
    assert compared("p", "d").improvements == ()


def test_runs_that_were_judged_otherwise_are_warned_of() -> None:
    """Another judge, embedder, rubric or threshold changes flags without any change of the answers."""
    other = {"Judge": "llm n", "embedding.threshold (Law)": "0.92", "Embedder": "e"}
    found = compare(side(*rows("p")), side(*rows("p"), setup=other))
    assert found.warnings == (
        "Judge differs: llm m in A, llm n in B. A change of the flags may come from it.",
        "Embedder differs: not recorded in A, e in B. A change of the flags may come from it.",
    )
    unknown = compare(side(*rows("p"), setup={}), side(*rows("p"), setup={}))
    assert "not recorded on both sides" in unknown.warnings[0]
    assert compared("pp", "pp").warnings == ()


def test_nothing_to_pair_is_no_evidence() -> None:
    """Two first runs, or two sets without a common question."""
    found = compare(side(*rows("pp", reference="")), side(*rows("dd", reference="")))
    assert (found.total.trend, found.total.p, found.total.a.rate) == ("no evidence", 1.0, None)
    assert found.verdict.startswith("No evidence: no row was judged against the same benchmark answer")
    assert found.changes == ()


def test_a_comparison_is_a_workbook_too() -> None:
    """Three sheets: what it says, what changed, what may be better; no text in it is a formula."""
    from openpyxl import load_workbook

    a = (*rows("p", question="=1+1", correct=False, id="7"), *rows("p", first=9))
    b = (*rows("d", question="=1+1", correct=False, id="7", flags=("contradiction", "extent"), explanation="Why."),)
    found = compare(side(*a), side(*b, name="B.xlsx", setup={"Judge": "x"}))
    book = load_workbook(BytesIO(comparison_workbook(found)))
    assert book.sheetnames == ["Comparison", "Changed", "May be better"]
    first = {row[0]: row[1:] for row in book["Comparison"].values if row[0]}
    assert first["Verdict"][0] == found.verdict
    assert first["Law"][:3] == ("2 of 2", 100, "34.2 – 100.0")
    assert first["Judge"][:2] == ("llm m", "x")
    changed = list(book["Changed"].values)
    line = dict(zip(changed[0], changed[1], strict=True))
    assert (line["Change"], line["Question"], line["Marked wrong"]) == ("deviates now", "=1+1", "yes")
    assert (line["flags in B"], line["explanation in B"], line["row in A"]) == ("contradiction, extent", "Why.", 2)
    assert book["Changed"]["D2"].data_type == "s"
    assert [row[0] for row in changed[1:]] == ["deviates now", "only in A"]
    assert len(list(book["May be better"].values)) == 2
    empty = load_workbook(BytesIO(comparison_workbook(compare(side(), side()))))
    assert [row[1] for row in empty["Comparison"].values if row[0] == "all"] == ["0 of 0"]
