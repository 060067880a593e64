"""`flagbook prune`: runs that ended long ago are removed for good."""

import re
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli._door import Door, answering, say, settings_with
from service.cli._options import AsJson

if TYPE_CHECKING:
    from datetime import datetime

    from service.runs import Pruned

_AGE = re.compile(r"(\d{1,5})([hdwy])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24, "y": 365 * 24}


def prune(
    ctx: typer.Context,
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="90d", help="Age since their end, in h, d, w or y (365 days).")
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
    yes: Annotated[bool, typer.Option("-y", "--yes", help="Do not ask first.")] = False,
    give_back: Annotated[
        bool, typer.Option("--give-back", help="Then give the space back to the disk; writes wait meanwhile.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Remove runs that ended long ago for good: workbooks, answers, verdicts, reviews, and what the engine knows.

    Runs that have not ended are never touched. It may be done while the service works, and concerns all its runs.
    """
    import asyncio

    with answering(as_json):
        before = _moment(older_than)
        if not (dry_run or yes):
            _confirm(asyncio.run(_prune(ctx.obj, before, dry_run=True, give_back=False)), as_json)
        pruned = asyncio.run(_prune(ctx.obj, before, dry_run=dry_run, give_back=give_back and not dry_run))
    typer.echo(_as_line(pruned, dry_run) if as_json else _sentence(pruned, dry_run))


def _moment(age: str) -> "datetime":
    from datetime import UTC, datetime, timedelta

    from service.errors import OptionsRefused

    found = _AGE.fullmatch(age.strip())
    if found is None:
        raise OptionsRefused(option="--older-than", problem=f"“{age}” is not like 90d, 12h, 8w or 1y.")
    return datetime.now(UTC) - timedelta(hours=int(found[1]) * _HOURS[found[2]])


async def _prune(door: Door, before: "datetime", *, dry_run: bool, give_back: bool) -> "Pruned":
    async with door.service(settings_with()) as service:
        pruned = await service.runs.prune(before, dry_run=dry_run)
        if give_back:
            await service.runs.give_back()
    return pruned


def _confirm(would: "Pruned", as_json: bool) -> None:
    """Ask a person; where nobody can answer, nothing is removed."""
    from service.errors import OptionsRefused

    say(_sentence(would, dry_run=True))
    try:
        wanted = not as_json and typer.confirm("Remove them for good?", err=True)
    except typer.Abort:
        as_json = True
    if as_json:
        raise OptionsRefused(option="--yes", problem="nobody can be asked here; give it, or --dry-run to look first.")
    if not wanted:
        say("Nothing was removed.")
        raise typer.Exit


def _sentence(pruned: "Pruned", dry_run: bool) -> str:
    verb = "Would remove" if dry_run else "Removed"
    runs = f"{pruned.runs:,} run{'s' * (pruned.runs != 1)}"
    what = f"{pruned.rows:,} rows, workbooks of {pruned.size / 1e6:,.1f} MB"
    return f"{verb} {runs} that ended before {pruned.before:%Y-%m-%d %H:%M} UTC ({what})."


def _as_line(pruned: "Pruned", dry_run: bool) -> str:
    import json

    shape = {"before": pruned.before.isoformat(), "runs": pruned.runs, "rows": pruned.rows, "bytes": pruned.size}
    return json.dumps({**shape, "removed": not dry_run})


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(prune)
