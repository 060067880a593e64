"""Reading what a run wrote: the flags of each row, and the sheet `Run` as it stands."""

from collections.abc import Iterator
from typing import Final

from service.workbook._book import Book
from service.workbook._header import locate
from service.workbook._package import Package
from service.workbook._records import FlagTexts
from service.workbook._run_sheet import read_run_sheet
from service.workbook._sheet import SheetReader
from service.workbook._values import Values
from service.workbook._xml import utf8
from service.workbook.columns import COLUMNS

_HEADERS: Final = tuple(column.header for column in COLUMNS if column.verdict[0])


def read_flags(package: Package, sheet: str | None = None) -> Iterator[FlagTexts]:
    """Yield each row's cells in the columns of verdicts, by header; rows without any are left out."""
    book = Book(package)
    values = Values(book)
    place = locate(book, values, sheet)
    columns = {place.header.columns[name]: name for name in _HEADERS if name in place.header.columns}
    stream = utf8(package.stream(place.sheet.part))
    for number, cells in SheetReader(stream, wanted=frozenset(columns), after=place.header.row):
        texts = {columns[column]: text for column, text in values.texts(cells).items() if column in columns and text}
        if texts:
            yield FlagTexts(number, texts)


def read_report(package: Package) -> dict[str, list[tuple[str, ...]]]:
    """Return the lines of the sheet `Run` by the title of their section; none where no run wrote one."""
    book = Book(package)
    return read_run_sheet(book, Values(book))
