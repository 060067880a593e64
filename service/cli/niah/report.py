"""`flagbook niah report`: figures and a page of an experiment that was run."""

import json
from pathlib import Path
from typing import Annotated

import typer

from service.cli._door import answering
from service.cli._files import read_file
from service.cli._options import AsJson


def report(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="The workbook of an experiment that was run.")],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="DIR", help="The folder the files are written to; made if missing.")
    ],
    as_json: AsJson = False,
) -> None:
    """Write heatmaps, radar and lines (PNG and SVG), a page that needs nothing else, and the results as JSON and CSV.

    The page ends with the checklist for publication, filled in from the run.
    """
    with answering(as_json):
        from service.reports import study_of, write_report
        from service.workbook import Limits

        files = write_report(study_of(read_file(result), Limits().for_results()), out)
    if as_json:
        typer.echo(json.dumps({"files": [str(path) for path in files]}, ensure_ascii=False))
    else:
        typer.echo(f"{len(files)} files are written; begin with {files[0]}")


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(report)
