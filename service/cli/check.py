"""`flagbook check`: what would happen with a workbook, without asking anything."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli._door import answering, local_user, settings_with
from service.cli._files import read_file
from service.cli._options import AsJson, Sheet, Spaces, Workbook

if TYPE_CHECKING:
    from service.runs import Report
    from service.settings import Settings


def check(
    workbook: Workbook,
    spaces: Spaces = None,
    sheet: Sheet = None,
    estimate: Annotated[
        bool,
        typer.Option("--estimate", help="Also say about how many calls, tokens, how much money and time it takes."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what was understood of a workbook: sheet, columns, questions, spaces, and what is wrong with which cell.

    Nothing is asked and nothing is stored. Exits with 0, or with 2 when the workbook cannot be run at all.
    """
    import asyncio

    from service.cli._report import print_report, report_json

    with answering(as_json):
        content = read_file(workbook)
        settings = settings_with(spaces=spaces)
        look = _estimate if estimate else _check
        report = asyncio.run(look(content, workbook.name, sheet, settings))
        if as_json:
            typer.echo(report_json(report))
        else:
            print_report(workbook, report)


async def _check(content: bytes, name: str, sheet: str | None, settings: "Settings") -> "Report":
    from service.app import declared_spaces
    from service.runs import NamedFile, Remark, check_workbook
    from service.workbook import Limits

    spaces = declared_spaces(settings) or None
    file, limits = NamedFile(name=name, content=content), Limits.of(settings)
    report = await check_workbook(file, spaces, user=local_user(), sheet=sheet, limits=limits)
    if spaces is not None:
        return report
    message = "No spaces are declared here, so it was not checked whether these exist: name their file with --spaces."
    return replace(report, notes=(*report.notes, Remark(code="spaces_not_checked", message=message)))


async def _estimate(content: bytes, name: str, sheet: str | None, settings: "Settings") -> "Report":
    from service.app import declared_spaces
    from service.runs import NamedFile, estimate_workbook

    file = NamedFile(name=name, content=content)
    return await estimate_workbook(file, declared_spaces(settings), settings, user=local_user(), sheet=sheet)


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(check)
