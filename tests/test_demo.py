"""The demo: what comes out is what its description says, as shipped and as rewritten by seed."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from openpyxl import load_workbook

from examples.generator.company import demo_of
from examples.generator.files import write_demo
from examples.generator.row import FLAGS
from service.cli._door import Door, local_user
from service.cli._examples import sealed_settings
from service.cli._job import carry_out
from service.runs import RunOptions
from service.workbook.columns import COLUMNS

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
SHIPPED = demo_of()
VALUES = {column.verdict[0]: column.header for column in COLUMNS if column.verdict[1:] == ("value",)}


def cells(content):
    """Return the benchmark sheet's rows as dictionaries by header."""
    sheet = load_workbook(io.BytesIO(content)).worksheets[0]
    header, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(header, row, strict=True)) for row in rows if row[1]]


def flags_in(content):
    """Return each row's flags by its id."""
    return {row["id"]: {flag: row[header] for flag, header in VALUES.items()} for row in cells(content)}


def expected(demo):
    """Return each row's expected flags by its id."""
    return {number: row.expected() for number, row in enumerate(demo.rows, start=1)}


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    """`flagbook demo`, typed once: its folder and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    words = [sys.executable, "-m", "service", "demo", "--out", str(folder)]
    return folder, subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_examples_are_what_the_generator_writes(tmp_path):
    """Nobody edits the examples by hand: every file is made from the description."""
    write_demo(tmp_path, SHIPPED)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(made) > 15
    for path, content in made.items():
        assert (EXAMPLES / path).read_bytes() == content, path
    kept = {path.relative_to(EXAMPLES) for path in (EXAMPLES / "documents").rglob("*") if path.is_file()}
    assert kept == {path for path in made if path.parts[0] == "documents"}


def test_the_demo_gives_exactly_the_flags_it_describes(typed):
    """Every flag of every row, with the local judge and the packaged embedder."""
    folder, printed = typed
    assert printed.returncode == 0, printed.stderr
    assert flags_in((folder / "Benchmark_flagged.xlsx").read_bytes()) == expected(SHIPPED)


def test_the_demo_says_where_the_file_is_and_what_to_do_next(typed):
    """The tables are followed by the file and the next commands."""
    folder, printed = typed
    shown = printed.stdout
    assert str(folder / "Benchmark_flagged.xlsx") in shown
    for words in ("hallucination", "Personalhandbuch", "space_unknown", "flagbook adopt", "flagbook run"):
        assert words in shown


@pytest.mark.parametrize("flag", FLAGS)
def test_the_demo_shows_each_flag_both_ways(flag):
    """Each flag is TRUE on two rows at least, and FALSE on five."""
    values = [row.expected()[flag] for row in SHIPPED.rows]
    assert values.count(True) >= 2
    assert values.count(False) >= 5


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_another_company_gets_the_same_flags(seed, tmp_path):
    """Other names, numbers, dates and orders change no flag: nothing is tuned to the demo's wording."""
    demo = demo_of(seed)
    write_demo(tmp_path, demo)
    settings = sealed_settings(home=tmp_path / "home", spaces=tmp_path / "spaces.yaml", judge="local")
    content = (tmp_path / "Benchmark.xlsx").read_bytes()
    outcome = carry_out(
        Door(), settings, lambda runs: runs.submit(content, "Benchmark.xlsx", RunOptions(), user=local_user())
    )
    assert flags_in(outcome.content) == expected(demo)


def test_what_people_added_to_the_workbook_is_still_there(typed):
    """The owner's column, the team's sheet and its chart come back."""
    folder, _ = typed
    before = load_workbook(EXAMPLES / "Benchmark.xlsx")
    after = load_workbook(folder / "Benchmark_flagged.xlsx")
    assert [row["Owner"] for row in cells((folder / "Benchmark_flagged.xlsx").read_bytes())] == [
        row["Owner"] for row in cells((EXAMPLES / "Benchmark.xlsx").read_bytes())
    ]
    assert [list(row) for row in after["Team"].values] == [list(row) for row in before["Team"].values]
    assert len(after["Team"]._charts) == 1
