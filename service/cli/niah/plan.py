"""`flagbook niah plan`: an experiment as a workbook."""

import json
from typing import TYPE_CHECKING

import typer

from service.cli._door import answering
from service.cli._files import check_output, write_file
from service.cli._options import AsJson, Out
from service.cli.niah._config import Assistants, ConfigOrPreset, config_from

if TYPE_CHECKING:
    from service.runs import Config


def plan(config: ConfigOrPreset, out: Out, assistant: Assistants = None, as_json: AsJson = False) -> None:
    """Write the workbook of an experiment: a sheet NIAH with a row a cell, and a sheet Experiment with its config.

    The same config gives the same bytes on every machine. Upload the workbook, or run it with `flagbook run`.
    """
    with answering(as_json):
        check_output(out)
        found = config_from(config, assistant)
        from service.runs import plan_experiment

        write_file(out, plan_experiment(found))
        cells, tokens = found.cells, _tokens(found)
        if as_json:
            shape = {"file": str(out), "cells": cells, "document_tokens": tokens, "preset": found.experiment.preset}
            typer.echo(json.dumps(shape, ensure_ascii=False))
        else:
            typer.echo(
                f"{out} is written: {cells:,} cells, {tokens:,} tokens of documents. See what it takes, then run:"
            )
            for command in _imports(found):
                typer.echo(f"    {command}")
            typer.echo(f"    flagbook check {out}")
            typer.echo(f"    flagbook run {out} -o {out.with_stem(f'{out.stem}_result')}")


def _tokens(config: "Config") -> int:
    return sum(spec.context_length for _, spec in config.experiment.specs())


def _imports(config: "Config") -> list[str]:
    """Return the commands that import what the cells name and a run does not fetch by itself."""
    haystack = config.experiment.haystack
    add = f"flagbook niah corpus add {haystack.key}"
    if haystack.source == "wikipedia":
        return [f"{add} --wikipedia {haystack.language} --seed {haystack.seed} --count {haystack.count}"]
    return [f"{add} --arxiv --count {haystack.count}"] if haystack.source == "arxiv" else []


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(plan)
