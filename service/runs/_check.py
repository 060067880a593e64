"""What would happen with a workbook, without doing it."""

from service.runs._shapes import Columns, Remark, Report
from service.runs._sorting import Entry
from service.workbook import Finding, Reading


def report(reading: Reading, entries: list[Entry]) -> Report:
    """Return the report on a workbook whose questions were sorted out."""
    return Report(
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
