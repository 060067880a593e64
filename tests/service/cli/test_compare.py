"""`flagbook compare`: two files or runs, what changed, and the exit code of a gate."""

import io
import json

import pytest
from openpyxl import load_workbook

from flags import Answer, Question, Verdict
from service.api._fakes import a_run
from service.runs import Outcome
from service.workbook import Result, Section, template, write


def result(tmp_path, name, passes, judge="local 1"):
    """Write a result: a row a letter, p passed and d deviates."""
    book = load_workbook(io.BytesIO(template()))
    for number in range(2, 2 + len(passes)):
        for column, value in (("A", number), ("B", f"Question {number}?"), ("C", "HR"), ("D", "yes"), ("E", "R")):
            book.worksheets[0][f"{column}{number}"] = value
    filled = io.BytesIO()
    book.save(filled)
    results = [
        Result(
            number,
            Question(text=f"Question {number}?", space="HR", reference="R"),
            Answer(text=f"Answer {letter}."),
            {
                "contradiction": Verdict.given(letter == "d", "why"),
                "final": Verdict.given(letter == "d", "It deviates." if letter == "d" else ""),
            },
        )
        for number, letter in enumerate(passes, start=2)
    ]
    about = [Section("Run", (("Run id", name),)), Section("Judged with", (("Judge", judge),))]
    path = tmp_path / name
    path.write_bytes(write(filled.getvalue(), results, about))
    return path


@pytest.mark.parametrize(
    ("a", "b", "words", "code", "trend"),
    [
        ("pppppp", "dddddd", ("--fail-if-worse",), 1, "worse"),
        ("pppppp", "dddddd", (), 0, "worse"),
        ("pppppp", "dddddp", ("--fail-if-worse",), 0, "no evidence"),
        ("dddddd", "pppppp", ("--fail-if-worse",), 0, "better"),
    ],
)
def test_a_pipeline_stops_where_things_got_worse(desk, tmp_path, a, b, words, code, trend):
    """Six of six is evidence, five of five is none; without the option it is only told."""
    files = result(tmp_path, "a.xlsx", a), result(tmp_path, "b.xlsx", b)
    typed = desk.type("compare", *files, *words, "--json")
    assert typed.exit_code == code
    assert json.loads(typed.stdout)["total"]["trend"] == trend
    assert desk.opened == []


def test_a_person_reads_the_rows_that_changed_and_the_verdict(desk, tmp_path):
    """The comparison is also written as a workbook; what judged otherwise is told on stderr."""
    files = result(tmp_path, "a.xlsx", "ppd"), result(tmp_path, "b.xlsx", "dppp", judge="llm m")
    out = tmp_path / "out.xlsx"
    typed = desk.type("compare", *files, "-o", out)
    assert typed.exit_code == 0
    lines = [" ".join(line.split()) for line in typed.stdout.splitlines()]
    assert "deviates now Question 2? (HR, row 2)" in lines
    assert "no longer deviates Question 4? (HR, row 4)" in lines
    assert "new in B Question 5? (HR, row 5)" in lines
    assert any(line.startswith("No evidence: of 3 rows judged on both sides, 1 deviates now") for line in lines)
    assert "Judge differs: local 1 in A, llm m in B." in typed.stderr
    assert load_workbook(out).sheetnames == ["Comparison", "Changed", "May be better"]


def test_runs_are_compared_by_their_ids(desk, tmp_path):
    """A run that is stored here beside another, or beside a file."""
    desk.runs.known = {"r1": a_run("r1"), "r2": a_run("r2")}
    row = Outcome(number=2, space="HR", question="Question 2?", reference="R", passes=True)
    desk.runs.outcomes = {"r1": (row,), "r2": (row,)}
    assert json.loads(desk.type("compare", "r1", "r2", "--json").stdout)["total"]["paired"] == 1
    mixed = json.loads(desk.type("compare", "r1", result(tmp_path, "b.xlsx", "d"), "--json").stdout)
    assert [change["kind"] for change in mixed["changes"]] == ["worse"]


@pytest.mark.parametrize(("a", "code"), [("nobody", "run_unknown"), ("gone.xlsx", "file_unreadable")])
def test_what_is_not_there_cannot_be_compared(desk, tmp_path, a, code):
    """A name with an ending is a file, any other a run."""
    typed = desk.type("compare", a, result(tmp_path, "b.xlsx", "d"), "--json")
    assert (typed.exit_code, json.loads(typed.stdout)["code"]) == (2, code)
