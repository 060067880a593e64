"""The benchmark as the company's people keep it: the template, filled in, with a column and a sheet of their own."""

import io
import re
import zipfile
from datetime import datetime
from typing import TYPE_CHECKING

from examples.generator.company import Demo
from examples.generator.page_files import without_clock
from examples.generator.row import Row

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

OWN_COLUMN = 29
OWNERS = {"Member Services": "Claims desk", "Personalhandbuch": "HR", "Partner Bot": "Sales", "Legal Desk": "Legal"}
SAVED = datetime(2027, 1, 4, 8, 0, 0)  # noqa: DTZ001 - Excel's times have no zone


def benchmark(demo: Demo) -> bytes:
    """Return the workbook's bytes; the same demo gives the same bytes."""
    from openpyxl import load_workbook

    from service.workbook import template

    book = load_workbook(io.BytesIO(template()))
    _fill(book.worksheets[0], demo.rows)
    _add_team_sheet(book, demo)
    book.properties.creator = f"{demo.world.company} quality team"
    made = io.BytesIO()
    book.save(made)
    return without_clock(_with_fixed_date(made.getvalue()))


def _fill(sheet: "Worksheet", rows: tuple[Row, ...]) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill

    head = sheet.cell(1, OWN_COLUMN, "Owner")
    head.font, head.fill = Font(bold=True, color="FFFFFF"), PatternFill("solid", fgColor="7A5C00")
    sheet.column_dimensions["AC"].width = 16
    for number, row in enumerate(rows, start=1):
        values = (
            number,
            row.question,
            row.space,
            "yes" if row.correct else "no",
            row.reference or None,
            "\n".join(row.sources) or None,
            "\n".join(row.modules) or None,
            False if row.reference else None,
        )
        for column, value in enumerate(values, start=1):
            cell = sheet.cell(number + 1, column, value)
            cell.alignment = Alignment(wrap_text=True, vertical="top")
        owner = sheet.cell(number + 1, OWN_COLUMN, OWNERS[row.space])
        owner.font = Font(italic=True, color="7A5C00")


def _add_team_sheet(book: "Workbook", demo: Demo) -> None:
    """Add what people keep beside their questions: notes, a sum and a chart."""
    from openpyxl.chart import BarChart, Reference
    from openpyxl.styles import Font

    sheet = book.create_sheet("Team")
    sheet["A1"] = f"{demo.world.company}: who looks after which questions"
    sheet["A1"].font = Font(bold=True, size=14)
    sheet.append([])
    sheet.append(["Owner", "Questions"])
    for owner in OWNERS.values():
        sheet.append([owner, sum(OWNERS[row.space] == owner for row in demo.rows)])
    last = sheet.max_row
    sheet.append(["all", f"=SUM(B4:B{last})"])
    sheet.column_dimensions["A"].width = 24
    chart = BarChart()
    chart.title = "Questions by owner"
    chart.add_data(Reference(sheet, min_col=2, min_row=3, max_row=last), titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=1, min_row=4, max_row=last))
    sheet.add_chart(chart, "D3")


def _with_fixed_date(content: bytes) -> bytes:
    """Replace the time of saving, which openpyxl always takes from the clock."""
    stamp = SAVED.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    fixed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(fixed, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "docProps/core.xml":
                part = re.sub(rb"(<dcterms:\w+ [^>]*>)[^<]*", rb"\g<1>" + stamp, part)
            new.writestr(name, part)
    return fixed.getvalue()
