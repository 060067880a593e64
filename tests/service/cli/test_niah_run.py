"""`flagbook niah run`: from a config to a folder of figures, with nothing replaced."""

import json
import logging
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from typer.testing import CliRunner, Result

from service.cli import app
from service.cli._door import Door
from service.workbook import read

CONFIG = """
name: mine
models: [{models}]
tasks: [{tasks}]
context_lengths: [300]
depth_percents: [0, 100]
{more}
"""
SENTENCE = "The harbour of the town was rebuilt in that year, and boats came in from the islands every morning. "


class Wiki(BaseHTTPRequestHandler):
    """A Wikipedia in which every page is an article."""

    asked = 0

    def do_GET(self) -> None:
        """Answer as the API does."""
        type(self).asked += 1
        query = parse_qs(urlsplit(self.path).query)
        ids = [int(each) for each in query["pageids"][0].split("|")]
        text = "\n".join(SENTENCE * 3 + f"That was number {number}." for number in range(30))
        told = {"ns": 0, "title": "Harbour", "lastrevid": 5, "length": 9000, "extract": text}
        content = json.dumps({"query": {"pages": [{**told, "pageid": each} for each in ids]}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def wikipedia(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Wiki]]:
    """The settings lead to a Wikipedia on this machine."""
    Wiki.asked = 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Wiki)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("FLAGBOOK_WIKIPEDIA_URL", f"http://127.0.0.1:{server.server_port}/{{language}}/api")
    yield Wiki
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def typed(desk: object, tmp_path: Path, rule_assistants: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a way to type commands that reach the real service, with assistants made of rules as its spaces."""
    names = ("oracle-bare", "cut")
    spaces = "".join(
        f"- {{name: {name}, backend: openai, model: {name}, base_url: '{rule_assistants}', api_key_env: null}}\n"
        for name in names
    )
    (tmp_path / "spaces.yaml").write_text(f"spaces:\n{spaces}")
    monkeypatch.setenv("FLAGBOOK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("FLAGBOOK_SPACES", str(tmp_path / "spaces.yaml"))
    monkeypatch.setenv("FLAGBOOK_JUDGE", "local")

    def type_in(*words: object, models: str = "oracle-bare", tasks: str = "s_rt", more: str = "") -> Result:
        (tmp_path / "mine.yaml").write_text(CONFIG.format(models=models, tasks=tasks, more=more))
        # the engine's log goes to the error stream of the command before, which is closed
        logging.getLogger("dbos").handlers.clear()
        return CliRunner().invoke(app, ["niah", *map(str, words)], obj=Door())

    return type_in


def test_a_config_becomes_a_folder_with_plan_result_and_report(typed: Callable[..., Result], tmp_path: Path) -> None:
    """The scores are printed with what could not be scored, which is what the exit code 3 says."""
    out = tmp_path / "out"
    result = typed("run", tmp_path / "mine.yaml", "-o", out, models="oracle-bare, cut")
    assert result.exit_code == 3, result.output
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["oracle-bare", "s_rt", "1.000", "0.34", "–", "1.00", "excellent", "2"] in lines
    assert ["cut", "s_rt", "–", "0", "2", "cut"] in lines
    assert f"The result is {out / 'mine_result.xlsx'}" in " ".join(result.stdout.split())
    assert {"mine.xlsx", "mine_result.xlsx", "report.html", "results.json", "cells.csv"} <= {
        path.name for path in out.iterdir()
    }


def test_the_scores_are_there_for_programs(typed: Callable[..., Result], tmp_path: Path) -> None:
    """A file as the place of the result gets the workbook alone; the spread of a score is told."""
    out = tmp_path / "result.xlsx"
    result = typed("run", tmp_path / "mine.yaml", "-o", out, "--json", models="oracle-bare, cut")
    assert result.exit_code == 3, result.output
    told = json.loads(result.stdout)
    assert (told["exit_code"], told["cells"]) == (3, 4)
    right, cut = told["scores"]
    assert (right["assistant"], right["task"], right["score"], right["high"], right["trials"]) == (
        "oracle-bare",
        "s_rt",
        1.0,
        1.0,
        2,
    )
    assert (cut["score"], cut["low"], cut["trials"], cut["excluded"]) == (None, None, 0, {"cut": 2})
    assert told["codes"] == {"niah_answer_cut": 2}
    assert read(out.read_bytes()).niah.measured.keys() == {2, 3, 4, 5}  # type: ignore[union-attr]
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".xlsx"] == ["result.xlsx"]


def test_a_haystack_from_wikipedia_is_fetched_once_and_shown_by_its_name(
    typed: Callable[..., Result], wikipedia: type[Wiki], tmp_path: Path
) -> None:
    """It is imported under its key before the run; then a run, a plan and a document know it."""
    more = "haystack: {source: wikipedia, language: de, seed: 7, count: 1}"
    result = typed("run", tmp_path / "mine.yaml", "-o", tmp_path / "a.xlsx", more=more)
    assert result.exit_code == 0, result.output
    told = read((tmp_path / "a.xlsx").read_bytes()).niah.told  # type: ignore[union-attr]
    key = "wikipedia-de-7-1"
    assert told[key] in " ".join(result.stderr.split())
    asked = wikipedia.asked
    assert asked > 0
    again = typed("run", tmp_path / "mine.yaml", "-o", tmp_path / "b.xlsx", more=more)
    assert (again.exit_code, wikipedia.asked) == (0, asked)
    assert "was fetched" not in again.stderr
    shown = typed("build", "--haystack", key, "--length", 300, "--json")
    assert "The harbour of the town" in json.loads(shown.stdout)["document"]
    planned = typed("plan", tmp_path / "mine.yaml", "-o", tmp_path / "p.xlsx", more=more)
    assert f"flagbook niah corpus add {key} --wikipedia de --seed 7 --count 1" in planned.stdout


@pytest.mark.parametrize(("source", "tasks", "code"), [("wikipedia", "atc", 0), ("arxiv", "s_rt", 2)])
def test_a_haystack_is_fetched_only_where_there_is_filler(
    typed: Callable[..., Result], wikipedia: type[Wiki], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    source: str, tasks: str, code: int,
) -> None:  # fmt: skip
    """ATC has none; where nothing answers, nothing is asked and the sentence says so."""
    monkeypatch.setenv("FLAGBOOK_ARXIV_URL", "http://127.0.0.1:9/query")
    monkeypatch.setattr("service.haystacks._keep.ARXIV_PAUSE_S", 0)
    more = f"haystack: {source}"
    result = typed("run", tmp_path / "mine.yaml", "-o", tmp_path / "a.xlsx", "--json", tasks=tasks, more=more)
    told = json.loads(result.stdout)
    assert (result.exit_code, told.get("code", "")) == (code, "haystack_not_fetched" if code else "")
    assert wikipedia.asked == 0


def test_what_to_import_before_abstracts_are_searched_is_said(typed: Callable[..., Result], tmp_path: Path) -> None:
    """A plan names the command, since workers take corpora from the store alone."""
    planned = typed(
        "plan", tmp_path / "mine.yaml", "-o", tmp_path / "p.xlsx", more="haystack: {source: arxiv, count: 9}"
    )
    assert "flagbook niah corpus add arxiv-9 --arxiv --count 9" in planned.stdout
    plain = typed("plan", tmp_path / "mine.yaml", "-o", tmp_path / "p.xlsx")
    assert "corpus add" not in plain.stdout
