"""`flagbook adopt`: through the run that made the file, or from the file alone."""

import io
import json

import pytest
from openpyxl import load_workbook

from service.api._fakes import a_run
from service.cli.adopt import spans


@pytest.fixture
def home(monkeypatch, tmp_path):
    """A home that exists, as after a first run."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("FLAGBOOK_HOME", str(folder))
    return folder


def column(path, letter):
    """Return rows 2 to 4 of a column."""
    sheet = load_workbook(path).worksheets[0]
    return [sheet[f"{letter}{row}"].value for row in (2, 3, 4)]


def test_a_file_is_adopted_without_its_run(desk, flagged, tmp_path, monkeypatch):
    """New answers become benchmark answers, except those reviewed with no; nothing was opened for it."""
    monkeypatch.setenv("FLAGBOOK_HOME", str(tmp_path / "never made"))
    out = tmp_path / "next.xlsx"
    result = desk.type("adopt", flagged("r1"), "-o", out)
    assert result.exit_code == 0
    assert column(out, "E") == ["New 2.", "Old.", "New 4."]
    assert "The review says “no”. Row 3" in result.stderr
    assert "2 answers adopted, 1 rows kept" in result.stdout
    assert desk.opened == []


def test_every_answer_is_adopted_on_demand(desk, flagged, tmp_path):
    """`--all` takes also those reviewed with no."""
    out = tmp_path / "next.xlsx"
    said = json.loads(desk.type("adopt", flagged(""), "-o", out, "--all", "--json").stdout)
    assert column(out, "E") == ["New 2.", "New 3.", "New 4."]
    assert said == {"file": str(out), "adopted": 3, "kept": [], "notes": []}


def test_a_stored_run_hears_of_the_reviews(desk, flagged, tmp_path, home):
    """Where the run is known, the reviewed file goes through it."""
    desk.runs.known = {"r1": a_run("r1")}
    path, out = flagged("r1"), tmp_path / "next.xlsx"
    result = desk.type("adopt", path, "-o", out, "--all")
    assert desk.asked("adopt") == [{"every": True, "content": path.read_bytes()}]
    assert out.read_bytes() == b"PK adopted"
    assert "24 answers adopted" in result.stdout


def test_a_run_of_somewhere_else_is_adopted_from_its_file(desk, flagged, tmp_path, home):
    """A colleague's file needs no database of ours."""
    out = tmp_path / "next.xlsx"
    assert desk.type("adopt", flagged("elsewhere"), "-o", out).exit_code == 0
    assert column(out, "E") == ["New 2.", "Old.", "New 4."]


def test_the_new_file_says_where_it_comes_from(desk, flagged, tmp_path):
    """The file's properties hold the run and the person."""
    out = tmp_path / "next.xlsx"
    desk.type("adopt", flagged("r77"), "-o", out)
    [line] = [one.value for one in load_workbook(io.BytesIO(out.read_bytes())).custom_doc_props.props]
    assert "run: r77" in line


def test_a_running_run_is_not_adopted(desk, flagged, tmp_path, home):
    """One sentence, exit code 2, no file."""
    desk.runs.known = {"r1": a_run("r1", state="in_progress")}
    out = tmp_path / "next.xlsx"
    result = desk.type("adopt", flagged("r1"), "-o", out)
    assert (result.exit_code, out.exists()) == (2, False)
    assert "run_not_ready" in result.stderr


@pytest.mark.parametrize(
    ("rows", "said"), [([4], "4"), ([2, 3], "2–3"), ([2, 4, 5, 6, 9], "2, 4–6, 9"), ([2, 4], "2, 4")]
)
def test_rows_are_listed_as_people_write_them(rows, said):
    """Neighbours are drawn together."""
    assert spans(rows) == said
