"""`flagbook template`: the empty workbook to begin with."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli._door import answering
from service.cli._files import check_output, write_file


def template(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Where the template is written; must not exist yet.")],
) -> None:
    """Write the template: every column with a note that explains it, and a second sheet of instructions."""
    with answering(as_json=False):
        check_output(out)
        _refuse_existing(out)
        from service.workbook import template as make

        write_file(out, make())
    answered = out.with_stem(f"{out.stem}_flagged")
    typer.echo(f"{out} is written: fill in id, Question, Assistant and correct_benchmark, then")
    typer.echo(f"    flagbook run {out} -o {answered}")


def _refuse_existing(out: Path) -> None:
    from service.errors import OutputRefused

    if out.exists():
        raise OutputRefused(path=str(out), problem="it exists already, and may hold somebody's questions")


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(template)
