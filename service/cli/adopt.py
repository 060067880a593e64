"""`flagbook adopt`: the result, as a person reviewed it, becomes the next benchmark set."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from service.cli._door import Door, answering, local_user, say, settings_with
from service.cli._files import check_output, read_file, write_file
from service.cli._options import AsJson, Out, Sheet

if TYPE_CHECKING:
    from service.settings import Settings


@dataclass(frozen=True)
class _File:
    content: bytes
    name: str
    sheet: str | None


@dataclass(frozen=True, kw_only=True)
class _Adopted:
    content: bytes
    adopted: int
    kept: tuple[tuple[int, str], ...]
    notes: tuple[str, ...]


def adopt(
    ctx: typer.Context,
    flagged: Annotated[
        Path, typer.Argument(metavar="FLAGGED", help="A workbook that came out of a run, reviewed or not.")
    ],
    out: Out,
    sheet: Sheet = None,
    every: Annotated[bool, typer.Option("--all", help="Adopt every new answer, also those reviewed with no.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make the next benchmark set: the new answers become the benchmark answers.

    An answer is adopted when it was given without error and was not reviewed with no. The other rows keep their
    benchmark answer and are listed.
    """
    import asyncio

    with answering(as_json):
        check_output(out, flagged)
        content = read_file(flagged)
        settings = settings_with()
        found = asyncio.run(_by_run(ctx.obj, settings, _File(content, flagged.name, sheet), every))
        result = found or _by_file(settings, _File(content, flagged.name, sheet), every)
        write_file(out, result.content)
    _tell(result, out, as_json)


async def _by_run(door: Door, settings: "Settings", file: "_File", every: bool) -> _Adopted | None:
    """Adopt through the run that made the file, which keeps the reviews; None when it is not stored here."""
    from service.errors import RunUnknown
    from service.workbook import Limits, read

    limits = Limits.of(settings).for_results()
    run_id = read(file.content, filename=file.name, sheet=file.sheet, limits=limits).run_id
    if not run_id or not (settings.database_url or settings.home.is_dir()):
        return None
    try:
        async with door.service(settings) as service:
            view = await service.runs.adopt(run_id, user=local_user(), every=every, content=file.content)
    except RunUnknown:
        return None
    kept = tuple((remark.row, remark.message) for remark in view.kept)
    return _Adopted(content=view.file.content, adopted=view.adopted, kept=kept, notes=view.notes)


def _by_file(settings: "Settings", file: "_File", every: bool) -> _Adopted:
    from datetime import UTC, datetime

    from service.workbook import Limits, read
    from service.workbook import adopt as adopt_answers

    limits = Limits.of(settings)
    reading = read(file.content, filename=file.name, sheet=file.sheet, limits=limits.for_results())
    lineage = {
        "run": reading.run_id,
        "file": file.name,
        "who": local_user().name,
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    adoption = adopt_answers(file.content, every=every, lineage=lineage, sheet=reading.sheet, limits=limits)
    kept = tuple(adoption.kept.items())
    return _Adopted(content=adoption.content, adopted=len(adoption.adopted), kept=kept, notes=adoption.notes)


def _tell(result: _Adopted, out: Path, as_json: bool) -> None:
    if as_json:
        kept = [{"row": row, "reason": reason} for row, reason in result.kept]
        shape = {"file": str(out), "adopted": result.adopted, "kept": kept, "notes": result.notes}
        typer.echo(json.dumps(shape, ensure_ascii=False, indent=2))
        return
    for reason, rows in _by_reason(result.kept).items():
        say(f"[yellow]Kept[/] {escape(reason)} {'Rows' if len(rows) > 1 else 'Row'} {spans(rows)}")
    for note in result.notes:
        say(f"[yellow]Note[/] {escape(note)}")
    typer.echo(f"{result.adopted} answers adopted, {len(result.kept)} rows kept as they were: {out}")


def _by_reason(kept: tuple[tuple[int, str], ...]) -> dict[str, list[int]]:
    reasons: dict[str, list[int]] = {}
    for row, reason in kept:
        reasons.setdefault(reason, []).append(row)
    return reasons


def spans(rows: list[int]) -> str:
    """Return ascending row numbers as a person writes them: `2, 5–9`."""
    runs: list[list[int]] = []
    for row in rows:
        if runs and row == runs[-1][-1] + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(adopt)
