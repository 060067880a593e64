"""The last look at a finished workbook: it is opened again and compared before anybody gets it."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import zip_longest

from service.errors import WorkbookRefused, WorkbookUnverified
from service.workbook._book import Book, naming
from service.workbook._cell import Cell
from service.workbook._formulas import scan_formulas
from service.workbook._frame import find_frame
from service.workbook._in_place import Written
from service.workbook._package import Package
from service.workbook._records import CellValue
from service.workbook._row_editor import row_hash
from service.workbook._sheet import SheetReader
from service.workbook._values import Values
from service.workbook._xml import check_form, utf8


def verify(before: Package, after: Package, written: Written) -> None:
    """Raise `WorkbookUnverified` unless untouched parts are the same bytes and each written cell reads back."""
    _same_parts(before, after, written)
    try:
        _whole_parts(after, written)
        book = Book(after)
        _same_cells(book, written)
        _no_orphans(book, written)
    except WorkbookUnverified:
        raise
    except WorkbookRefused as error:
        raise WorkbookUnverified(problem=error.message) from error


def _same_parts(before: Package, after: Package, written: Written) -> None:
    for key, info in before.entries.items():
        if key in written.changed:
            continue
        copy = after.entries.get(key)
        if copy is None or copy.CRC != info.CRC or not _same(before.compressed(info), after.compressed(copy)):
            raise WorkbookUnverified(problem=f"part {info.filename} has changed")


def _whole_parts(after: Package, written: Written) -> None:
    for key in written.changed:
        if key in after and key != written.part:
            with naming(after.entries[key].filename):
                check_form(after.stream(key))


def _same(one: Iterator[bytes], other: Iterator[bytes]) -> bool:
    return all(piece == copy for piece, copy in zip_longest(one, other))


def _same_cells(book: Book, written: Written) -> None:
    values = Values(book)
    sheet = next(sheet for sheet in book.sheets if sheet.name == written.sheet)
    expected = dict(written.rows)
    for number, cells in SheetReader(utf8(book.package.stream(sheet.part)), wanted=frozenset(written.columns)):
        hashed = expected.pop(number, None)
        if hashed is not None and hashed != row_hash([cell_value(values, cells.get(one)) for one in written.columns]):
            raise WorkbookUnverified(problem=f"row {number} does not read as it was written")
    if expected:
        raise WorkbookUnverified(problem=f"row {min(expected)} is missing")


def _no_orphans(book: Book, written: Written) -> None:
    """Make sure that every shared formula is spelled out somewhere, unless it was not before."""

    if written.orphans is None:
        return

    def stream() -> Iterator[bytes]:
        return utf8(book.package.stream(written.part))

    orphans = scan_formulas(stream(), find_frame(stream)).orphans - written.orphans
    if orphans:
        raise WorkbookUnverified(problem=f"shared formula {min(orphans)} has lost its text")


def cell_value(values: Values, cell: Cell | None) -> CellValue | None:
    """Return what a cell holds; a number that is none is the text it is."""
    if cell is None:
        return None
    kind, stored, _, _ = cell
    if kind == "b":
        return stored == "1"
    if kind == "n" and stored:
        with suppress(ValueError):
            return float(stored)
    return values.text(cell)
