"""The command line: arguments → one call → print. `flagbook --help` is the list of commands."""

import sys
from typing import Annotated

import typer
from typer.exceptions import TyperException

from service import __version__
from service.cli import (
    adopt,
    approved,
    calibrate,
    check,
    compare,
    demo,
    niah,
    prune,
    rejudge,
    resume,
    run,
    serve,
    template,
    worker,
)
from service.cli._door import NOT_STARTED, Door, as_line
from service.cli._logs import configure_logs

app = typer.Typer(
    name="flagbook",
    help="Re-ask a company's benchmark questions and flag, in the same Excel file, which answers have drifted.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_show_locals=False,
)
for command in (
    demo,
    run,
    check,
    template,
    adopt,
    rejudge,
    compare,
    calibrate,
    approved,
    resume,
    prune,
    niah,
    serve,
    worker,
):
    command.add_to(app)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"flagbook {__version__}")
        raise typer.Exit


@app.callback()
def _begin(
    ctx: typer.Context,
    verbose: Annotated[
        int, typer.Option("-v", "--verbose", count=True, help="Say more on stderr; -vv says everything.")
    ] = 0,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    configure_logs(verbose)
    ctx.obj = ctx.obj or Door()


def main() -> None:
    """Run the command that stands on the command line; with `--json` also what is wrong with that line is JSON."""
    if "--json" not in sys.argv:
        app()
    try:
        sys.exit(app(standalone_mode=False))
    except TyperException as wrong:
        from service.errors import CommandMistyped

        mistyped = CommandMistyped(problem=wrong.format_message().rstrip("."))
        typer.echo(as_line(mistyped))
        sys.exit(NOT_STARTED)
