"""The sheet `Run`: what a person should know about the run that filled the benchmark sheet."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from service.workbook._book import Book, Sheet
from service.workbook._records import CellValue, Section
from service.workbook._sheet import rows_of
from service.workbook._styles import Styles
from service.workbook._text import cell_text, xml_text
from service.workbook._values import Values
from service.workbook._xml import utf8
from service.workbook.columns import column_letter

TITLE: Final = "flagbook run report"
"""Stands in A1: by it a sheet `Run` is known to be ours and may be replaced."""
RUN_ID: Final = "Run id"
_LOOKED_AT = 300


def find_run_sheet(book: Book, values: Values, name: str = "Run") -> Sheet | None:
    """Return the sheet an earlier run has written; a person's own sheet of that name is not it."""
    return next((sheet for sheet in book.sheets if _is_ours(book, values, sheet, name)), None)


def title_of(name: str) -> str:
    """Return what stands in A1 of a sheet of ours."""
    return TITLE if name == "Run" else f"flagbook {name.lower()}"


def _is_ours(book: Book, values: Values, sheet: Sheet, name: str) -> bool:
    if not sheet.name.startswith(name):
        return False
    first = next(_texts(book, values, sheet), {})
    return first.get(1) == title_of(name)


def _texts(book: Book, values: Values, sheet: Sheet) -> Iterator[dict[int, str]]:
    for _, cells in rows_of(utf8(book.package.stream(sheet.part))):
        yield {column: values.text(cell) for column, cell in cells.items()}


def find_run_id(book: Book, values: Values) -> str:
    """Return the id of the run that wrote the sheet `Run`, empty when there is none."""
    return pairs_of(book, values, find_run_sheet(book, values)).get(RUN_ID, "")


def read_run_sheet(book: Book, values: Values) -> dict[str, list[tuple[str, ...]]]:
    """Return the lines of the sheet `Run` by the title of their section; a title stands alone after an empty row."""
    sheet = find_run_sheet(book, values)
    sections: dict[str, list[tuple[str, ...]]] = {}
    lines: list[tuple[str, ...]] = []
    last = 1
    for number, cells in rows_of(utf8(book.package.stream(sheet.part))) if sheet else ():
        texts = {column: values.text(cell) for column, cell in cells.items()}
        line = tuple(texts.get(column, "") for column in range(1, max(texts, default=0) + 1))
        if not any(line):
            continue  # some programs write empty rows, too
        if number > last + 1:
            lines = sections.setdefault(line[0] if line else "", [])
        elif number > 1:
            lines.append(line)
        last = number
    return sections


def pairs_of(book: Book, values: Values, sheet: Sheet | None) -> dict[str, str]:
    """Return what stands in column B for each text in column A, of the first few hundred rows."""
    pairs: dict[str, str] = {}
    for texts in islice(_texts(book, values, sheet), _LOOKED_AT) if sheet else ():
        if texts.get(1):
            pairs.setdefault(texts[1], texts.get(2, ""))
    return pairs


def free_run_name(book: Book, name: str = "Run") -> str:
    """Return the name of a new sheet of ours; a person's own sheet of that name keeps it."""
    taken = {element.get("name").casefold() for element in book.all_sheets}
    names = (name, f"{name} (flagbook)", *(f"{name} (flagbook {number})" for number in range(2, 100)))
    return next(name for name in names if name.casefold() not in taken)


def run_sheet_xml(sections: Sequence[Section], styles: Styles, strict: bool) -> bytes:
    """Return the XML of the sheet: its title, then each section's title and lines."""
    namespace = (
        "http://purl.oclc.org/ooxml/spreadsheetml/main"
        if strict
        else "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    )
    rows: list[list[tuple[CellValue, int]]] = [[(TITLE, styles.title)]]
    for section in sections:
        rows += [[], [(section.title, styles.heading)]]
        rows += [[(value, styles.wrapped) for value in line] for line in section.lines]
    body = b"".join(_row(number, cells) for number, cells in enumerate(rows, start=1)).decode()
    return (
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="{namespace}">'
        '<sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews>'
        '<sheetFormatPr defaultRowHeight="15"/>'
        '<cols><col min="1" max="1" width="34" customWidth="1"/><col min="2" max="2" width="44" customWidth="1"/>'
        '<col min="3" max="12" width="16" customWidth="1"/></cols>'
        f"<sheetData>{body}</sheetData></worksheet>"
    ).encode()


def _row(number: int, cells: Sequence[tuple[CellValue, int]]) -> bytes:
    if not cells:
        return b""
    filled = [
        cell_xml(f"{column_letter(column)}{number}", cell_text(value) if isinstance(value, str) else value, style)
        for column, (value, style) in enumerate(cells, start=1)
    ]
    return b"".join((f'<row r="{number}">'.encode(), *filled, b"</row>"))


def cell_xml(reference: str, value: CellValue | None, style: int | str, prefix: str = "") -> bytes:
    """Return a cell: text inline and never a formula, numbers and booleans as such, None as an empty cell.

    A text must be one that a cell can hold (`cell_text`).
    """
    start = f'<{prefix}c r="{reference}" s="{style}"' if style != "" else f'<{prefix}c r="{reference}"'
    if value is None or value == "" or value != value:
        return f"{start}/>".encode()
    if value is True or value is False:
        return f'{start} t="b"><{prefix}v>{int(value)}</{prefix}v></{prefix}c>'.encode()
    if isinstance(value, str):
        return (
            f'{start} t="inlineStr"><{prefix}is><{prefix}t xml:space="preserve">{xml_text(value)}'
            f"</{prefix}t></{prefix}is></{prefix}c>"
        ).encode()
    number = value if isinstance(value, int) else float(value)
    return f"{start}><{prefix}v>{number!r}</{prefix}v></{prefix}c>".encode()
