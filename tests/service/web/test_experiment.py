"""An experiment as people run it: `flagbook serve`, a browser, a workbook dropped on the page."""

import base64
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from service.runs import experiment_of, plan_experiment
from service.workbook import read

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
DROP = """(zone, content) => {
  const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], "niah.xlsx"));
  zone.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


@pytest.fixture
def address(tmp_path: Path, rule_assistants: str) -> Iterator[str]:
    """The address of a service whose space takes two seconds for a cell, one cell at a time."""
    space = (
        f"name: slow, backend: openai, model: slow, base_url: '{rule_assistants}', api_key_env: null, concurrency: 1"
    )
    (tmp_path / "spaces.yaml").write_text(f"spaces:\n- {{{space}}}\n")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("FLAGBOOK_")}
    environment = inherited | {
        "FLAGBOOK_HOME": str(tmp_path / "home"),
        "FLAGBOOK_SPACES": str(tmp_path / "spaces.yaml"),
        "FLAGBOOK_JUDGE": "local",
        "HF_HUB_OFFLINE": "1",
    }
    command = [sys.executable, "-m", "service", "serve", "--port", "0"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found
    yield found[0]
    process.terminate()
    process.wait(timeout=60)


def test_a_dropped_experiment_shows_its_progress_and_its_result_downloads(address: str, tmp_path: Path) -> None:
    """In Progress with its cells, then ready; the downloaded workbook holds the scores and the heat map."""
    config = {"models": ["slow"], "tasks": ["s_rt"], "context_lengths": [500], "depth_percents": [0, 50, 100]}
    plan = base64.b64encode(plan_experiment(experiment_of(config))).decode()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(address)
        page.locator(".zone").evaluate(DROP, plan)
        expect(page.locator(".run .tag")).to_have_text("In Progress", timeout=60_000)
        expect(page.locator(".run-progress")).to_contain_text(re.compile("[12] of 3 cells"), timeout=60_000)
        page.screenshot(path=tmp_path / "progress.png", full_page=True)
        expect(page.locator(".run .tag")).to_have_text("ready", timeout=60_000)
        page.screenshot(path=tmp_path / "ready.png", full_page=True)
        with page.expect_download() as download:
            page.locator(".run a[href$='/workbook']").first.click()
        content = download.value.path().read_bytes()
        browser.close()
    reading = read(content)
    assert reading.niah is not None
    assert [one.score for one in reading.niah.measured.values()] == [1.0, 1.0, 1.0]
    assert "Cells scored" in reading.niah.told
