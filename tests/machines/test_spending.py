"""One limit of a run's cost over many workers, on a real PostgreSQL."""

from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.slow

PRICES = {"m": (3.0, 12.0), "gpt-4.1": (2.0, 8.0), "e": (1.0, 0.0)}
"""Invented, for a million tokens in and out."""


def charged(server: Any) -> float:
    """Return what the server charged so far."""
    told = server.stats()["charged"]
    return (
        sum(tokens_in * PRICES[m][0] + tokens_out * PRICES[m][1] for m, (tokens_in, tokens_out) in told.items()) / 1e6
    )


def test_the_limit_of_a_run_holds_over_all_workers(
    site: Any, openai_server: Any, workbook: Any, tmp_path: Path
) -> None:
    """By the server's own count; the figures of a worker are served beside it."""
    lines = [f"  {model}: {{input: {price[0]}, output: {price[1]}}}" for model, price in PRICES.items()]
    (tmp_path / "prices.yaml").write_text("\n".join(["currency: EUR", "models:", *lines]))
    site.environment |= {
        "FLAGBOOK_PRICES": str(tmp_path / "prices.yaml"),
        "FLAGBOOK_SHARD_ROWS": "5",
        "FLAGBOOK_ROWS_AT_ONCE": "5",
        "FLAGBOOK_REPLY_TOKENS": "200",
        "FLAGBOOK_JUDGE_CACHE": "false",
    }
    openai_server.reset(latency_ms=50)
    worker = site.start("worker", "--metrics-port", "0")
    assert worker.stdout is not None
    assert "works" in worker.stdout.readline()
    address = worker.stdout.readline().split()[-1]
    door = site.serve()
    questions = [f"What does paragraph {n} say?" for n in range(40)]
    full = door.ended(door.upload(workbook(questions)))
    assert full["state"] == "ready"
    assert full["spending"]["cost"] == pytest.approx(charged(openai_server))
    openai_server.reset()
    limit = 0.6 * full["spending"]["cost"]
    part = door.ended(door.upload(workbook(questions), max_cost=limit))
    assert (part["state"], part["failure"]["code"]) == ("failed", "cost_limit_reached")
    assert 0.5 * limit < charged(openai_server) <= limit
    with urlopen(address, timeout=30) as response:
        figures = response.read().decode()
    assert 'flagbook_calls_total{caller="judge"' in figures
    assert "flagbook_queue_depth" in figures
