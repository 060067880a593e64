"""How near a whole run comes to the pace of its endpoint, with everything stored and the workbook written.

`python -m benchmarks.throughput --rows 300 --concurrency 20 --latency-ms 200 [--json]` asks one question and three
judgements a row of a mock endpoint in a process of its own. `wall_s` is the time from handing the workbook over to
*ready*, `ideal_s` is ceil(calls / concurrency) × latency; `cpu_ms_per_row` counts this process and the ones it starts
for workbooks, not the mock; `peak_rss_mb` is this process's. With `--embedder local` the packaged model embeds instead
of the mock; `embeddings_s` is what it takes for the same texts alone, and `ratio` is against the longer of the two.
"""

import argparse
import asyncio
import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

from benchmarks._endpoint import answer_to
from service.cli._logs import configure_logs
from service.cli._loop import run_to_end

CALLS_A_ROW = 4
WARM_UP = 8
"""Rows run before the clock starts: what a service loads with its first row is no part of its pace."""


@contextmanager
def endpoint(latency_ms: float) -> Iterator[str]:
    """Run the mock endpoint."""
    command = [sys.executable, "-m", "benchmarks._endpoint", str(latency_ms)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield process.stdout.readline().strip()
        process.stdin.close()


def question_of(number: int, mark: str) -> str:
    """Return a question that no other row asks."""
    return f"{mark} {number}: what does the policy say about case {number * 7919 % 10007}?"


def reference_of(question: str) -> str:
    """Return the answer that was accepted last time."""
    return answer_to(f"reference {question}")


def workbook(rows: int, mark: str) -> bytes:
    """Return distinct questions with reference answers of 60 to 300 words."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Benchmark")
    sheet.append(["id", "Question", "Assistant", "correct_benchmark", "answer_benchmark"])
    for number in range(1, rows + 1):
        question = question_of(number, mark)
        sheet.append([number, question, "Desk", "yes", reference_of(question)])
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()


async def embeddings_s(rows: int) -> float:
    """Return the seconds the packaged model takes for the texts of a run alone, as one batch."""
    from service.llm import LocalEmbedder
    from service.llm._sentence_model import load_sentence_model

    questions = [question_of(number, "Case") for number in range(1, rows + 1)]
    texts = [text for question in questions for text in (question, reference_of(question), answer_to(question))]
    embedder = LocalEmbedder("packaged", lambda: load_sentence_model("packaged"))
    await embedder.embed(["load the model"])
    started = time.perf_counter()
    await embedder.embed(texts)
    taken = time.perf_counter() - started
    await embedder.aclose()
    return taken


def place(folder: Path, url: str, concurrency: int) -> dict[str, Any]:
    """Write a space with a document, and return the settings of a service; asking and judging share the calls."""
    (folder / "policy.txt").write_text("\n\n".join(answer_to(f"passage {n}") for n in range(20)), encoding="utf-8")
    backend = f"backend: openai, model: m, base_url: '{url}', documents: policy.txt, passages: 3"
    space = f"spaces:\n  - {{name: Desk, {backend}, concurrency: {concurrency}}}\n"
    (folder / "spaces.yaml").write_text(space, encoding="utf-8")
    return {
        "home": folder / "home",
        "spaces": folder / "spaces.yaml",
        "judge": "llm",
        "judge_base_url": url,
        "judge_concurrency": concurrency,
        "endpoint_concurrency": concurrency,
        "embedder": "openai:e",
        "embedder_base_url": url,
        "rows_at_once": 2 * concurrency,
    }


async def measure(rows: int, concurrency: int, url: str, local: bool) -> dict[str, Any]:
    """Run the workbook and return what it took."""
    from service.app import open_service
    from service.runs import RunOptions, User
    from service.settings import Settings

    with TemporaryDirectory() as folder:
        embedder = {"embedder": "packaged"} if local else {}
        settings = Settings(**{**place(Path(folder), url, concurrency), **embedder})
        async with open_service(settings, executor="serve") as service:
            runs, user = service.runs, User()
            warm = await runs.submit(workbook(WARM_UP, "Warm"), "W.xlsx", RunOptions(), user=user)
            await runs.wait(warm.id, user=user)
            content, before = workbook(rows, "Case"), stats(url)["calls"]
            cpu, started = cpu_s(), time.perf_counter()
            run = await runs.submit(content, "B.xlsx", RunOptions(), user=user)
            view = await runs.wait(run.id, user=user)
            wall, cpu = time.perf_counter() - started, cpu_s() - cpu
            assert (view.state, view.errors) == ("ready", 0), view
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            calls, most = stats(url)["calls"] - before, stats(url)["most"]
            return {"wall_s": wall, "cpu_s": cpu, "calls": calls, "most": most, "peak_rss_mb": peak}


def stats(url: str) -> dict[str, int]:
    """Return what the endpoint counted."""
    with urlopen(f"{url}/stats", timeout=10) as response:
        counted: dict[str, int] = json.load(response)
    return counted


def cpu_s() -> float:
    """Return the CPU seconds of this process and of the ones it started that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def figures(rows: int, concurrency: int, latency_ms: float, *, local: bool = False) -> dict[str, Any]:
    """Measure once and return what is printed."""
    os.environ.setdefault("OPENAI_API_KEY", "none")
    with endpoint(latency_ms) as url:
        taken = run_to_end(measure(rows, concurrency, url, local))
    ideal = math.ceil(rows * CALLS_A_ROW / concurrency) * latency_ms / 1000
    embedding = asyncio.run(embeddings_s(rows)) if local else 0.0
    return {
        "rows": rows,
        "concurrency": concurrency,
        "latency_ms": latency_ms,
        "calls": taken["calls"],
        "most_in_flight": taken["most"],
        "wall_s": round(taken["wall_s"], 2),
        "ideal_s": round(ideal, 2),
        **({"embeddings_s": round(embedding, 2)} if local else {}),
        "ratio": round(taken["wall_s"] / max(ideal, embedding), 3),
        "cpu_ms_per_row": round(taken["cpu_s"] * 1000 / rows, 2),
        "peak_rss_mb": round(taken["peak_rss_mb"], 1),
    }


def main() -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(description="How near a whole run comes to the pace of its endpoint.")
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--concurrency", type=int, default=20)
    parser.add_argument("--latency-ms", type=float, default=200.0)
    parser.add_argument("--embedder", choices=("mock", "local"), default="mock")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    configure_logs(0)  # as the commands do: a line a row would be told otherwise
    told = figures(options.rows, options.concurrency, options.latency_ms, local=options.embedder == "local")
    if options.json:
        print(json.dumps(told))
        return
    for name, value in told.items():
        print(f"{name:16} {value}")


if __name__ == "__main__":
    main()
