"""The demo's workbook in an office program: what it shows is what the database holds, and the rest is untouched."""

import asyncio
import hashlib
import io
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from openpyxl import load_workbook

from flags import format_sources
from service.app import open_service
from service.cli._door import local_user
from service.cli._examples import sealed_settings
from service.workbook.columns import COLUMNS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
YES_NO = {True: "yes", False: "no", None: None}
MAY_CHANGE = {"[Content_Types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder in which `flagbook demo` was run."""
    folder = tmp_path_factory.mktemp("demo")
    subprocess.run([sys.executable, "-m", "service", "demo", "--out", str(folder)], cwd=ROOT, check=True, timeout=600)
    return folder


def stored_rows(folder):
    """Return the rows of the demo's only run, from its database."""

    async def read():
        settings = sealed_settings(home=folder / "home", spaces=EXAMPLES / "spaces.yaml", judge="local")
        async with open_service(settings, executor="reader") as service:
            [run] = await service.runs.list(user=local_user())
            return await service.runs.rows(run.id, user=local_user())

    return asyncio.run(read())


def shown_by_office(path, folder):
    """Return the benchmark sheet's rows by header, as LibreOffice reads and saves them."""
    office = shutil.which("soffice")
    assert office, "LibreOffice is needed (soffice)"
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    words = [office, profile, "--headless", "--convert-to", "ods", "--outdir", str(folder / "ods"), str(path)]
    subprocess.run(words, check=True, capture_output=True, timeout=180)
    words[4:] = ["xlsx", "--outdir", str(folder / "office"), str(folder / "ods" / f"{path.stem}.ods")]
    subprocess.run(words, check=True, capture_output=True, timeout=180)
    sheet = load_workbook(folder / "office" / path.name, data_only=True)["Benchmark"]
    header, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(header, row, strict=True)) for row in rows if row[1]]


def as_cells(row):
    """Return what the columns A to AB must show of a stored row, flags aside."""
    answered = row.answer is not None
    return {
        "id": int(row.id),
        "Question": row.question,
        "Assistant": row.space,
        "correct_benchmark": YES_NO[row.correct],
        "answer_benchmark": row.reference or None,
        "modules_benchmark": "\n".join(row.reference_modules) or None,
        "followup_benchmark": row.reference_followup,
        "chatMessages_benchmark": None,
        "answer": row.answer,
        "Sources": format_sources(row.sources) or None,
        "Modules": "\n".join(row.modules) or None,
        "Followup": bool(row.followup) if answered else None,
        "explanation": row.explanation or None,
        "human_review_answer_correct": YES_NO[row.review],
        **flag_cells(row.verdicts),
    }


def flag_cells(verdicts):
    """Return what the columns of the flags must show."""
    cells = {}
    for column in COLUMNS:
        flag, part = column.verdict
        if flag:
            verdict = verdicts[flag]
            cells[column.header] = getattr(verdict, part) if verdict.status == "given" else None
            if part == "reason":
                cells[column.header] = cells[column.header] or None
    return cells


def kind(value):
    """Return a cell's type as Excel knows it: true/false, number, text or empty."""
    return "number" if type(value) in (int, float) else type(value).__name__


def test_the_office_program_shows_what_the_database_holds(folder):
    """Values and types: TRUE is a boolean, a similarity a number, a text a text, and nothing is where nothing was."""
    rows = stored_rows(folder)
    shown = shown_by_office(folder / "Benchmark_flagged.xlsx", folder)
    assert len(rows) == len(shown) == 29
    for row, cells in zip(rows, shown, strict=True):
        for header, value in as_cells(row).items():
            same = pytest.approx(value, abs=1e-9) if isinstance(value, float) else value
            assert cells[header] == same, (row.number, header)
            assert kind(cells[header]) == kind(value), (row.number, header)
        assert json.loads(cells["ChatMessages"] or "{}") == row.messages


def test_every_other_part_of_the_file_is_byte_identical(folder):
    """Only the benchmark sheet, the sheet Run, styles and what lists them may differ."""
    before = parts((EXAMPLES / "Benchmark.xlsx").read_bytes())
    after = parts((folder / "Benchmark_flagged.xlsx").read_bytes())
    changed = {name for name, digest in before.items() if after.get(name) != digest}
    assert changed <= MAY_CHANGE | {"xl/worksheets/sheet1.xml"}
    added = set(after) - set(before)
    assert len(added) == 1, "the sheet Run is the only new part"
    assert added.pop().startswith("xl/worksheets/")


def parts(content):
    """Return the hash of each part of a workbook."""
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return {name: hashlib.sha256(package.read(name)).hexdigest() for name in package.namelist()}
