"""`flagbook check`: what would happen with a workbook, without asking anything."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from service.cli._door import Door, answering, local_user, settings_with
from service.cli._files import read_file
from service.cli._options import AsJson, Sheet, Spaces, Workbook

if TYPE_CHECKING:
    from service.runs import Report
    from service.settings import Settings


def check(
    ctx: typer.Context, workbook: Workbook, spaces: Spaces = None, sheet: Sheet = None, as_json: AsJson = False
) -> None:
    """Say what was understood of a workbook: sheet, columns, questions, spaces, and what is wrong with which cell.

    Nothing is asked and nothing is stored. Exits with 0, or with 2 when the workbook cannot be run at all.
    """
    from service.cli._report import print_report, report_json

    with answering(as_json):
        content = read_file(workbook)
        settings = settings_with(spaces=spaces)
        report = asyncio.run(_check(ctx.obj, settings, content, (workbook, sheet)))
        if as_json:
            typer.echo(report_json(report))
        else:
            print_report(workbook, report)


async def _check(door: Door, settings: "Settings", content: bytes, name: tuple[Path, str | None]) -> "Report":
    path, sheet = name
    async with door.service(settings) as service:
        return await service.runs.check(content, path.name, user=local_user(), sheet=sheet)


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(check)
