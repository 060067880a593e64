"""`flagbook check`: the report for people and for programs."""

import json

import pytest

from service.runs import Columns, Remark, Report

REPORT = Report(
    sheet="Fragen",
    header_row=3,
    questions=4,
    spaces={"Travel Desk": 3, "Nobody": 1},
    columns=Columns(found={"Question": "B3"}, missing=("answer_benchmark",)),
    notes=(Remark(code="id_missing", message="Column id is empty.", cell="A5", row=5),),
    errors=(Remark(code="space_unknown", message="There is no space named “Nobody”.", cell="C7", row=7),),
)


@pytest.fixture
def benchmark(tmp_path):
    """A file that looks like a workbook."""
    path = tmp_path / "Benchmark.xlsx"
    path.write_bytes(b"PK questions")
    return path


def test_a_program_reads_what_was_understood(desk, benchmark):
    """The JSON object holds sheet, header row, questions, spaces, notes and errors; the exit code is 0."""
    desk.runs.report = REPORT
    result = desk.type("check", benchmark, "--json", "--sheet", "Fragen", "--spaces", "s.yaml")
    said = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (said["sheet"], said["header_row"], said["questions"]) == ("Fragen", 3, 4)
    assert said["spaces"] == {"Travel Desk": 3, "Nobody": 1}
    assert said["notes"] == [{"code": "id_missing", "message": "Column id is empty.", "cell": "A5", "row": 5}]
    assert said["errors"][0]["cell"] == "C7"
    assert desk.asked("check")[0]["sheet"] == "Fragen"
    assert str(desk.opened[0].spaces) == "s.yaml"


def test_a_person_reads_notes_and_errors_with_their_cells(desk, benchmark):
    """The report names sheet, spaces, cells, codes, and how many rows can be asked."""
    desk.runs.report = REPORT
    shown = " ".join(desk.type("check", benchmark).stdout.split())
    for words in ("sheet “Fragen”, headers in row 3, 4 questions", "A5: Column id is empty.", "C7: There is no space"):
        assert words in shown
    assert "3 of 4 questions can be asked" in shown
    assert "Columns that will be added: answer_benchmark" in shown


def test_a_good_workbook_is_ready_to_run(desk, benchmark):
    """Nothing wrong is said in so many words."""
    assert "Ready to run." in desk.type("check", benchmark).stdout


def test_a_refused_workbook_is_one_json_object_and_exit_code_2(desk, benchmark):
    """`{message, code, params}`, as on the wire."""
    benchmark.write_bytes(b"not a workbook")
    result = desk.type("check", benchmark, "--json")
    assert result.exit_code == 2
    assert set(json.loads(result.stdout)) == {"message", "code", "params"}
