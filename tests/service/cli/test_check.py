"""`flagbook check`: the report for people and for programs, on a workbook with good and bad rows."""

import io
import json
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

from service.workbook import template


@pytest.fixture
def benchmark(tmp_path):
    """Three questions: two to HR (one with an odd yes/no), one to a space that does not exist."""
    book = load_workbook(io.BytesIO(template()))
    sheet = book.worksheets[0]
    for number, space, correct in ((2, "HR", "no"), (3, "HR", "perhaps"), (4, "Nobody", "no")):
        for column, value in (("A", number), ("B", "Why?"), ("C", space), ("D", correct)):
            sheet[f"{column}{number}"] = value
    path = tmp_path / "Benchmark.xlsx"
    book.save(path)
    return path


@pytest.fixture
def spaces(tmp_path):
    """A file that declares HR."""
    path = tmp_path / "my_spaces.yaml"
    path.write_text("spaces:\n  - name: HR\n    backend: echo\n", encoding="utf-8")
    return path


def test_a_program_reads_what_was_understood(desk, benchmark, spaces):
    """The JSON object holds sheet, header row, questions, spaces, notes and errors; the exit code is 0."""
    result = desk.type("check", benchmark, "--json", "--spaces", spaces)
    said = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (said["sheet"], said["header_row"], said["questions"]) == ("Benchmark", 1, 3)
    assert said["spaces"] == {"HR": 2, "Nobody": 1}
    assert [(note["cell"], note["row"]) for note in said["notes"]] == [("D3", 3)]
    assert [(error["code"], error["cell"]) for error in said["errors"]] == [("space_unknown", "C4")]


def test_a_person_reads_notes_and_errors_with_their_cells(desk, benchmark, spaces):
    """The report names sheet, spaces, cells, codes, and how many rows can be asked."""
    shown = " ".join(desk.type("check", benchmark, "--spaces", spaces).stdout.split())
    for words in ("sheet “Benchmark”, headers in row 1, 3 questions", "D3 holds “perhaps”", "C4: There is no space"):
        assert words in shown
    assert "2 of 3 questions can be asked" in shown
    assert "Columns found: id in A1, Question in B1, Assistant in C1" in shown


def test_a_person_reads_which_columns_were_not_found(desk, tmp_path):
    """What is missing is named; a run adds what it fills."""
    book = Workbook()
    for row in (["Fragen (DE)", "Assistent/in"], ["Warum?", "HR"]):
        book.active.append(row)
    book.save(tmp_path / "set.xlsx")
    shown = " ".join(desk.type("check", tmp_path / "set.xlsx").stdout.split())
    assert "Columns found: Question in A1, Assistant in B1" in shown
    assert "Columns not found: id, correct_benchmark, answer_benchmark," in shown


def test_without_spaces_the_workbook_alone_is_checked(desk, benchmark):
    """Nobody can know whether the spaces exist, so none is called wrong; a note says so."""
    said = json.loads(desk.type("check", benchmark, "--json").stdout)
    assert said["errors"] == []
    assert said["notes"][-1]["code"] == "spaces_not_checked"
    assert "Ready to run." in desk.type("check", benchmark).stdout


def test_nothing_is_stored_by_a_check(desk, benchmark, spaces, tmp_path, monkeypatch):
    """No database and no folder come into being."""
    monkeypatch.setenv("FLAGBOOK_HOME", str(tmp_path / "home"))
    assert desk.type("check", benchmark, "--spaces", spaces).exit_code == 0
    assert not (tmp_path / "home").exists()


def test_a_sheet_can_be_chosen(desk, benchmark):
    """A sheet that is not there is named with those that are."""
    result = desk.type("check", benchmark, "--sheet", "Fragen", "--json")
    assert result.exit_code == 2
    assert "Fragen" in json.loads(result.stdout)["message"]


def test_a_refused_workbook_is_one_json_object_and_exit_code_2(desk, benchmark):
    """`{message, code, params}`, as on the wire."""
    benchmark.write_bytes(b"not a workbook")
    result = desk.type("check", benchmark, "--json")
    assert result.exit_code == 2
    assert set(json.loads(result.stdout)) == {"message", "code", "params"}


def test_an_estimate_is_printed_with_its_basis(desk, tmp_path):
    """Calls, tokens, cost and time, and what they rest on; as JSON on request."""
    workbook = tmp_path / "B.xlsx"
    book = Workbook()
    book.worksheets[0].append(["Question", "Assistant", "correct_benchmark", "answer_benchmark"])
    book.worksheets[0].append(["How many days?", "Law", "yes", "30 days."])
    book.save(workbook)
    Path("spaces.yaml").write_text("spaces:\n  - {name: Law, backend: openai, model: m-1}\n", encoding="utf-8")
    result = desk.type("check", workbook, "--estimate")
    assert result.exit_code == 0
    said = " ".join(result.stdout.split())
    assert "Estimate: 1 call, " in said
    assert "cost: unknown (m-1)" in said
    assert "cl100k_base" in said
    told = json.loads(desk.type("check", workbook, "--estimate", "--json").stdout)
    assert told["outlook"]["lines"][0]["model"] == "m-1"
    assert json.loads(desk.type("check", workbook, "--json").stdout)["outlook"] is None
