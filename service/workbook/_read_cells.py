"""Reading an experiment: from the sheet `NIAH` to the texts of its cells; what they mean is told by the service."""

from collections.abc import Iterator, Mapping

from service.errors import WorkbookNoQuestions, WorkbookTooLarge
from service.workbook._book import Book
from service.workbook._cell import Cell
from service.workbook._frame import Framing, find_frame
from service.workbook._header import Place, locate
from service.workbook._in_place import Site, sheet_xml
from service.workbook._package import Package
from service.workbook._records import CellRecord, Summary
from service.workbook._run_sheet import find_run_id, find_run_sheet, pairs_of
from service.workbook._sheet import SheetReader
from service.workbook._table import NIAH
from service.workbook._trial import try_writing
from service.workbook._values import Values
from service.workbook.columns import column_letter, normalise
from service.workbook.niah_columns import EXPERIMENT, NIAH_COLUMNS, SHEET


def is_experiment(package: Package, sheet: str | None = None) -> bool:
    """Tell whether a workbook holds an experiment, unless another of its sheets is asked for by name."""
    if sheet is not None and normalise(sheet) != normalise(SHEET):
        return False
    return any(each.visible and normalise(each.name) == normalise(SHEET) for each in Book(package).sheets)


def read_cells(package: Package) -> Iterator[CellRecord | Summary]:
    """Yield the rows of the sheet `NIAH`, and at the end what else the workbook holds of the experiment."""
    book = Book(package)
    values = Values(book)
    place = locate(book, values, SHEET, NIAH)
    columns = place.header.columns
    places = [columns.get(column.header, 0) for column in NIAH_COLUMNS]
    needed = [columns[header] for header in NIAH.required]
    count = 0
    framing = Framing()
    wanted = frozenset(columns.values())
    reader = SheetReader(sheet_xml(package, place), wanted=wanted, after=place.header.row, watch=framing.push)
    for number, cells in reader:
        texts = {column: _text(cell, values) for column, cell in cells.items()}
        if any(texts.get(column, "").strip() for column in needed):
            count += 1
            if count > package.limits.questions:
                raise WorkbookTooLarge(what="the number of cells", limit=f"{package.limits.questions:,}")
            yield CellRecord(number, tuple(texts.get(column, "") for column in places))
    if not count:
        header = f"{NIAH.required[0]} ({column_letter(columns[NIAH.required[0]])})"
        raise WorkbookNoQuestions(header_row=place.header.row, sheet=place.sheet.name, column=header)
    values.finish()
    package.check()
    frame = find_frame(lambda: sheet_xml(package, place), framing)
    try_writing(Site(package, book, values, place, frame, NIAH))
    yield _summary(book, values, place)


def _text(cell: Cell, values: Values) -> str:
    """Return a number as it is stored, whatever its format, unless it is shown in percent; else what a person sees."""
    shown = values.text(cell)
    return cell[1] if cell[0] == "n" and cell[1] and not shown.endswith("%") else shown


def _summary(book: Book, values: Values, place: Place) -> Summary:
    header = place.header
    plan = next((sheet for sheet in book.sheets if normalise(sheet.name) == normalise(EXPERIMENT)), None)
    told: Mapping[str, str] = pairs_of(book, values, find_run_sheet(book, values))
    return Summary(
        sheet=place.sheet.name,
        header_row=header.row,
        columns={name: column_letter(column) for name, column in header.columns.items()},
        missing=tuple(column.header for column in NIAH_COLUMNS if column.header not in header.columns),
        reviews={},
        notes=tuple((note.row, note.cell, note.code, note.message) for note in header.notes),
        errors=(),
        run_id=find_run_id(book, values),
        niah=(dict(pairs_of(book, values, plan)), dict(told)),
    )
