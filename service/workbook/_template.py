"""The template people start from, made from the table of columns."""

import io
import re
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from service.workbook._limits import Limits
from service.workbook._package import Package, PackageWriter, new_part
from service.workbook._styles import HEADER_FILL, RUN_FILL
from service.workbook.columns import COLUMNS

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

SHEET: Final = "Benchmark"
GUIDE: Final = "How to fill this in"
_LAST: Final = 100_001
_DATE: Final = (2026, 1, 1, 0, 0, 0)
_STAMP: Final = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")
_STEPS: Final = (
    "Write one question a row into the sheet “Benchmark”: a number (id), the question, and the assistant it is for.",
    "First run: write no into correct_benchmark and leave everything to the right empty.",
    "Upload the file, or run it from the command line. The dark green columns are filled for you.",
    "Open the result, filter final_flag for TRUE, and look at these rows: explanation says what differs.",
    "Write yes or no into human_review_answer_correct: is the new answer correct?",
    "Adopt the result: the good answers become the benchmark answers (columns E to I) of the next run.",
)
_FILLED_BY: Final = {"person": "you", "run": "the run"}
_KINDS: Final = {
    "text": "text",
    "yes/no": "yes or no",
    "sources": "one source a line",
    "names": "one name a line",
    "true/false": "TRUE or FALSE",
    "number": "number",
    "json": "technical text",
}


def build_template() -> bytes:
    """Return the template; the same bytes every time."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = SHEET
    _headers(sheet)
    _columns(sheet)
    _rules(sheet)
    _guide(book)
    book.properties.creator = "flagbook"
    book.properties.title = "Benchmark set"
    out = io.BytesIO()
    book.save(out)
    return _undated(out.getvalue())


def _headers(sheet: "Worksheet") -> None:
    from openpyxl.comments import Comment
    from openpyxl.styles import Alignment, Font, PatternFill

    for column in COLUMNS:
        cell = sheet[f"{column.letter}1"]
        cell.value = column.header
        cell.font = Font(name="Calibri", size=11, bold=True, color="FFFFFFFF")
        cell.fill = PatternFill("solid", fgColor=HEADER_FILL if column.filled_by == "person" else RUN_FILL)
        cell.alignment = Alignment(vertical="center", wrap_text=True)
        cell.comment = Comment(column.note, "flagbook", width=300, height=30 + 20 * (len(column.note) // 40 + 1))
    sheet.row_dimensions[1].height = 36
    sheet.freeze_panes = "C2"
    sheet.auto_filter.ref = f"A1:{COLUMNS[-1].letter}{_LAST}"
    sheet.sheet_view.zoomScale = 100


def _columns(sheet: "Worksheet") -> None:
    from openpyxl.styles import Alignment

    for column in COLUMNS:
        dimension = sheet.column_dimensions[column.letter]
        dimension.width = column.width
        flag = column.kind in ("true/false", "yes/no")
        wrap = column.kind not in ("json", "true/false", "number")
        dimension.alignment = Alignment(horizontal="center" if flag else None, vertical="top", wrap_text=wrap)
        if column.kind == "number":
            dimension.number_format = "0.000"


def _rules(sheet: "Worksheet") -> None:
    from openpyxl.formatting.rule import CellIsRule
    from openpyxl.styles import Font, PatternFill
    from openpyxl.worksheet.datavalidation import DataValidation

    choice = DataValidation(type="list", formula1='"yes,no"', allow_blank=True, showErrorMessage=True)
    choice.errorTitle, choice.error = "yes or no", "Please write yes or no, or leave the cell empty."
    for column in COLUMNS:
        if column.kind == "yes/no":
            choice.add(f"{column.letter}2:{column.letter}{_LAST}")
    sheet.add_data_validation(choice)
    flags = [column.letter for column in COLUMNS if column.header.endswith("_flag")]
    red = CellIsRule(  # type: ignore[no-untyped-call]
        operator="equal",
        formula=["TRUE"],
        font=Font(bold=True, color="FF9C0006"),
        fill=PatternFill("solid", bgColor="FFFFC7CE"),
    )
    sheet.conditional_formatting.add(" ".join(f"{letter}2:{letter}{_LAST}" for letter in flags), red)


def _guide(book: "Workbook") -> None:
    from openpyxl.styles import Alignment, Font

    guide = book.create_sheet(GUIDE)
    guide.sheet_view.showGridLines = False
    guide.append([GUIDE])
    guide["A1"].font = Font(name="Calibri", size=18, bold=True, color=HEADER_FILL)
    guide.append([])
    for number, step in enumerate(_STEPS, start=1):
        guide.append([number, step])
        guide.merge_cells(start_row=guide.max_row, end_row=guide.max_row, start_column=2, end_column=5)
        guide.cell(guide.max_row, 1).alignment = Alignment(horizontal="center", vertical="top")
        guide.cell(guide.max_row, 2).alignment = Alignment(vertical="top", wrap_text=True)
        guide.row_dimensions[guide.max_row].height = 20
    guide.append([])
    guide.append(["Column", "Header", "Filled in by", "Holds", "Meaning"])
    start = guide.max_row
    for column in COLUMNS:
        guide.append([column.letter, column.header, _FILLED_BY[column.filled_by], _KINDS[column.kind], column.note])
    _guide_look(guide, start)


def _guide_look(guide: "Worksheet", start: int) -> None:
    from openpyxl.styles import Alignment, Border, Font, PatternFill, Side

    line = Border(bottom=Side(style="thin", color="FFD0D7DE"))
    for letter, width in zip("ABCDE", (10, 32, 14, 20, 100), strict=True):
        guide.column_dimensions[letter].width = width
    for cell in guide[start]:
        cell.font = Font(name="Calibri", size=11, bold=True, color="FFFFFFFF")
        cell.fill = PatternFill("solid", fgColor=HEADER_FILL)
        cell.alignment = Alignment(vertical="center")
    guide.row_dimensions[start].height = 22
    for row, column in zip(guide.iter_rows(min_row=start + 1), COLUMNS, strict=True):
        for cell in row:
            cell.alignment = Alignment(vertical="top", wrap_text=True)
            cell.border = line
        row[0].font = Font(name="Calibri", bold=True, color=HEADER_FILL if column.filled_by == "person" else RUN_FILL)
        row[1].font = Font(name="Calibri", bold=True)


def _undated(content: bytes) -> bytes:
    """Return the file packed again without the time it was made at."""
    like = zipfile.ZipInfo("like", _DATE)
    out = io.BytesIO()
    writer = PackageWriter(out)
    for name, part in undated_parts(content):
        writer.add(new_part(name, like), [part])
    writer.close()
    return out.getvalue()


def undated_parts(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the parts of a file just made, without the time it was made at."""
    package = Package(content, Limits())
    for info in package.entries.values():
        part = package.read(info.filename)
        if info.filename == "docProps/core.xml":
            part = _STAMP.sub(rb"\g<1>2026-01-01T00:00:00Z", part)
        yield info.filename, part
