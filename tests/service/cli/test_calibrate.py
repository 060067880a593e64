"""`flagbook calibrate`: a scorecard, a proposal, and settings to take over."""

import io
import json
import re

import pytest
import yaml
from openpyxl import load_workbook

from flags import Answer, Checked, Question, Verdict
from service.runs import Reviewed
from service.workbook import Result, Section, template, write


def reviewed(tmp_path, rows, name="r.xlsx"):
    """Write a reviewed result: (similarity, review, flagged) a row; rows without a flag are the audit sample."""
    book = load_workbook(io.BytesIO(template()))
    for number, (_, said, _) in enumerate(rows, start=2):
        for column, value in (("A", number), ("B", f"Question {number}?"), ("C", "HR"), ("D", "yes"), ("E", "R")):
            book.worksheets[0][f"{column}{number}"] = value
        book.worksheets[0][f"AB{number}"] = said
        book.worksheets[0][f"J{number}"] = "A."
    filled = io.BytesIO()
    book.save(filled)
    results = [
        Result(
            number,
            Question(text=f"Question {number}?", space="HR", reference="R"),
            Answer(text="A."),
            {"embedding": Verdict.given(flagged, score=score), "final": Verdict.given(flagged, "why")},
        )
        for number, (score, _, flagged) in enumerate(rows, start=2)
    ]
    audit = [(number, f"Question {number}?", "HR") for number, row in enumerate(rows, start=2) if not row[2]]
    about = [
        Section("Run", (("Run id", name),)),
        Section("Judged with", (("Embedder", "words"), ("embedding.threshold", 0.9, "HR"))),
        Section("Audit sample: rows without a flag, drawn at random", tuple(audit)),
    ]
    path = tmp_path / name
    path.write_bytes(write(filled.getvalue(), results, about))
    return path


MANY = [*([(0.85, "yes", True)] * 10), *([(0.5, "no", True)] * 10), *([(0.95, "yes", False)] * 5)]


def test_a_person_reads_how_right_each_flag_is_and_what_would_be_better(desk, tmp_path):
    """With intervals, and how many reviews it rests on; the service is not opened for files."""
    typed = desk.type("calibrate", reviewed(tmp_path, MANY))
    assert typed.exit_code == 0, typed.output
    said = " ".join(typed.stdout.split())
    assert "25 reviews of 25 judged rows, 5 of them of the audit sample" in said
    assert re.search(r"final 50 % \(\d\d–\d\d\) 100 % \(\d\d–100\) 67 % \(\d\d–\d\d\) 0\.\d\d \(", said)
    assert "HR, words: similarity 0.675 instead of 0.9: 0 rows flagged more, 10 less;" in said
    assert "of 25 reviewed rows 10 mended, 0 broken" in said
    assert desk.opened == []


def test_what_is_unknown_is_called_so(desk, tmp_path):
    """Nobody looked at rows without a flag, and there are too few reviews for a threshold."""
    rows = [(0.5, "no", True), (0.95, None, False)]
    typed = desk.type("calibrate", reviewed(tmp_path, rows))
    said = " ".join(typed.stdout.split())
    assert "final 100 % (" in said
    assert "unknown unknown unknown 1 1" in said
    assert "final, embedding: unknown: no row of the audit sample was reviewed" in said
    assert "similarity stays at 0.9: too few reviews: 10 more that say yes and 9 more that say no are needed" in said


def test_what_is_proposed_can_be_taken_over_into_the_spaces_file(desk, tmp_path):
    """Into a new file, which is never written over another."""
    out = tmp_path / "proposed.yaml"
    typed = desk.type("calibrate", reviewed(tmp_path, MANY), "--write", out)
    assert "put them into your spaces file" in " ".join(typed.stdout.split())
    assert yaml.safe_load(out.read_text()) == {"spaces": [{"name": "HR", "flags": {"embedding": {"threshold": 0.675}}}]}
    assert '# model "words"; 25 reviews; was 0.9' in out.read_text()
    again = desk.type("calibrate", reviewed(tmp_path, MANY), "--write", out)
    assert (again.exit_code, "it exists; name a new file" in " ".join(again.stderr.split())) == (2, True)


def test_where_nothing_is_proposed_the_file_says_so(desk, tmp_path):
    """An empty list, not an invented threshold."""
    out = tmp_path / "proposed.yaml"
    desk.type("calibrate", reviewed(tmp_path, MANY[:11]), "--write", out)
    assert yaml.safe_load(out.read_text()) == {"spaces": []}


def test_a_file_without_a_review_is_told(desk, tmp_path):
    """With what to do."""
    typed = desk.type("calibrate", reviewed(tmp_path, [(0.5, None, True)]), "--json")
    assert (typed.exit_code, json.loads(typed.stdout)["code"]) == (2, "reviews_missing")


@pytest.mark.parametrize("words", [("--json",), ()])
def test_without_a_file_the_reviews_in_the_service_count(desk, words):
    """Those of all runs, with notes on stderr."""
    rows = [("HR", Checked(run="r", flags={"final": True}, correct=False, score=0.5))]
    desk.runs.reviews.reviewed = [Reviewed(name="B.xlsx", rows=rows, unjudged=2)]
    typed = desk.type("calibrate", *words)
    assert typed.exit_code == 0
    assert len(desk.opened) == 1
    if words:
        assert json.loads(typed.stdout)["flags"][0]["precision"]["value"] == 1.0
    else:
        assert "2 reviews are of rows that were not judged" in " ".join(typed.stderr.split())
