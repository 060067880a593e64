"""`flagbook niah report`: from the workbook of a run to a folder of figures."""

import csv
import io
import json

import pytest

from flags.niah import Experiment
from service.workbook import Measured, Section, named_cells, plan_workbook, read, template, write_niah

CONFIG = {
    "models": ["a", "b"],
    "tasks": ["s_rt", "counting"],
    "context_lengths": [500, 1000],
    "depth_percents": [0, 100],
}


def planned(**more):
    """Return the plan of a small experiment."""
    experiment = Experiment.of({**CONFIG, **more})
    return plan_workbook({**CONFIG, **more}, list(experiment.specs()))


def finished(**more):
    """Return the plan with a result in every row but the last: those of b are wrong."""
    plan = planned(**more)
    reading = read(plan)
    told = {"category": "correct", "score": 1.0, "answer": "=1+1", "expected": ("42",), "depths": (0.031,)}
    wrong = {**told, "category": "wrong", "score": 0.0}
    results = [
        (row.number, Measured(**(told if row.question.space == "a" else wrong), prompt_tokens=510))
        for row in reading.rows[:-1]
    ]
    return write_niah(plan, results, [Section("Run", (("flagbook", "0.1.0"),))], [])


def test_a_result_becomes_a_folder_of_figures(desk, tmp_path):
    """What the command names is there, and the cells are those of the sheet, the one not asked included."""
    result, out = tmp_path / "result.xlsx", tmp_path / "report"
    result.write_bytes(finished())
    told = desk.type("niah", "report", result, "-o", out).stdout
    assert f"{len(list(out.iterdir()))} files are written; begin with {out / 'report.html'}" in told
    lines = list(csv.DictReader(io.StringIO((out / "cells.csv").read_text(encoding="utf-8-sig"))))
    assert len(lines) == len(read(planned()).rows)
    assert (lines[0]["Assistant"], lines[0]["score"], lines[0]["true_depths"]) == ("a", "1.0", "3.10")
    assert (lines[-1]["Assistant"], lines[-1]["score"]) == ("b", "")
    scores = json.loads((out / "results.json").read_bytes())["scores"]
    assert {(each["assistant"], each["mean"]["value"]) for each in scores} == {("a", 1.0), ("b", 0.0)}


def test_the_files_are_named_for_scripts(desk, tmp_path):
    """With `--json` a script learns which files there are."""
    result = tmp_path / "result.xlsx"
    result.write_bytes(finished(tasks=["s_rt"], context_lengths=[500]))
    told = json.loads(desk.type("niah", "report", result, "-o", tmp_path / "report", "--json").stdout)
    assert sorted(told["files"]) == sorted(str(path) for path in (tmp_path / "report").iterdir())


def test_the_cells_of_a_result_are_named_by_their_headers():
    """A row without a result has only what was planned."""
    cells = list(named_cells(read(finished())))
    assert (cells[0]["task"], cells[0]["prompt_tokens"], cells[0]["answer"]) == ("s_rt", 510, "=1+1")
    assert "category" not in cells[-1]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (template, "workbook_no_questions"),
        (planned, "niah_experiment_not_run"),
        (lambda: b"no", "workbook_header_missing"),
    ],
)
def test_what_holds_no_result_is_refused(desk, tmp_path, content, code):
    """Questions, a plan that was not run, and what is no workbook."""
    path = tmp_path / "given.xlsx"
    path.write_bytes(content())
    result = desk.type("niah", "report", path, "-o", tmp_path / "report", "--json")
    assert (result.exit_code, json.loads(result.stdout)["code"]) == (2, code)


def test_a_benchmark_workbook_has_no_such_report(desk, flagged, tmp_path):
    """It is told what is missing."""
    result = desk.type("niah", "report", flagged("r1"), "-o", tmp_path / "report", "--json")
    assert json.loads(result.stdout)["code"] == "niah_experiment_missing"


def test_a_folder_that_cannot_be_made_is_named(desk, tmp_path):
    """A file stands where the folder should be."""
    path = tmp_path / "result.xlsx"
    path.write_bytes(finished())
    result = desk.type("niah", "report", path, "-o", path, "--json")
    assert (result.exit_code, json.loads(result.stdout)["code"]) == (2, "output_refused")
