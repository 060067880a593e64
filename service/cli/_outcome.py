"""What is written and printed when a run is over, and the exit code."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from service.cli._door import DONE, FLAGGED, INTERRUPTED, NOT_ALL_JUDGED, say
from service.cli._files import write_file
from service.cli._scores import print_scores, scores_json
from service.cli._tables import print_results
from service.cli._tally import tally

if TYPE_CHECKING:
    from service.cli._job import Outcome


def finish(outcome: "Outcome", out: Path, *, fail_on_flag: bool, as_json: bool) -> None:
    """Write the workbook, print the results, and leave with the exit code if it is not 0."""
    write_file(out, outcome.content)
    code = exit_code(outcome, fail_on_flag)
    if as_json:
        typer.echo(outcome_json(outcome, out, code))
    elif outcome.view.experiment:
        print_scores(outcome)
        typer.echo(f"\nThe result is {out}")
    else:
        print_results(outcome.view, tally(outcome.rows))
        typer.echo(f"\nThe flagged workbook is {out}")
    _explain(outcome)
    if code:
        raise typer.Exit(code)


def exit_code(outcome: "Outcome", fail_on_flag: bool) -> int:
    """Return the exit code; rows that were not judged go before flagged ones, so that no gate passes unseen."""
    if outcome.interrupted:
        return INTERRUPTED
    if outcome.view.state != "ready" or outcome.view.errors:
        return NOT_ALL_JUDGED
    return FLAGGED if fail_on_flag and outcome.view.flagged else DONE


def outcome_json(outcome: "Outcome", out: Path, code: int) -> str:
    """Return the results as one JSON object."""
    view = outcome.view
    shape = {
        "run": view.id,
        "state": view.state,
        "file": str(out),
        "sheet": view.sheet,
        "judge": view.judge,
        "embedder": view.embedder,
        "cached": view.cached,
        **(scores_json(outcome) if view.experiment else tally(outcome.rows).as_dict()),
        "notes": [{"code": each.code, "message": each.message, "cell": each.cell} for each in view.notes],
        "spending": asdict(view.spending),
        "failure": None if view.failure is None else vars(view.failure),
        "exit_code": code,
    }
    return json.dumps(shape, ensure_ascii=False, indent=2)


def _explain(outcome: "Outcome") -> None:
    view = outcome.view
    if outcome.interrupted:
        say(f"[yellow]Stopped.[/] {view.done} of {view.total} rows are done; the file holds what is there so far.")
    elif view.failure is not None:
        say(f"[bold red]Error[/] {view.failure.message} [dim]({view.failure.code})[/]")
