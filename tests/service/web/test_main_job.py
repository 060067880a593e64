"""The main job as people do it: `flagbook serve`, a browser, the demo's workbook."""

import base64
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook
from playwright.sync_api import Download, Page, expect, sync_playwright

from service.workbook.columns import COLUMNS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
WORKBOOK = ROOT / "examples" / "Benchmark.xlsx"
HEADERS = [column.header for column in COLUMNS]
PATIENCE_MS = 300_000
DROP = """(zone, content) => {
  const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], "Benchmark.xlsx"));
  for (const kind of ["dragenter", "dragover", "drop"]) {
    zone.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }
}"""


@dataclass
class Done:
    """What the browser saw and downloaded."""

    report: str
    tags: list[str]
    result: bytes
    flagged: bytes
    adopted: bytes
    outcome: str


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A home of its own, the demo's spaces, the judge that needs no key."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("FLAGBOOK_")}
    return inherited | {
        "FLAGBOOK_HOME": str(tmp_path_factory.mktemp("home")),
        "FLAGBOOK_SPACES": str(ROOT / "examples" / "spaces.yaml"),
        "FLAGBOOK_JUDGE": "local",
        "HF_HUB_OFFLINE": "1",
    }


@pytest.fixture(scope="module")
def address(environment: dict[str, str]) -> Iterator[str]:
    """The address that `flagbook serve` prints once it answers."""
    command = [sys.executable, "-m", "service", "serve", "--port", "0"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    assert found, f"serve printed {line!r}"
    yield found[0]
    process.terminate()
    # it finishes what it does, and then ends by the signal it was sent
    assert process.wait(timeout=60) in (0, -signal.SIGTERM)


@pytest.fixture(scope="module")
def done(address: str) -> Iterator[Done]:
    """Drop the demo's workbook, wait until it is ready, download it twice and adopt it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield _do_the_job(browser.new_page(), address)
        browser.close()


def _do_the_job(page: Page, address: str) -> Done:
    page.goto(address)
    page.locator(".zone").evaluate(DROP, base64.b64encode(WORKBOOK.read_bytes()).decode())
    tag = page.locator(".run .tag")
    expect(tag).to_have_text("In Progress")
    tags = [tag.inner_text()]
    report = page.locator(".report").inner_text()
    expect(tag).not_to_have_text("In Progress", timeout=PATIENCE_MS)
    tags.append(tag.inner_text())
    assert tags[1].startswith("ready"), page.locator(".run").inner_text()
    result = _download(page, "Download Benchmark.xlsx")
    flagged = _download(page, "Download only the flagged rows of Benchmark.xlsx")
    page.get_by_role("button", name="Adopt the answers of Benchmark.xlsx").click()
    with page.expect_download() as adopting:
        page.get_by_role("button", name="Adopt and download").click()
    outcome = page.locator(".outcome", has_text="was downloaded")
    return Done(report, tags, result, flagged, _content(adopting.value), outcome.inner_text())


def _download(page: Page, name: str) -> bytes:
    with page.expect_download() as downloading:
        page.get_by_role("link", name=name).click()
    return _content(downloading.value)


def _content(download: Download) -> bytes:
    assert download.suggested_filename.endswith(".xlsx")
    return download.path().read_bytes()


def opened(content: bytes) -> Workbook:
    """Return a workbook as Excel would open it."""
    return load_workbook(io.BytesIO(content))


def cells(content: bytes) -> list[dict[str, Any]]:
    """Return the rows with a question, by header; the times in column N are left out."""
    sheet = opened(content).worksheets[0]
    header, *rows = sheet.iter_rows(max_col=len(HEADERS), values_only=True)
    assert list(header) == HEADERS
    found = [dict(zip(header, row, strict=True)) for row in rows if row[HEADERS.index("Question")]]
    for row in found:
        messages = json.loads(row["ChatMessages"] or "{}")
        row["ChatMessages"] = {name: value for name, value in messages.items() if name != "seconds"}
    return found


def test_the_page_reports_and_goes_from_in_progress_to_ready(done: Done) -> None:
    """What the person sees on the way; the row with the unknown space is named and counted."""
    assert "29 questions on sheet “Benchmark”" in done.report
    assert "There is no space named “Legal Desk”" in done.report
    assert "C30" in done.report
    assert done.tags == ["In Progress", "ready, 1 error"]


def test_the_download_holds_answers_and_flags(done: Done) -> None:
    """Every row that was asked has its answer, real booleans and, where flagged, its explanation."""
    rows = cells(done.result)
    asked = [row for row in rows if row["Assistant"] != "Legal Desk"]
    assert len(rows) == 29
    assert all(row["answer"] for row in asked)
    assert {type(row["final_flag"]) for row in rows} == {bool}
    assert 5 <= sum(row["final_flag"] for row in asked) <= len(asked) - 5
    assert all(row["explanation"] for row in rows if row["final_flag"])
    lost = next(row for row in rows if row["Assistant"] == "Legal Desk")
    assert lost["explanation"].startswith("NOT JUDGED space_unknown")
    assert "Run" in opened(done.result).sheetnames


def test_the_filtered_download_shows_the_flagged_rows_alone(done: Done) -> None:
    """The same cells, with the filter set on final_flag = TRUE."""
    assert cells(done.flagged) == cells(done.result)
    sheet = opened(done.flagged).worksheets[0]
    for number, row in enumerate(cells(done.flagged), start=2):
        assert sheet.row_dimensions[number].hidden is (not row["final_flag"])


def test_the_adopted_file_is_the_next_benchmark_set(done: Done) -> None:
    """New answers stand where the accepted ones stood; the row without an answer kept what it had."""
    before = {row["id"]: row for row in cells(done.result)}
    assert "28 adopted, 1 kept" in done.outcome
    for row in cells(done.adopted):
        old = before[row["id"]]
        answer = old["answer_benchmark"] if old["Assistant"] == "Legal Desk" else old["answer"]
        assert row["answer_benchmark"] == answer
        assert [row[header] for header in HEADERS[HEADERS.index("answer") :] if row[header]] == []


def test_the_command_line_gives_the_same_cells(done: Done, environment: dict[str, str], tmp_path: Path) -> None:
    """The same workbook through `flagbook run`, beside the running service, is the same in every cell."""
    out = tmp_path / "out.xlsx"
    command = [sys.executable, "-m", "service", "run", str(WORKBOOK), "-o", str(out)]
    finished = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert finished.returncode == 3, finished.stderr
    typed, dropped = cells(out.read_bytes()), cells(done.result)
    # texts are embedded in batches as they come, and the last digits of a number depend on its batch
    similarities = [[row.pop("emb_text") or 0.0 for row in rows] for rows in (typed, dropped)]
    assert typed == dropped
    assert similarities[0] == pytest.approx(similarities[1], abs=1e-6)


def test_http_gives_the_same_file_as_the_page(done: Done, address: str) -> None:
    """A program that downloads the run gets what the browser got."""
    import httpx2

    with httpx2.Client(base_url=address.rstrip("/") + "/api/v1", timeout=60) as client:
        run = client.get("/runs").json()[-1]
        rows = client.get(f"/runs/{run['id']}/rows", params={"limit": 100}).json()
        content = client.get(f"/runs/{run['id']}/workbook").content
    assert content == done.result
    told = {str(row["id"]): (row["answer"] or None, row["flagged"]) for row in rows}
    assert told == {str(row["id"]): (row["answer"], row["final_flag"]) for row in cells(done.result)}
