"""CSV as people have it from other tools, made into a workbook on the template."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import shorten
from typing import BinaryIO, Final

from service.errors import CsvBroken, CsvRowsAbove, WorkbookTooLarge
from service.workbook._book import Book
from service.workbook._cell import LAST_COLUMN
from service.workbook._csv_records import Record, Records, texts_of
from service.workbook._frame import Area, find_frame
from service.workbook._header import find_header, header_missing
from service.workbook._package import Package, PackageWriter, part_key
from service.workbook._records import Finding, finding
from service.workbook._run_sheet import cell_xml
from service.workbook._splice import splice
from service.workbook._text import CELL_LIMIT, cell_text, units
from service.workbook._xml import edited, set_attribute, utf8
from service.workbook.columns import BY_HEADER, COLUMNS, column_letter

_QUOTED: Final = 200
"""So many characters of what is left out are quoted."""


def csv_to_xlsx(content: bytes, template: Package, out: BinaryIO) -> list[Finding]:
    """Write the template with the records in it; each stands in the row it has in the file, columns at their letters.

    A person's own columns follow after AB. Reads comma, semicolon and tab; UTF-8, UTF-16 and Windows-1252. Returns
    what is to be said of it.
    """
    records = Records(content, template.limits.questions * 2)
    header, names = _header(records.top)
    filled = {column for record in records.after(header) for column in texts_of(record)}
    names |= dict.fromkeys(sorted(filled - names.keys()), "")  # what has no header is kept as well
    if len(names) + len(COLUMNS) > LAST_COLUMN:
        raise WorkbookTooLarge(what="the number of columns", limit=f"{LAST_COLUMN - len(COLUMNS):,}")
    sheet = Book(template).sheets[0]
    writer = PackageWriter(out)
    for key, info in template.entries.items():
        if key == part_key(sheet.part):
            numbered = enumerate(records.after(header), start=header + 1)
            writer.add(info, _sheet(template, names, numbered, records.count))
        else:
            writer.copy(template, info)
    writer.close()
    return _above(records.top[: header - 1])


def _above(records: Sequence[Record]) -> list[Finding]:
    """Say what stands above the header row: the template has no place for it."""
    texts = [text for record in records for text in texts_of(record).values()]
    if not texts:
        return []
    return [finding(0, "", CsvRowsAbove(text=shorten("; ".join(texts), _QUOTED, placeholder=" …")))]


def _header(top: Sequence[Record]) -> tuple[int, dict[int, str]]:
    """Return the number of the header record and what each column of the file is named, as the table does if it can."""
    rows = [(number, texts_of(record)) for number, record in enumerate(top, start=1)]
    header = find_header(rows)
    if header is None:
        raise header_missing("CSV", rows or [(1, {})])
    return header.row, rows[header.row - 1][1] | {column: name for name, column in header.columns.items()}


def _sheet(
    template: Package, names: dict[int, str], records: Iterable[tuple[int, Record]], last_row: int
) -> Iterator[bytes]:
    """Yield the template's sheet with the numbered records as rows."""
    part = Book(template).sheets[0].part
    frame = find_frame(lambda: utf8(template.stream(part)))
    places, own = _places(names)
    last = max([*places.values(), len(COLUMNS)])
    dimension = frame.head_tree().first("dimension")
    wide = Area(1, 1, last, last_row).reference
    yield edited(frame.head, [set_attribute(frame.head, dimension, "ref", wide)] if dimension else [])
    extra = [(index, cell_xml(f"{column_letter(index)}1", cell_text(text), "")) for index, text in own]
    yield from splice(
        utf8(template.stream(part)), frame, lambda row: row.rebuilt(row.start_tag(), extra) if row.number == 1 else None
    )
    for number, record in records:
        yield _row(number, record, places)
    yield frame.close
    yield frame.tail


def _places(names: dict[int, str]) -> tuple[dict[int, int], list[tuple[int, str]]]:
    """Return where each column of the file goes, and the headers of the person's own columns."""
    places: dict[int, int] = {}
    own: list[tuple[int, str]] = []
    for column, name in names.items():
        known = BY_HEADER.get(name)
        if known is not None and known.index not in places.values():
            places[column] = known.index
        else:
            places[column] = len(COLUMNS) + len(own) + 1
            own.append((places[column], name))
    return places, own


def _row(number: int, record: Record, places: dict[int, int]) -> bytes:
    cells = sorted((place, record[column - 1]) for column, place in places.items() if column <= len(record))
    longest = max((units(text) for _, text in cells), default=0)
    if longest > CELL_LIMIT:
        raise CsvBroken(problem=f"a text in row {number} has {longest:,} characters, a cell holds {CELL_LIMIT:,}")
    filled = [cell_xml(f"{column_letter(place)}{number}", cell_text(text), "") for place, text in cells if text]
    return b"".join((f'<row r="{number}">'.encode(), *filled, b"</row>")) if filled else b""
