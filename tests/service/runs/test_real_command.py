"""The real command against a server that counts what it charges: limits of cost, and what stands in the log."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

pytestmark = pytest.mark.slow

PRICES = {"m": (3.0, 12.0), "gpt-4.1": (2.0, 8.0), "e": (1.0, 0.0)}
"""Invented, for a million tokens in and out."""


def charged(server: Any) -> float:
    """Return what the server charged so far."""
    told = server.stats()["charged"]
    return (
        sum(tokens_in * PRICES[m][0] + tokens_out * PRICES[m][1] for m, (tokens_in, tokens_out) in told.items()) / 1e6
    )


@pytest.fixture
def flagbook(tmp_path: Path, openai_server: Any) -> Callable[..., tuple[int, dict[str, Any]]]:
    """Return a function that runs a command in a folder with spaces and prices, and gives exit code and JSON."""
    openai_server.reset(latency_ms=20, every_429=17)
    (tmp_path / "spaces.yaml").write_text(
        f"spaces:\n  - {{name: Law, backend: openai, model: m, base_url: '{openai_server.base_url}', concurrency: 8}}\n"
    )
    lines = [f"  {model}: {{input: {price[0]}, output: {price[1]}}}" for model, price in PRICES.items()]
    (tmp_path / "prices.yaml").write_text("\n".join(["currency: EUR", "models:", *lines]))
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("FLAGBOOK_")},
        "PYTHONPATH": str(Path(__file__).parents[3]),
        "FLAGBOOK_HOME": str(tmp_path / "home"),
        "FLAGBOOK_PRICES": str(tmp_path / "prices.yaml"),
        "FLAGBOOK_JUDGE": "llm",
        "FLAGBOOK_REPLY_TOKENS": "200",
        "FLAGBOOK_JUDGE_CACHE": "false",
        "FLAGBOOK_JUDGE_BASE_URL": openai_server.base_url,
        "FLAGBOOK_EMBEDDER": "openai:e",
        "FLAGBOOK_EMBEDDER_BASE_URL": openai_server.base_url,
        "OPENAI_API_KEY": "sk-canary-key",
    }

    def run(*words: object) -> tuple[int, dict[str, Any]]:
        command = [sys.executable, "-m", "service", *map(str, words), "--json"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
        (tmp_path / "log").write_text(done.stderr)
        return done.returncode, json.loads(done.stdout)

    return run


def test_a_run_never_costs_more_than_its_limit_and_goes_on_with_a_higher_one(
    flagbook: Callable[..., tuple[int, dict[str, Any]]], tmp_path: Path, benchmark: Any, openai_server: Any
) -> None:
    """By the server's own count; nothing that was paid for is asked again, and the totals are the server's."""
    questions = [f"What does paragraph {n} say about the matter at hand?" for n in range(36)]
    rows = [(question, "Law", "yes", f"It says {n}.") for n, question in enumerate(questions)]
    (tmp_path / "B.xlsx").write_bytes(benchmark(rows))
    expected = flagbook("check", "B.xlsx", "--estimate")[1]["outlook"]
    code, whole = flagbook("run", "B.xlsx", "-o", "whole.xlsx")
    full = charged(openai_server)
    assert (code, whole["spending"]["cost"]) == (0, pytest.approx(full))
    lines = {line["caller"]: line["calls"] for line in expected["lines"]}
    assert (lines["assistants"], lines["judge"]) == (36, 72)
    assert 0.3 * full < expected["cost"] < 4 * full  # the server's tokens are four letters long, and its replies short

    limit = 0.5 * full
    openai_server.reset(latency_ms=20, every_429=17, every_500=23)
    code, told = flagbook("run", "B.xlsx", "-o", "part.xlsx", "--max-cost", limit)
    assert (code, told["state"], told["failure"]["code"]) == (3, "failed", "cost_limit_reached")
    assert 0.5 * limit < charged(openai_server) <= limit
    assert told["spending"]["cost"] == pytest.approx(charged(openai_server))
    answers = [row[9].value for row in load_workbook(BytesIO((tmp_path / "part.xlsx").read_bytes())).worksheets[0]]
    assert sum(answer is not None for answer in answers) > 6
    assert told["waiting"] > 0

    code, told = flagbook("resume", told["run"], "-o", "part.xlsx", "--max-cost", 2 * full)
    assert (code, told["state"]) == (0, "ready")
    stats = openai_server.stats()
    assert set(stats["questions"].values()) == {1}
    assert told["spending"]["cost"] == pytest.approx(charged(openai_server))


def test_the_log_names_runs_and_rows_and_holds_neither_keys_nor_texts(
    flagbook: Callable[..., tuple[int, dict[str, Any]]], tmp_path: Path, benchmark: Any, openai_server: Any
) -> None:
    """Also where calls fail, replies are malformed and a row breaks, -v tells no question, answer, reason or key."""
    questions = [f"Canary question {n}?" for n in range(6)]
    openai_server.script(
        answers={**{question: f"Canary answer to {question}" for question in questions}, questions[0]: {"status": 400}}
    )
    openai_server.reset(every_500=5, malformed=1)
    rows = [(question, "Law", "yes", "Canary reference.") for question in questions]
    (tmp_path / "B.xlsx").write_bytes(benchmark(rows))
    code, told = flagbook("-v", "run", "B.xlsx", "-o", "out.xlsx")
    text = (tmp_path / "log").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert (code, told["errors"]) == (3, 1)
    assert "canary" not in text.casefold()
    carried = [line for line in lines if line["event"] == "row_carried"]
    assert {line["run"] for line in carried} == {told["run"]}
    assert sorted(line["row"] for line in carried) == [2, 3, 4, 5, 6, 7]
    failed = [line for line in lines if line["event"] == "call failed" and line["code"] == "endpoint_refused_request"]
    assert [(line["run"], line["row"]) for line in failed] == [(told["run"], 2)]
    assert any(line["event"] == "judge asked again" for line in lines)
