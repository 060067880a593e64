"""The page in a real browser, on a run room in memory: what scripts add."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

from service.api._fakes import MemoryRuns, a_run, an_app
from service.web import install_pages

pytestmark = pytest.mark.slow

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
DROP = """(zone, name) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File(["PK workbook"], name));
  for (const kind of ["dragenter", "dragover", "drop"]) {
    zone.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }
}"""


@dataclass
class Site:
    """A served page with the run room behind it."""

    room: MemoryRuns
    url: str

    def change(self, run_id: str, **changes: Any) -> None:
        """Let a run go on."""
        self.room.known[run_id] = replace(self.room.known[run_id], **changes)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's chromium without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def site() -> Iterator[Site]:
    """The service on a free port of loopback, with nothing in it."""
    room = MemoryRuns()
    app = an_app(room)
    install_pages(app)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        thread.join(0.02)
        assert thread.is_alive()
    yield Site(room, f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}")
    server.should_exit = True
    thread.join()


@pytest.fixture
def page(chromium: Browser, site: Site) -> Iterator[Page]:
    """A fresh page; scripts that fail and content the policy blocks fail the test."""
    context = chromium.new_context(locale="en-GB", timezone_id="Europe/Zurich")
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: "Content Security Policy" in line.text and faults.append(line.text))
    yield page
    context.close()
    assert faults == []


def test_a_dropped_workbook_runs_until_it_is_ready(page: Page, site: Site) -> None:
    """Drop, report, In Progress with live counts, ready, download; the page is never reloaded."""
    page.goto(site.url)
    page.locator(".zone").evaluate(DROP, "Benchmark.xlsx")
    expect(page.locator(".report .tag")).to_have_text("started")
    expect(page.locator(".run .tag")).to_have_text("In Progress")
    page.evaluate("window.here = true")
    site.change("r1", done=12, flagged=3)
    expect(page.locator(".run-progress")).to_contain_text("12 of 25 questions")
    expect(page.locator("progress")).to_have_js_property("value", 12)
    expect(page.locator("#status")).to_have_text("Benchmark.xlsx: In Progress, 25 %")
    site.change("r1", done=25, flagged=7, errors=3, state="ready")
    expect(page.locator(".run .tag")).to_have_text("ready, 3 errors")
    expect(page.locator("#status")).to_have_text("Benchmark.xlsx: ready, 3 errors")
    assert page.evaluate("window.here")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download only the flagged rows of Benchmark.xlsx").click()
    assert download.value.path().read_bytes() == b"PK r1 flagged=True"


def test_a_quiet_page_asks_for_nothing(page: Page, site: Site) -> None:
    """Polling stops when nothing runs, and begins again with the next run."""
    site.room.known["r1"] = a_run("r1")
    asked: list[str] = []
    page.on("request", lambda request: "/fragments/" in request.url and asked.append(request.url))
    page.goto(site.url)
    page.wait_for_timeout(2500)
    assert asked == []
    page.locator(".zone").evaluate(DROP, "Second.xlsx")
    site_run = page.locator("#run-r2 .tag")
    expect(site_run).to_have_text("In Progress")
    site.change("r2", state="ready", done=25)
    expect(site_run).to_have_text("ready")


def test_one_stream_tells_every_change(page: Page, site: Site) -> None:
    """The page asks once and hears the rest; a hidden stream is not left open when the run is over."""
    site.room.known = {name: a_run(name, state="in_progress", done=1) for name in ("r1", "r2")}
    asked: list[str] = []
    page.on("request", lambda request: "/fragments/" in request.url and asked.append(request.url))
    page.goto(site.url)
    for done in (5, 9, 13):
        site.change("r1", done=done)
        expect(page.locator("#run-r1 .run-progress")).to_contain_text(f"{done} of 25 questions")
    for name in ("r1", "r2"):
        site.change(name, state="ready", done=25)
        expect(page.locator(f"#run-{name} .tag")).to_have_text("ready")
    assert asked == [f"{site.url}/fragments/runs/events"]
    page.wait_for_timeout(500)
    assert len(site.room.watches) == 0


@pytest.mark.parametrize("kept_back", [True, False], ids=["held back", "cut off"])
def test_a_page_whose_stream_does_not_come_through_asks_instead(page: Page, site: Site, kept_back: bool) -> None:
    """A proxy between them may collect the stream, or refuse it."""
    site.room.known["r1"] = a_run("r1", state="in_progress", done=1)
    page.route("**/fragments/runs/events*", lambda route: None if kept_back else route.abort())
    page.goto(site.url)
    site.change("r1", done=12)
    expect(page.locator(".run-progress")).to_contain_text("12 of 25 questions", timeout=15_000)
    site.change("r1", state="ready", done=25)
    expect(page.locator(".run .tag")).to_have_text("ready")


def test_the_file_button_works_by_keyboard(page: Page, site: Site, tmp_path: Path) -> None:
    """Skip link, brand, template, compare, how it works, then the file button."""
    workbook = tmp_path / "Mine.xlsx"
    workbook.write_bytes(b"PK mine")
    # with a listener from the beginning choosers are caught before a key is pressed, however busy the machine is
    page.on("filechooser", lambda _: None)
    page.goto(site.url)
    for _ in range(6):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "file"
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    chooser.value.set_files(workbook)
    expect(page.locator(".run h3")).to_have_text("Mine.xlsx")


def test_a_checked_workbook_is_started_from_its_report(page: Page, site: Site) -> None:
    """Only check, then run the first five with the very file that was dropped."""
    page.goto(site.url)
    page.get_by_label("Only check the file").check()
    page.locator(".zone").evaluate(DROP, "Benchmark.xlsx")
    page.get_by_role("button", name="Try the first 5").click()
    expect(page.locator(".run .tag")).to_have_text("In Progress")
    assert site.room.asked[-1][1]["options"].rows == "1-5"
    assert site.room.asked[-1][1]["content"] == b"PK workbook"


def test_a_refused_file_says_why_and_the_report_can_be_closed(page: Page, site: Site, tmp_path: Path) -> None:
    """The sentence stands where the person looks."""
    notes = tmp_path / "<b>notes.xlsx"
    notes.write_text("hello")
    page.goto(site.url)
    page.set_input_files("#file", notes)
    expect(page.locator(".report.bad")).to_contain_text("This is not an Excel workbook")
    page.get_by_role("button", name="Close the report on <b>notes.xlsx").click()
    expect(page.locator(".report")).to_have_count(0)


def test_a_file_too_large_is_not_even_sent(page: Page, site: Site) -> None:
    """The page knows the limit."""
    page.goto(site.url)
    page.evaluate("document.getElementById('drop').dataset.maxMb = 0")
    page.locator(".zone").evaluate(DROP, "Benchmark.xlsx")
    expect(page.locator(".report.bad")).to_contain_text("larger than 0 MB")
    assert site.room.asked == []


def test_an_open_dialog_stays_open_while_other_runs_change(page: Page, site: Site, tmp_path: Path) -> None:
    """Adopt a reviewed file while another run becomes ready; the dialog says what was adopted and what was kept."""
    site.room.known = {"r2": a_run("r2", state="in_progress", done=1), "r1": a_run("r1")}
    reviewed = tmp_path / "reviewed.xlsx"
    reviewed.write_bytes(b"PK reviewed")
    page.goto(site.url)
    page.locator("#run-r1").get_by_role("button", name="Adopt").click()
    dialog = page.get_by_role("dialog", name="Adopt as the next benchmark set")
    dialog.get_by_label("Your reviewed file").set_input_files(reviewed)
    site.change("r2", state="ready", done=25)
    expect(page.locator("#run-r2 .tag")).to_have_text("ready")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Adopt and download").click()
    assert download.value.suggested_filename == "Benchmark_next.xlsx"
    assert download.value.path().read_bytes() == b"PK adopted"
    assert site.room.asked[-1] == ("adopt", {"every": False, "content": b"PK reviewed"})
    expect(dialog).to_contain_text("24 adopted, 1 kept as they were")
    expect(dialog.locator("li")).to_have_text(["reviewed with no (row 4)"])


def test_deleting_asks_first(page: Page, site: Site) -> None:
    """Keep it keeps it; delete for good removes it."""
    site.room.known = {"r1": a_run("r1")}
    page.goto(site.url)
    page.get_by_role("button", name="Delete Benchmark.xlsx").click()
    page.get_by_role("button", name="Keep it").click()
    assert "r1" in site.room.known
    page.get_by_role("button", name="Delete Benchmark.xlsx").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.locator(".empty")).to_contain_text("Nothing here yet")
    assert site.room.known == {}


def test_a_run_is_cancelled_in_place(page: Page, site: Site) -> None:
    """Its tag turns, and what is there can be downloaded."""
    site.room.known = {"r1": a_run("r1", state="in_progress", done=9, flagged=2)}
    page.goto(site.url)
    page.get_by_role("button", name="Cancel Benchmark.xlsx").click()
    expect(page.locator(".run .tag")).to_have_text("cancelled")
    expect(page.get_by_role("link", name="Download Benchmark.xlsx")).to_be_visible()


def test_a_lost_service_is_said_and_found_again(page: Page, site: Site) -> None:
    """The page says so, keeps what it shows, and goes on by itself."""
    site.room.known = {"r1": a_run("r1", state="in_progress", done=9)}
    page.route("**/fragments/**", lambda route: route.abort())
    page.goto(site.url)
    expect(page.locator("#trouble")).to_contain_text("cannot be reached")
    expect(page.locator(".run .tag")).to_have_text("In Progress")
    page.unroute("**/fragments/**")
    site.change("r1", state="ready", done=25)
    expect(page.locator(".run .tag")).to_have_text("ready", timeout=15000)
    expect(page.locator("#trouble")).to_be_hidden()


def test_times_are_those_of_the_person(page: Page, site: Site) -> None:
    """Noon in UTC is one o'clock in Zurich."""
    site.room.known = {"r1": a_run("r1")}
    page.goto(site.url)
    expect(page.locator(".run time")).to_have_text("2 Mar 2026, 13:00")


def test_everything_works_without_scripts(chromium: Browser, site: Site, tmp_path: Path) -> None:
    """Choose, upload, see the report and the run; cancel; adopt as a plain download."""
    workbook = tmp_path / "Plain.xlsx"
    workbook.write_bytes(b"PK plain")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site.url)
    page.set_input_files("#file", workbook)
    page.get_by_role("button", name="Upload").click()
    expect(page.locator(".report .tag")).to_have_text("started")
    page.get_by_role("button", name="Cancel Plain.xlsx").click()
    expect(page.locator(".run .tag")).to_have_text("cancelled")
    site.change("r1", state="ready", done=25)
    page.goto(site.url)
    page.get_by_role("button", name="Adopt the answers of Plain.xlsx").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Adopt and download").click()
    assert download.value.path().read_bytes() == b"PK adopted"
    context.close()


@pytest.mark.parametrize("width", [320, 375, 768, 1280])
def test_nothing_runs_off_a_narrow_screen(chromium: Browser, site: Site, width: int) -> None:
    """Also with a long name and many flags."""
    flags = {name: 100 for name in ("embedding", "contradiction", "extent", "hallucination", "source", "module")}
    site.room.known = {"r1": a_run("r1", name="x" * 200 + ".xlsx", counts=flags, errors=4)}
    page = chromium.new_page(viewport={"width": width, "height": 800})
    page.goto(site.url)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()
