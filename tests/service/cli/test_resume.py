"""`flagbook resume`: a run is taken up again and its workbook written."""

from service.api._fakes import a_run


def test_a_run_with_errors_is_taken_up_again(desk, tmp_path):
    """The result is written where it was asked for."""
    desk.runs.known = {"r1": a_run("r1", errors=2)}
    out = tmp_path / "out.xlsx"
    assert desk.type("resume", "r1", "-o", out).exit_code == 0
    assert out.read_bytes().startswith(b"PK r1")


def test_a_run_is_asked_again_whatever_became_of_it(desk, tmp_path):
    """All of it, or the questions named."""
    desk.runs.known = {"r1": a_run("r1", errors=0)}
    out = tmp_path / "out.xlsx"
    assert desk.type("resume", "r1", "--force", "--rows", "1-5", "-o", out).exit_code == 0
    assert desk.asked("resume") == [{"force": True, "rows": "1-5"}]


def test_a_run_without_errors_is_left_alone(desk, tmp_path):
    """One sentence, exit code 2, no file."""
    desk.runs.known = {"r1": a_run("r1", errors=0)}
    out = tmp_path / "out.xlsx"
    result = desk.type("resume", "r1", "-o", out)
    assert (result.exit_code, out.exists()) == (2, False)
    assert "run_complete" in result.stderr
