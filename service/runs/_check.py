"""What would happen with a workbook, without doing it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from service.assistants import Space
from service.runs._cells import niah_plan
from service.runs._estimate import estimates
from service.runs._outlook import outlook
from service.runs._shapes import Columns, NamedFile, Remark, Report, User
from service.runs._sorting import Entry, Spaces, sort_out
from service.settings import Settings
from service.workbook import Finding, Limits, Reading, read


async def check_workbook(
    file: NamedFile,
    spaces: Sequence[Space] | None,
    *,
    user: User,
    sheet: str | None = None,
    limits: Limits | None = None,
) -> Report:
    """Say what would happen with a workbook; needs neither database nor engine.

    With `spaces` None it is not looked whether the spaces exist. Raises `WorkbookRefused`.
    """
    reading = await read_soon(file.content, file.name, sheet, limits)
    known = Spaces(spaces or ())
    return report(reading, sort_out(reading, known, user, ask=spaces is not None), known)


async def estimate_workbook(
    file: NamedFile, spaces: Sequence[Space], settings: Settings, *, user: User, sheet: str | None = None
) -> Report:
    """Say what would happen with a workbook, and what it would take: calls, tokens, cost, time.

    Raises `WorkbookRefused`, and `PricesBroken` for prices that cannot be read.
    """
    reading = await read_soon(file.content, file.name, sheet, Limits.of(settings))
    known = Spaces(spaces)
    entries = sort_out(reading, known, user)
    return await checked(reading, entries, known, settings)


async def checked(reading: Reading, entries: list[Entry], spaces: Spaces, settings: Settings | None) -> Report:
    """Return the report, with `settings` also what a benchmark would take; an experiment has estimates of its own."""
    found = report(reading, entries, spaces)
    if settings is None or reading.niah:
        return found
    return replace(found, outlook=await outlook(entries, spaces, settings))


async def read_soon(content: bytes, filename: str, sheet: str | None, limits: Limits | None) -> Reading:
    """Read a workbook while everything else goes on."""
    return await asyncio.to_thread(read, content, filename=filename, sheet=sheet, limits=limits)


def report(reading: Reading, entries: list[Entry], spaces: Spaces) -> Report:
    """Return the report on a workbook whose questions were sorted out; of an experiment, with what it will take."""
    return Report(
        estimates=estimates(entries, niah_plan(reading, {}), spaces) if reading.niah else (),
        sheet=reading.sheet,
        header_row=reading.header_row,
        questions=len(entries),
        spaces=reading.spaces,
        columns=Columns(
            found={header: f"{letter}{reading.header_row}" for header, letter in reading.columns.items()},
            missing=reading.missing,
        ),
        notes=remarks(reading.notes),
        errors=tuple(entry.refusal for entry in entries if entry.refusal),
    )


def remarks(findings: tuple[Finding, ...]) -> tuple[Remark, ...]:
    """Return findings of the workbook room as they are shown."""
    return tuple(Remark(code=f.code, message=f.message, cell=f.cell, row=f.row) for f in findings)
