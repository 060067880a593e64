"""The report of a check, for people and for programs."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from service.runs import Estimate, Outlook, Remark, Report


def report_json(report: "Report") -> str:
    """Return the report as one JSON object."""
    return json.dumps(asdict(report), ensure_ascii=False, indent=2)


def print_report(path: Path, report: "Report") -> None:
    """Print what was understood, then notes and errors with their cells."""
    console = Console(highlight=False)
    console.print(
        f"[bold]{escape(path.name)}[/]: sheet “{escape(report.sheet)}”, headers in row {report.header_row}, "
        f"{report.questions} {'cells' if report.estimates else 'questions'}"
    )
    spaces = Table("Space", "Questions", box=None, padding=(0, 2), header_style="dim")
    for name, questions in report.spaces.items():
        spaces.add_row(escape(name), str(questions))
    console.print(spaces)
    for estimate in report.estimates:
        console.print(_said(estimate))
    found = ", ".join(f"{header} in {cell}" for header, cell in report.columns.found.items())
    console.print(f"[dim]Columns found: {escape(found)}[/]")
    if report.columns.missing:
        missing = escape(", ".join(report.columns.missing))
        console.print(f"[dim]Columns not found: {missing}. What a run fills is added.[/]")
    if report.outlook:
        _print_outlook(console, report.outlook)
    _print_remarks(console, "Note", "yellow", report.notes)
    _print_remarks(console, "Error", "red", report.errors)
    if not report.errors:
        console.print("[green]Ready to run.[/]")
    else:
        console.print(
            f"{report.questions - len({each.row for each in report.errors})} of {report.questions} "
            "questions can be asked; the others would come back as NOT JUDGED."
        )


def _print_outlook(console: Console, expected: "Outlook") -> None:
    """Print what a run would take, and what that rests on."""
    from service.cli._progress import duration
    from service.runs import cost_said, money, tokens_said

    table = Table("Calls of", "Model", "Calls", "Tokens in", "Tokens out", "Cost", box=None, padding=(0, 2))
    table.header_style = "dim"
    for line in expected.lines:
        cost = "unknown" if line.cost is None else money(line.cost, expected.currency)
        counts = (f"{line.calls:,}", f"{line.input:,}", f"{line.output:,}")
        table.add_row(escape(line.space or line.caller), escape(line.model), *counts, escape(cost))
    if expected.lines:
        console.print(table)
    time = f", about {duration(expected.seconds)}" if expected.seconds else ""
    total = tokens_said(expected) or "no call to a model"
    console.print(f"Estimate: {total}{time}; cost: {escape(cost_said(expected))}")
    for sentence in expected.basis if expected.calls else ():
        console.print(f"[dim]{escape(sentence)}[/]")


def _said(estimate: "Estimate") -> str:
    """Return what an assistant's cells will take, in a line."""
    asked = estimate.cells - estimate.skipped
    parts = [
        f"{asked:,} calls",
        f"about {estimate.prompt_tokens:,} prompt tokens",
        f"at most {estimate.completion_tokens:,} answer tokens",
    ]
    if estimate.skipped:
        parts.append(f"{estimate.skipped:,} cells skipped: longer than its window of {estimate.window:,} tokens")
    if estimate.cost is not None:
        parts.append(f"at most {estimate.cost:,.2f} by the prices of the config")
    return f"  {escape(estimate.assistant)}: {', '.join(parts)}"


def _print_remarks(console: Console, title: str, colour: str, remarks: "Sequence[Remark]") -> None:
    for remark in remarks:
        place = f"{remark.cell}: " if remark.cell else ""
        console.print(f"[{colour}]{title}[/] {escape(place + remark.message)} [dim]({remark.code})[/]")
