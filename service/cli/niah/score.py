"""`flagbook niah score`: one score, explained."""

import asyncio
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli._door import NOT_ALL_JUDGED, answering, settings_with
from service.cli._options import AsJson
from service.cli.niah._config import Parameters, parameters_from

if TYPE_CHECKING:
    from flags.niah import Score, Spec, Trial

_BORROWED = ("semantic", "llm_judge")


def score(
    task: Annotated[str, typer.Option(metavar="TASK", help="s_rt, m_rt, m_rs, atc, counting, key_value …")],
    expected: Annotated[list[str], typer.Option(metavar="TEXT", help="What is right; repeat it for several values.")],
    response: Annotated[str, typer.Option(metavar="TEXT", help="What the model answered; - reads it from stdin.")],
    question: Annotated[str, typer.Option(metavar="TEXT", help="What was asked: its names are no answers.")] = "",
    scorer: Annotated[
        str, typer.Option(metavar="NAME", help="Another scorer than the task's own: exact, numeric, semantic …")
    ] = "",
    literal: Annotated[
        bool, typer.Option("--literal", help="Score by the methodology's formulas to the letter.")
    ] = False,
    parameters: Parameters = "",
    as_json: AsJson = False,
) -> None:
    """Say what a response is worth and why: the same rules as in an experiment, without a document.

    With --json exactly {score, category, scorer, explanation}. Exits with 3 when the response could not be judged.
    """
    with answering(as_json):
        given = {"scorer": scorer, "literal": literal}
        chosen = {**parameters_from(parameters), **{name: value for name, value in given.items() if value}}
        found = _score(task, chosen, (question, tuple(expected)), sys.stdin.read() if response == "-" else response)
        if as_json:
            shape = {name: value for name, value in asdict(found).items() if name != "code"}
            typer.echo(json.dumps(shape, ensure_ascii=False))
        else:
            shown = f"not scored, {found.code}" if found.score is None else f"{found.score:g}"
            typer.echo(f"{shown} ({found.category}, by {found.scorer}): {found.explanation}")
        if found.score is None:
            raise typer.Exit(NOT_ALL_JUDGED)


def _score(task: str, parameters: dict[str, Any], asked: tuple[str, tuple[str, ...]], response: str) -> "Score":
    from flags.niah import Spec, Trial

    spec = Spec(task="_".join(task.lower().replace("-", " ").split()), context_length=1, parameters=parameters)
    trial = Trial(question=asked[0], expected=asked[1])
    return asyncio.run(_scored(spec, trial, response))


async def _scored(spec: "Spec", trial: "Trial", response: str) -> "Score":
    from service.app import open_tools
    from service.runs import score_cell

    if spec.parameters.get("scorer") not in _BORROWED:
        return await score_cell(spec, trial, response)
    async with open_tools(settings_with()) as tools:
        return await score_cell(spec, trial, response, tools)


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(score)
