"""`flagbook approved`: answers that a person accepted although they were flagged."""

import asyncio
import json
from typing import Annotated

import typer
from rich.markup import escape

from service.cli._door import answering, local_user, settings_with
from service.cli._options import AsJson

app = typer.Typer(
    name="approved",
    help="See and undo which flagged answers were accepted: those reviewed with yes.",
    no_args_is_help=True,
)


@app.command("list")
def list_approved(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the accepted answers, the newest first: id, when, by whom, question and answer."""

    async def found() -> "list[dict[str, str]]":
        async with ctx.obj.service(settings_with()) as service:
            known = await service.runs.reviews.approved(user=local_user())
        return [{**each.__dict__, "when": each.when.isoformat(timespec="seconds")} for each in known]

    with answering(as_json):
        listed = asyncio.run(found())
    if as_json:
        typer.echo(json.dumps(listed, ensure_ascii=False, indent=2))
        return
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for each in listed:
        console.print(f"[bold]{each['id']}[/]  {each['when'][:10]} {escape(each['user'])}  {escape(each['space'])}")
        console.print(f"  {escape(each['question'])}\n  [dim]{escape(' '.join(each['answer'].split())[:200])}[/]")
    if not listed:
        console.print("No flagged answer was accepted yet.")


@app.command("remove")
def remove_approved(
    ctx: typer.Context,
    approved: Annotated[str, typer.Argument(metavar="ID", help="As `flagbook approved list` shows it.")],
    as_json: AsJson = False,
) -> None:
    """Forget that an answer was accepted: from the next run on it is flagged as any other."""

    async def remove() -> None:
        async with ctx.obj.service(settings_with()) as service:
            await service.runs.reviews.withdraw(approved, user=local_user())

    with answering(as_json):
        asyncio.run(remove())
    typer.echo(json.dumps({"removed": approved}) if as_json else f"{approved} is accepted no more.")


def add_to(main: typer.Typer) -> None:
    """Offer the commands."""
    main.add_typer(app)
