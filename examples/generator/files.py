"""Writes a demo's folder: documents, spaces, scripted answers, workbook and the table of what must come out."""

from pathlib import Path
from typing import Any

import yaml

from examples.generator.company import Demo
from examples.generator.page_files import write_page
from examples.generator.row import FLAGS, PARTNER
from examples.generator.workbook import benchmark

SPACES = Path(__file__).parents[1] / "spaces.yaml"


def write_demo(folder: Path, demo: Demo) -> None:
    """Write the demo below the folder; what is there of an earlier one is overwritten."""
    for page in demo.pages:
        write_page(folder / "documents", page)
    spaces = SPACES.read_bytes()  # holds nothing that a seed changes
    (folder / "spaces.yaml").write_bytes(spaces)
    (folder / "partner-bot.yaml").write_text(_scripts(demo), encoding="utf-8")
    (folder / "expected.md").write_text(_expected(demo), encoding="utf-8")
    (folder / "Benchmark.xlsx").write_bytes(benchmark(demo))


def _scripts(demo: Demo) -> str:
    answers: dict[str, Any] = {}
    for row in demo.rows:
        if row.space == PARTNER and row.script:
            answers[row.question] = {
                "answer": row.script.answer,
                "sources": [{"name": name, "text": text} for name, text in row.script.sources],
                "modules": list(row.script.modules),
            }
    head = "# What Partner Bot, another company's assistant, answers. Written by `python -m examples.generator`.\n"
    return head + yaml.safe_dump(answers, allow_unicode=True, sort_keys=False, width=110)


def _expected(demo: Demo) -> str:
    """Return the table of flags that must come out, as Markdown."""
    shown = {True: "**TRUE**", False: "·", None: ""}
    lines = [
        "# What must come out",
        "",
        "Written by `python -m examples.generator`; a test holds the demo to it. **TRUE**: a deviation, ·: none, "
        "empty: nothing to judge.",
        "",
        "| id | space | why this row is here | " + " | ".join(FLAGS) + " |",
        "|---|---|---|" + "---|" * len(FLAGS),
    ]
    for number, row in enumerate(demo.rows, start=1):
        values = " | ".join(shown[value] for value in row.expected().values())
        lines.append(f"| {number} | {row.space} | {row.why} | {values} |")
    return "\n".join(lines) + "\n"
