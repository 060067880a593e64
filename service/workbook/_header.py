"""Finding the sheet and the header row, and which column is which, by name and not by position."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from service.errors import (
    HeaderAnswerAlone,
    HeaderSecondName,
    WorkbookHeaderAmbiguous,
    WorkbookHeaderMissing,
    WorkbookNoSheet,
    WorkbookSheetEmpty,
    WorkbookSheetUnknown,
    WorkbookTwoSheets,
)
from service.workbook._book import Book, Sheet
from service.workbook._records import Finding, finding
from service.workbook._sheet import rows_of
from service.workbook._table import BENCHMARK, Table
from service.workbook._values import Values
from service.workbook._xml import utf8
from service.workbook.columns import column_letter, normalise

HEADER_ROWS: Final = 10
"""The header row is looked for in so many rows."""

Texts = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Header:
    """The header row and the column number of each header found, with what is odd about it."""

    row: int
    columns: Mapping[str, int]
    notes: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """The sheet that holds the questions, and its header."""

    sheet: Sheet
    header: Header


def locate(book: Book, values: Values, wanted: str | None, table: Table = BENCHMARK) -> Place:
    """Return the first visible sheet with the table's headers, or the wanted one; two of them are refused by name."""
    sheets = _wanted(book, wanted) if wanted else [sheet for sheet in book.sheets if sheet.visible]
    if not sheets:
        raise WorkbookNoSheet()
    tops = {sheet.name: _top(book, values, sheet) for sheet in sheets}
    found = [Place(sheet, header) for sheet in sheets if (header := _find_in(sheet, tops[sheet.name], table))]
    if len(found) > 1:
        raise WorkbookTwoSheets(sheets=", ".join(f"“{place.sheet.name}”" for place in found))
    if found:
        return found[0]
    filled = [sheet for sheet in sheets if tops[sheet.name]]
    if not filled:
        raise WorkbookSheetEmpty(sheet=sheets[0].name)
    best = max(filled, key=lambda sheet: max(len(named_headers(texts, table)) for _, texts in tops[sheet.name]))
    raise header_missing(best.name, tops[best.name], table)


def _wanted(book: Book, name: str) -> list[Sheet]:
    exact = [sheet for sheet in book.sheets if sheet.name == name]
    alike = exact or [sheet for sheet in book.sheets if normalise(sheet.name) == normalise(name)]
    if not alike:
        raise WorkbookSheetUnknown(sheet=name, sheets=", ".join(f"“{sheet.name}”" for sheet in book.sheets))
    return alike[:1]


def _top(book: Book, values: Values, sheet: Sheet) -> list[tuple[int, Texts]]:
    rows: list[tuple[int, Texts]] = []
    for number, cells in rows_of(utf8(book.package.stream(sheet.part))):
        if number > HEADER_ROWS:
            if cells and not rows:
                rows.append((number, {}))  # not empty: its first texts only come too late to be headers
            break
        texts = {column: text for column, cell in cells.items() if (text := values.text(cell).strip())}
        if texts:
            rows.append((number, texts))
    return rows


def _find_in(sheet: Sheet, rows: Sequence[tuple[int, Texts]], table: Table) -> Header | None:
    """Return the header of a sheet; cells that are refused are named with it, since they may stand in any sheet."""
    try:
        return find_header(rows, table)
    except WorkbookHeaderAmbiguous as error:
        cells = f"{error.params['cells']} of sheet “{sheet.name}”"
        raise WorkbookHeaderAmbiguous(header=error.params["header"], cells=cells) from error


def find_header(rows: Sequence[tuple[int, Texts]], table: Table = BENCHMARK) -> Header | None:
    """Return the first of the rows (number, texts by column) with the headers the table requires."""
    for number, texts in rows:
        named = named_headers(texts, table)
        if all(header in named for header in table.required):
            return _header(number, texts, named, table)
    return None


def header_missing(sheet: str, rows: Sequence[tuple[int, Texts]], table: Table = BENCHMARK) -> WorkbookHeaderMissing:
    """Return the refusal that names the first header missing, and what stands in the row that comes closest."""
    number, texts = max(rows, key=lambda row: len(named_headers(row[1], table)))
    named = named_headers(texts, table)
    absent = next(header for header in table.required if header not in named)
    found = ", ".join(f"{text[:40]} in {column_letter(column)}{number}" for column, text in list(texts.items())[:8])
    return WorkbookHeaderMissing(column=absent, rows=HEADER_ROWS, sheet=sheet, found=found or "nothing")


def named_headers(texts: Texts, table: Table = BENCHMARK) -> dict[str, list[list[int]]]:
    """Return for each header of the table the columns with its own name and those with another name for it."""
    named: dict[str, list[list[int]]] = {}
    for column, text in texts.items():
        match = table.names.get(normalise(text))
        if match:
            header, rank = match
            named.setdefault(header, [[], []])[rank].append(column)
    return named


def _header(number: int, texts: Texts, named: Mapping[str, list[list[int]]], table: Table) -> Header:
    columns: dict[str, int] = {}
    notes: list[Finding] = []
    for header, (own, other) in named.items():
        candidates = own or other
        if len(candidates) > 1:
            cells = ", ".join(f"{column_letter(column)}{number}" for column in candidates)
            raise WorkbookHeaderAmbiguous(header=header, cells=cells)
        columns[header] = candidates[0]
        for column in other if own else ():
            cell = f"{column_letter(column)}{number}"
            place = f"{column_letter(own[0])}{number}"
            problem = HeaderSecondName(cell=cell, text=texts[column][:60], header=header, other=place)
            notes.append(finding(number, cell, problem))
    judged = any(column.verdict[0] and column.header in columns for column in table.output)
    if table is BENCHMARK and "answer" in columns and not judged and "answer_benchmark" not in columns:
        cell = f"{column_letter(columns['answer'])}{number}"
        notes.append(finding(number, cell, HeaderAnswerAlone(cell=cell)))
    return Header(number, dict(sorted(columns.items(), key=lambda item: item[1])), tuple(notes))
