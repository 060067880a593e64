"""Which rows a person should look at first."""

import pytest

from flags import APPROVED, Verdict, audit_sample, label, severity

YES, NO = Verdict.given(True), Verdict.given(False)
MISSING = Verdict.given(True, "missing: the fee")
EXTRA = Verdict.given(True, "extra: a tip")
FAILED = Verdict.given(True, "NOT JUDGED x", code="judge_malformed")

IN_ORDER = [
    ("meaning", "contradiction", {"contradiction": YES, "hallucination": YES, "final": YES}),
    ("meaning", "contradiction", {"contradiction": YES, "final": YES}),
    ("meaning", "hallucination", {"hallucination": YES, "embedding": YES, "final": YES}),
    ("content", "extent", {"extent": MISSING, "final": YES}),
    ("content", "relation", {"relation": YES, "final": YES}),
    ("content", "extent", {"extent": EXTRA, "final": YES}),
    ("content", "tone", {"tone": YES, "source": YES, "final": YES}),
    ("content", "", {"contradiction": NO, "final": YES}),
    ("sources", "source", {"source": YES, "module": YES, "final": YES}),
    ("sources", "module", {"module": YES, "embedding": YES, "final": YES}),
    ("similarity", "embedding", {"embedding": YES, "contradiction": NO, "final": YES}),
    ("not judged", "", {"contradiction": YES, "final": FAILED}),
    ("approved", "contradiction", {"contradiction": YES, APPROVED: NO, "final": YES}),
    ("clear", "", {"embedding": YES, "final": NO}),
    ("open", "", {}),
]


def test_rows_stand_from_the_heaviest_finding_to_none() -> None:
    """What is wrong goes before what is missing, that before sources, and similarity alone comes last."""
    found = [severity(verdicts) for _, _, verdicts in IN_ORDER]
    assert [(each.level, each.finding) for each in found] == [(level, finding) for level, finding, _ in IN_ORDER]
    assert found == sorted(found)
    assert len(set(found)) == len(found)


def test_flags_that_do_not_count_make_no_row_urgent() -> None:
    """The row stands where the flags that decide put it."""
    verdicts = {"contradiction": YES, "source": YES, "final": YES}
    assert severity(verdicts, ("source", "embedding")).level == "sources"


@pytest.mark.parametrize(("flag", "said"), [("source", "Sources"), ("tone", "Tone"), ("extent", "Extent")])
def test_a_finding_has_a_name_for_people(flag: str, said: str) -> None:
    """Also one that is not listed."""
    assert label(flag) == said


def test_the_audit_sample_is_the_same_whenever_it_is_drawn() -> None:
    """The order of the rows does not matter, and a row less changes it by that row alone."""
    drawn = audit_sample("run", range(100), 10)
    assert len(drawn) == 10
    assert drawn == audit_sample("run", reversed(range(100)), 10)
    left = audit_sample("run", (row for row in range(100) if row != drawn[0]), 10)
    assert set(drawn) - set(left) == {drawn[0]}
    assert audit_sample("other run", range(100), 10) != drawn
    assert audit_sample("run", [3, 2], 10) == (2, 3)
    assert audit_sample("run", [3, 2], -1) == ()


def test_every_row_is_as_likely_to_be_in_the_audit_sample() -> None:
    """Over many runs each row is drawn about as often."""
    counts = dict.fromkeys(range(20), 0)
    for run in range(2000):
        for row in audit_sample(f"run {run}", range(20), 5):
            counts[row] += 1
    assert all(400 < count < 600 for count in counts.values())
