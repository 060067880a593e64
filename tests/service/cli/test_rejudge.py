"""`flagbook rejudge`: a run, a workbook that names one, a workbook that does not."""

import pytest

from service.api._fakes import a_run
from service.errors import FileOfOtherRun
from service.runs import RunOptions


@pytest.fixture
def out(tmp_path):
    """A place for the result."""
    return tmp_path / "again.xlsx"


def test_a_run_is_judged_again(desk, out):
    """Its stored answers go to the run room with the options typed."""
    desk.runs.known = {"r1": a_run("r1")}
    result = desk.type("rejudge", "r1", "-o", out, "--judge", "local", "--threshold", "0.8")
    assert result.exit_code == 0
    again = desk.runs.known["r2"]
    assert again.options == RunOptions(judge="local", flags={"embedding": {"threshold": 0.8}})
    assert out.read_bytes().startswith(b"PK r2")


def test_a_flagged_workbook_leads_to_its_run(desk, flagged, out):
    """The sheet Run names it."""
    desk.runs.known = {"r1": a_run("r1")}
    assert desk.type("rejudge", flagged("r1"), "-o", out).exit_code == 0
    assert desk.asked("submit") == []
    assert desk.asked("rejudge") == [{"content": (out.parent / "Benchmark_flagged.xlsx").read_bytes()}]
    assert out.read_bytes().startswith(b"PK r2")


@pytest.mark.parametrize(("run_id", "said"), [("elsewhere", "is not stored here"), ("", "names no run")])
def test_answers_of_the_file_are_judged_where_the_run_is_unknown(desk, flagged, out, run_id, said):
    """Nothing is asked, and the person is told."""
    result = desk.type("rejudge", flagged(run_id), "-o", out, "--counts", "extent")
    (asked,) = desk.asked("submit")
    assert asked["options"] == RunOptions(judge_only=True, counts=("extent",))
    assert said in " ".join(result.stderr.split())


def test_answers_of_a_file_whose_rows_were_moved_are_judged_where_they_stand(desk, flagged, out):
    """The run's verdicts no longer fit the rows: the file's own answers are judged, and the person is told."""
    desk.runs.known = {"r1": a_run("r1")}
    desk.runs.refusal = FileOfOtherRun(run="r1", found="row 2 holds another question")
    result = desk.type("rejudge", flagged("r1"), "-o", out)
    (asked,) = desk.asked("submit")
    assert asked["options"] == RunOptions(judge_only=True)
    assert "row 2 holds another question" in " ".join(result.stderr.split())


def test_an_unknown_run_is_refused(desk, out):
    """One sentence, exit code 2, no file."""
    result = desk.type("rejudge", "nix", "-o", out)
    assert (result.exit_code, out.exists()) == (2, False)
    assert "run_unknown" in result.stderr
