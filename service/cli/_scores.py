"""The scores of an experiment, for people and for programs."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from flags.niah import Aggregate
    from service.cli._job import Outcome


def scores_json(outcome: "Outcome") -> dict[str, Any]:
    """Return each assistant's score on each task, and how many cells have none for which code."""
    return {
        "cells": outcome.view.total,
        "scores": [_as_dict(each) for each in _aggregates(outcome)],
        "codes": dict(Counter(row.code for row in outcome.rows if row.code)),
    }


def print_scores(outcome: "Outcome") -> None:
    """Print each assistant's score on each task with its interval, band and cells without a score."""
    table = Table(box=box.SIMPLE_HEAD, title="Scores", title_justify="left", title_style="bold", pad_edge=False)
    table.add_column("Assistant")
    table.add_column("Task")
    for title in ("score", "95 %", "band", "trials", "not scored"):
        table.add_column(title, justify="right", no_wrap=title != "not scored")
    for each in _aggregates(outcome):
        mean = each.mean
        figures = (
            (f"{mean.value:.3f}", f"{mean.low:.2f} – {mean.high:.2f}", str(each.band), str(mean.trials))
            if mean
            else ("–", "", "", "0")
        )
        table.add_row(escape(each.assistant), each.task, *figures, _excluded(each))
    Console(highlight=False).print(table)


def _excluded(found: "Aggregate") -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(found.excluded.items()))


def _aggregates(outcome: "Outcome") -> "tuple[Aggregate, ...]":
    from flags.niah import aggregate
    from service.runs import outcome_of

    return aggregate(found for row in outcome.rows if (found := outcome_of(row)))


def _as_dict(found: "Aggregate") -> dict[str, Any]:
    mean = found.mean
    return {
        "assistant": found.assistant,
        "task": found.task,
        "score": mean.value if mean else None,
        "low": mean.low if mean else None,
        "high": mean.high if mean else None,
        "band": found.band,
        "trials": mean.trials if mean else 0,
        "excluded": dict(found.excluded),
    }
