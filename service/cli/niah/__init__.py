"""`flagbook niah …`: needle in a haystack; a module here is a command."""

import typer

from service.cli.niah import build, corpus, plan, report, run, score


def add_to(app: typer.Typer) -> None:
    """Offer the commands."""
    niah = typer.Typer(
        name="niah",
        help="Needle in a haystack: does a model find what stands in a long document?",
        no_args_is_help=True,
    )
    for command in (plan, run, build, score, report, corpus):
        command.add_to(niah)
    app.add_typer(niah)
