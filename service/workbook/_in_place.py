"""Changing a workbook in place: rows of one sheet are edited, named parts replaced, everything else is copied."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

from service.errors import WorkbookRefused
from service.workbook._book import Book, attributes_in
from service.workbook._cell import LAST_COLUMN
from service.workbook._filter import Filters, read_filters, unmerged
from service.workbook._formulas import FormulaGround, Settling, settle
from service.workbook._frame import Area, Frame, find_frame, read_area
from service.workbook._header import Place, locate
from service.workbook._package import Package, PackageWriter, new_part, part_key
from service.workbook._parts import Changes
from service.workbook._plan import Plan, new_head, plan_columns, used_columns
from service.workbook._sheet import rows_of
from service.workbook._splice import RowEditor, splice
from service.workbook._table import BENCHMARK, Table
from service.workbook._values import Values
from service.workbook._xml import edited, plain_xml, utf8
from service.workbook.columns import Column, column_letter


@dataclass(frozen=True, slots=True)
class Written:
    """What was written where, as the verification needs it.

    `rows` maps row numbers to the hash of what stands in `columns`; `changed` names the parts that may differ;
    `orphans` are the shared formulas that were spelled out nowhere before, None where there are none at all.
    """

    sheet: str
    part: str
    columns: tuple[int, ...]
    rows: dict[int, int]
    changed: frozenset[str]
    orphans: frozenset[str] | None


@dataclass(frozen=True)
class Site:
    """The sheet of a workbook that is written: where it stands, its header, and the frame around its rows."""

    package: Package
    book: Book
    values: Values
    place: Place
    frame: Frame
    table: Table = BENCHMARK

    def pieces(self) -> Iterator[bytes]:
        """Yield the sheet's XML in UTF-8 as the frame describes it: made plain where it is not."""
        pieces = sheet_xml(self.package, self.place)
        return pieces if self.frame.plain else plain_xml(pieces)


def sheet_xml(package: Package, place: Place) -> Iterator[bytes]:
    """Yield the XML of a sheet in UTF-8."""
    return utf8(package.stream(place.sheet.part))


def open_site(package: Package, sheet: str | None, table: Table = BENCHMARK) -> Site:
    """Return the sheet with the table's headers, or the one wanted, ready to be written."""
    book = Book(package)
    values = Values(book)
    place = locate(book, values, sheet, table)
    return Site(package, book, values, place, find_frame(lambda: sheet_xml(package, place)), table)


_LISTED = 20
"""So many cells are named in a note; the others are counted."""


def listed(cells: Sequence[str]) -> str:
    """Return cells as a note lists them."""
    more = len(cells) - _LISTED
    return ", ".join(cells[:_LISTED]) + (f" and {more:,} more" if more > 0 else "")


class InPlace:
    """One workbook under the knife; `columns` must stand in it, those of them in `touched` are written.

    `used` are the columns in which anything stands, where they are known.
    """

    def __init__(self, site: Site, columns: Collection[Column], used: Collection[int] | None = None) -> None:
        self.site = site
        self.package = site.package
        self.book, self.values, self.place, self.frame = site.book, site.values, site.place, site.frame
        if used is None and not self.frame.last_row:  # rows without numbers follow each other: they have to be counted
            last = max((number for number, _ in rows_of(site.pieces())), default=0)
            self.frame = replace(self.frame, last_row=last)
        self.plan = self._plan(columns, used)
        self.changes = Changes(self.book)
        self.filters: Filters = read_filters(self.book, self.place.sheet, self.frame)
        self.settling = Settling()
        self.taken_apart: list[str] = []

    def _plan(self, columns: Collection[Column], used: Collection[int] | None) -> Plan:
        missing = any(column.header not in self.place.header.columns for column in columns)
        if used is None:
            used = used_columns(rows_of(self.site.pieces())) if missing else set()
        return plan_columns(self.place.header, columns, used)

    def numbers(self, columns: Iterable[Column]) -> set[int]:
        """Return the numbers of those columns that stand in this sheet."""
        return {self.plan.columns[column.header] for column in columns if column.header in self.plan.columns}

    def whole_area(self) -> Area:
        """Return the area from the header to the last row, over all columns."""
        dimension = self.frame.head_tree().first("dimension")
        area = read_area(dimension.get("ref")) if dimension else None
        stated = area.right if area and area.right < LAST_COLUMN else 0
        top = self.plan.header_row
        return Area(1, top, max(stated, self.plan.last), max(self.frame.last_row, top + 1))

    def will_write(self, touched: Collection[int]) -> None:
        """Settle the formulas that meet columns which may be written, and the calculation chain."""
        written = FormulaGround(
            frozenset(touched), self.plan.columns[self.site.table.required[0]], self.plan.header_row
        )
        self.settling = settle(self.site.pieces, self.frame, written)
        chain = self.book.related("calcChain")
        if chain and (self.settling.over_cells or self._counts_on(chain, touched)):
            self.changes.drop(chain)

    def _counts_on(self, chain: str, touched: Collection[int]) -> bool:
        """Say whether the chain names a cell that is written: Excel would call the file damaged.

        One that cannot be read is as good as dropped: Excel makes it anew.
        """
        letters = {column_letter(column) for column in touched}
        try:
            return any(cell.rstrip("0123456789") in letters for cell in attributes_in(self.package, chain, "r"))
        except WorkbookRefused:
            return True

    def finish(self) -> None:
        """Make the parts that change; the rows of the sheet are still to come."""
        for table in self.filters.tables:
            if table.edits:
                self.changes.replaced[table.name] = table.result()
        self.changes.finish()

    def into(self, out: BinaryIO, edit: RowEditor, tail: Callable[[], bytes], last: Callable[[], None]) -> None:
        """Write the file: parts in their old order with the sheet spliced, then those `last` has added."""
        self.finish()
        replaced = {part_key(name): content for name, content in self.changes.replaced.items()}
        writer = PackageWriter(out)
        for key, info in self.package.entries.items():
            if key in self.changes.dropped:
                continue
            if key == part_key(self.place.sheet.part):
                writer.add(info, self._sheet(edit, tail))
            elif key in replaced:
                writer.add(info, [replaced[key]])
            else:
                writer.copy(self.package, info)
        last()
        like = self.package.entries[part_key(self.book.part)]
        for name, content in self.changes.added.items():
            writer.add(new_part(name, like), [content])
        writer.close()

    def _sheet(self, edit: RowEditor, tail: Callable[[], bytes]) -> Iterator[bytes]:
        yield new_head(self.frame, self.plan)
        yield from splice(self.site.pieces(), self.frame, self.settling.around(edit))
        yield self.frame.close
        yield tail()

    def tail(self, touched: Collection[int], rows: Collection[int]) -> bytes:
        """Return what follows the rows: filters changed, merged cells over written ones taken apart."""
        edits, areas = unmerged(self.frame, touched, rows)
        self.taken_apart += [area.reference for area in areas]
        content, tree = self.frame.tail_tree()
        return edited(content, [*edits, *self.filters.edits])[tree.open_end :]

    def changes_beside(self) -> tuple[tuple[str, list[str]], ...]:
        """Return what else became of the sheet, by title: the cells concerned."""
        return (
            ("Filters cleared, they could hide new flags", [area.reference for area in self.filters.cleared]),
            ("Merged cells taken apart", self.taken_apart),
            ("Formulas over several cells replaced by their values", self.settling.replaced),
        )

    def written(self, columns: Collection[Column], rows: dict[int, int]) -> Written:
        """Return what the verification compares: the columns with their rows' hashes, and the parts that changed."""
        changed = {*self.changes.replaced, *self.changes.added, self.place.sheet.part}
        keys = frozenset({*map(part_key, changed), *self.changes.dropped})
        return Written(
            sheet=self.place.sheet.name,
            part=self.place.sheet.key,
            columns=tuple(sorted(self.numbers(columns))),
            rows=rows,
            changed=keys,
            orphans=frozenset(self.settling.orphans) if self.frame.over_cells else None,
        )
