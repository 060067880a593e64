"""A new workbook of plain tables, such as a comparison of two runs."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from service.workbook._records import CellValue
from service.workbook._styles import HEADER_FILL
from service.workbook._text import cell_text
from service.workbook.columns import column_letter

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_WIDTH: Final = 18


@dataclass(frozen=True, kw_only=True)
class Table:
    """A sheet: a header, the lines below it, and the widths of the first columns in characters.

    `boxed` freezes the header and gives it a filter. A line whose first cell is in `headings` is written in bold.
    """

    title: str
    header: Sequence[str]
    lines: Sequence[Sequence[CellValue | None]]
    widths: Sequence[int] = ()
    boxed: bool = True
    headings: frozenset[str] = frozenset()


def write_tables(tables: Sequence[Table]) -> bytes:
    """Return a workbook with a sheet a table; a text in it is never a formula."""
    from openpyxl import Workbook

    book = Workbook()
    assert book.active is not None
    book.remove(book.active)
    for table in tables:
        _fill(book.create_sheet(table.title), table)
    book.properties.creator = "flagbook"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _fill(sheet: "Worksheet", table: Table) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill

    rows = [table.header, *table.lines]
    for number, line in enumerate(rows, start=1):
        for column, value in enumerate(line, start=1):
            cell: Any = sheet.cell(number, column)
            cell.value = cell_text(value) if isinstance(value, str) else value
            if isinstance(value, str):
                cell.data_type = "s"
            cell.alignment = Alignment(vertical="top", wrap_text=True)
            if number > 1 and line[0] in table.headings:
                cell.font = Font(bold=True)
    for cell in sheet[1]:
        cell.font = Font(bold=True, color="FFFFFFFF")
        cell.fill = PatternFill("solid", fgColor=HEADER_FILL)
    for column in range(1, len(table.header) + 1):
        width = table.widths[column - 1] if column <= len(table.widths) else _WIDTH
        sheet.column_dimensions[column_letter(column)].width = width
    if table.boxed:
        sheet.freeze_panes = "A2"
        sheet.auto_filter.ref = f"A1:{column_letter(len(table.header))}{len(rows)}"
