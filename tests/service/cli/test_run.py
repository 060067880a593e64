"""`flagbook run`: options, results and exit codes."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from flags import Verdict
from service.api._fakes import a_run
from service.runs import Failure, RowView, RunOptions


def a_row(position, space="Travel Desk", *, flagged=False, code="", reference="r", **verdicts):
    """Return a judged row; verdicts are given by flag name as a value, or None for nothing to judge."""
    given = {
        name: Verdict.skipped("nothing") if value is None else Verdict.given(value) for name, value in verdicts.items()
    }
    return RowView(
        number=position + 1,
        position=position,
        id=str(position),
        question="?",
        space=space,
        reference=reference,
        state="failed" if code else "judged",
        verdicts={**given, "final": Verdict.given(flagged or bool(code), code=code)},
        flagged=flagged or bool(code),
        code=code,
    )


ROWS = (
    a_row(1, embedding=False, extent=False),
    a_row(2, embedding=True, extent=None, flagged=True),
    a_row(3, "Reisekosten", embedding=None, extent=None, code="space_unknown"),
)


@pytest.fixture
def benchmark(tmp_path, desk):
    """A file that looks like a workbook, on a desk with a file of spaces."""
    Path("spaces.yaml").write_text("spaces: []\n", encoding="utf-8")
    path = tmp_path / "Benchmark.xlsx"
    path.write_bytes(b"PK questions")
    return path


@pytest.fixture
def out(tmp_path):
    """A place for the result."""
    return tmp_path / "flagged.xlsx"


def test_the_workbook_comes_back_under_the_name_asked_for(desk, benchmark, out):
    """What the run room delivers stands in the file, and the person is told where."""
    result = desk.type("run", benchmark, "-o", out)
    assert (result.exit_code, out.read_bytes()) == (0, b"PK r1 flagged=False")
    assert str(out) in result.stdout
    assert benchmark.read_bytes() == b"PK questions"


def test_a_name_that_ends_in_csv_gets_the_rows(desk, benchmark, tmp_path):
    """Other tools get CSV, chosen by the file's name."""
    result = desk.type("run", benchmark, "-o", tmp_path / "rows.CSV")
    assert (result.exit_code, (tmp_path / "rows.CSV").read_bytes()) == (0, b"r1")


def test_every_option_reaches_the_run(desk, benchmark, out):
    """What is typed becomes the run's options, and the spaces file a setting."""
    words = "--judge local --judge-only --rows 1-5,8 --counts contradiction,extent --threshold 0.9 --sheet Fragen"
    flags = '{"extent": {"only_missing": true}}'
    desk.type(
        "run", benchmark, "-o", out, "--spaces", shutil.copy("spaces.yaml", "my.yaml"), "--flags", flags, *words.split()
    )
    (asked,) = desk.asked("submit")
    assert asked["options"] == RunOptions(
        judge="local",
        judge_only=True,
        rows="1-5,8",
        counts=("contradiction", "extent"),
        flags={"extent": {"only_missing": True}, "embedding": {"threshold": 0.9}},
        sheet="Fragen",
    )
    assert str(desk.opened[0].spaces) == "my.yaml"


def test_nothing_typed_leaves_everything_to_the_settings(desk, benchmark, out):
    """Defaults of the process and of the spaces stay in force."""
    desk.type("run", benchmark, "-o", out)
    assert desk.asked("submit")[0]["options"] == RunOptions()


@pytest.mark.parametrize(
    ("words", "end", "code"),
    [
        ("", {"flagged": 0}, 0),
        ("", {"flagged": 3}, 0),
        ("--fail-on-flag", {"flagged": 0}, 0),
        ("--fail-on-flag", {"flagged": 3}, 1),
        ("", {"flagged": 0, "errors": 1}, 3),
        ("--fail-on-flag", {"flagged": 3, "errors": 1}, 3),
        ("", {"state": "failed", "failure": Failure(message="It broke.", code="run_broken")}, 3),
    ],
)
def test_the_exit_code_says_how_it_ended(desk, benchmark, out, words, end, code):
    """0 done, 1 flagged when asked to fail on it, 3 when rows were not judged."""
    desk.runs.end = replace(a_run(), **end)
    assert desk.type("run", benchmark, "-o", out, *words.split()).exit_code == code
    assert out.exists()


def test_the_tables_count_flags_and_spaces(desk, benchmark, out):
    """A person sees how often each flag was TRUE, and how each space fared."""
    desk.runs.stored_rows = ROWS
    shown = desk.type("run", benchmark, "-o", out).stdout
    lines = {line.split()[0]: line.split()[1:] for line in shown.splitlines() if line.split()}
    assert lines["embedding"] == ["1", "1", "1", "0"]
    assert lines["Reisekosten"] == ["1", "0", "0", "1", "–"]
    assert lines["Travel"] == ["Desk", "2", "1", "1", "0", "50%"]
    assert "1 × space_unknown" in shown


def test_how_often_and_how_thoroughly_is_chosen(desk, benchmark, out):
    """What was taken again from an earlier run is told."""
    desk.runs.end = a_run(cached=4)
    shown = desk.type("run", benchmark, "-o", out, "--trials", 3, "--thorough").stdout
    assert desk.asked("submit")[0]["options"] == RunOptions(trials=3, thorough=True)
    assert "given before and not asked for again: 4." in " ".join(shown.split())
    assert desk.type("run", benchmark, "-o", out, "--trials", 0).exit_code == 2


def test_rows_without_a_benchmark_answer_are_in_no_pass_rate(desk, benchmark, out):
    """In a first run a row that nothing was found in has not passed; that is said."""
    desk.runs.stored_rows = (*ROWS, a_row(4, reference=""), a_row(5, reference=" ", flagged=True))
    shown = desk.type("run", benchmark, "-o", out).stdout
    lines = {line.split()[0]: line.split()[1:] for line in shown.splitlines() if line.split()}
    assert lines["Travel"] == ["Desk", "4", "1", "2", "0", "50%"]
    assert "Judged without a benchmark answer, and in no pass rate: 2." in shown
    said = json.loads(desk.type("run", benchmark, "-o", out, "--json").stdout)
    assert (said["compared"], said["unreferenced"], said["pass_rate"]) == (2, 2, 0.5)


def test_json_is_one_object_on_stdout(desk, benchmark, out):
    """A program reads the counts, the file and the exit code; rows that were not judged are in no rate."""
    desk.runs.stored_rows = ROWS
    desk.runs.end = a_run(errors=1, flagged=1)
    result = desk.type("run", benchmark, "-o", out, "--json")
    said = json.loads(result.stdout)
    assert said["exit_code"] == result.exit_code == 3
    assert (said["rows"], said["passed"], said["flagged"], said["errors"], said["pass_rate"]) == (3, 1, 1, 1, 0.5)
    assert said["flags"]["embedding"] == {"true": 1, "false": 1, "empty": 1, "failed": 0}
    assert said["spaces"]["Reisekosten"]["pass_rate"] is None
    assert said["errors_by_code"] == {"space_unknown": 1}
    assert said["file"] == str(out)


def test_control_c_stops_the_run_and_keeps_what_is_there(desk, benchmark, out):
    """The run is cancelled, the rows finished so far are written, and the exit code is the shell's for Ctrl-C."""
    desk.runs.interrupted = True
    result = desk.type("run", benchmark, "-o", out)
    assert result.exit_code == 130
    assert desk.runs.known["r1"].state == "cancelled"
    assert out.read_bytes().startswith(b"PK r1")
    assert "Stopped" in result.stderr


def test_without_any_space_nothing_is_started(desk, benchmark, out):
    """Every row would come back as not judged; judging given answers needs no space."""
    Path("spaces.yaml").unlink()
    result = desk.type("run", benchmark, "-o", out)
    assert (result.exit_code, desk.asked("submit")) == (2, [])
    assert "spaces_file_broken" in result.stderr
    assert desk.type("run", benchmark, "-o", out, "--judge-only").exit_code == 0


def test_control_c_before_the_run_started_ends_with_the_same_code(desk, benchmark, out):
    """Nothing is there to be written then."""
    desk.runs.breaks = KeyboardInterrupt()
    assert (desk.type("run", benchmark, "-o", out).exit_code, out.exists()) == (130, False)


def test_a_fault_of_ours_is_not_taken_for_a_flagged_row(desk, benchmark, out):
    """The exit code is 2 and the sentence says how to see more."""
    desk.runs.breaks = ZeroDivisionError("by zero")
    result = desk.type("run", benchmark, "-o", out, "--fail-on-flag")
    assert result.exit_code == 2
    assert "command_broke" in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["run", "{missing}", "-o", "{out}"], "file_unreadable"),
        (["run", "{benchmark}", "-o", "{benchmark}"], "output_refused"),
        (["run", "{benchmark}", "-o", "{folder}"], "output_refused"),
        (["run", "{benchmark}", "-o", "{folder}/no/such/flagged.xlsx"], "output_refused"),
        (["run", "{benchmark}", "-o", "{out}", "--flags", "threshold"], "options_refused"),
        (["run", "{benchmark}", "-o", "{out}", "--flags", "[1]"], "options_refused"),
    ],
)
def test_what_cannot_start_says_so_in_one_sentence(desk, benchmark, out, words, code):
    """The exit code is 2, nothing was asked, and the same is one JSON object for programs."""
    places = {"missing": out.with_name("nix.xlsx"), "benchmark": benchmark, "out": out, "folder": out.parent}
    words = [word.format(**places) for word in words]
    result = desk.type(*words)
    assert result.exit_code == 2
    assert f"({code})" in " ".join(result.stderr.split())
    assert "Traceback" not in result.output
    assert (json.loads(desk.type(*words, "--json").stdout)["code"], desk.asked("submit")) == (code, [])


def test_a_broken_setting_of_this_machine_is_named(desk, benchmark, out, monkeypatch):
    """A variable that cannot be read stops the command with its name."""
    monkeypatch.setenv("FLAGBOOK_PORT", "often")
    result = desk.type("run", benchmark, "-o", out)
    assert result.exit_code == 2
    assert "FLAGBOOK_PORT" in result.stderr
