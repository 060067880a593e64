"""`flagbook niah …`: needle in a haystack, from a config to a published figure."""

import typer

from service.cli.niah import build, plan, score


def add_to(app: typer.Typer) -> None:
    """Offer the commands."""
    group = typer.Typer(no_args_is_help=True, help="Needle in a haystack: plan, run and explain experiments.")
    for command in (plan, build, score):
        command.add_to(group)
    app.add_typer(group, name="niah")
