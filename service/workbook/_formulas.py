"""Formulas that stand in one cell and mean others too: none may be lost because that cell, or one it fills, is written.

A *shared* formula is spelled out in its first cell only; the others name its number. When the first cell may be
written, each of the others is given its own. An *array* formula or a data table fills cells around it, and would
overwrite in Excel what was written there: such a formula gives way to the values it has left.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from service.workbook._fast_rows import resolve
from service.workbook._frame import Area, Frame, read_area
from service.workbook._sheet import SheetReader
from service.workbook._splice import CellSpan, RowEditor, RowSpan, splice
from service.workbook._translate import translated
from service.workbook._xml import tag_with

_ATTRIBUTE: Final = re.compile(rb"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_OVER_CELLS: Final = ("array", "dataTable")


@dataclass(frozen=True)
class Formula:
    """A formula as it stands in a cell; `start` and `end` say where in the bytes of its row."""

    column: int
    row: int
    text: str
    attributes: dict[str, str]
    start: int
    end: int

    @property
    def shared(self) -> str:
        """Return the number under which it is shared, empty when it is not."""
        return self.attributes.get("si", "") if self.attributes.get("t") == "shared" else ""

    @cached_property
    def area(self) -> Area | None:
        """Return the cells an array formula or a data table fills, None when it is its own only."""
        area = read_area(self.attributes.get("ref", "")) if self.attributes.get("t") in _OVER_CELLS else None
        return area if area and (area.top, area.left) != (area.bottom, area.right) else None


def formulas_in(row: RowSpan) -> Iterator[tuple[CellSpan, Formula]]:
    """Yield the cells of a row that hold a formula."""
    tag, close = f"<{row.prefix}f".encode(), f"</{row.prefix}f".encode()
    for span in row.cells if row.any_formula else ():
        if row.has_formula(span):
            yield span, _formula(row, span, tag, close)


def _formula(row: RowSpan, span: CellSpan, tag: bytes, close: bytes) -> Formula:
    content = row.content
    start = content.index(tag, span[1])
    opened = end = content.index(b">", start) + 1
    text = b""
    if content[opened - 2 : opened] != b"/>":
        closing = content.index(close, opened)
        text, end = content[opened:closing], content.index(b">", closing) + 1
    found = {
        name.decode(): (double or single).decode()
        for name, double, single in _ATTRIBUTE.findall(content, start, opened)
    }
    return Formula(span[0], row.number, resolve(text.decode()) or "", found, start, end)


@dataclass
class FormulaScan:
    """The formulas of a sheet that concern more than their own cell."""

    firsts: dict[str, Formula] = field(default_factory=dict)
    followers: set[str] = field(default_factory=set)
    over_cells: list[Formula] = field(default_factory=list)

    @property
    def orphans(self) -> set[str]:
        """Return the numbers that cells name and no cell spells out."""
        return self.followers - self.firsts.keys()

    def __call__(self, row: RowSpan) -> None:
        """Look at a row."""
        for _, formula in formulas_in(row):
            if formula.shared and formula.text:
                self.firsts.setdefault(formula.shared, formula)
            elif formula.shared:
                self.followers.add(formula.shared)
            elif formula.area:
                self.over_cells.append(formula)


def scan_formulas(pieces: Iterable[bytes], frame: Frame) -> FormulaScan:
    """Return the formulas of a sheet that concern more than their own cell."""
    scan = FormulaScan()
    for _ in splice(pieces, frame, scan):
        pass
    return scan


@dataclass(frozen=True)
class FormulaGround:
    """The columns that may be written, in rows below the header that hold something in the column `key`."""

    columns: frozenset[int]
    key: int
    header_row: int


@dataclass
class Settling:
    """Makes formulas independent of the cells that are written; `replaced` names those that became values."""

    shared: dict[str, Formula] = field(default_factory=dict)
    over_cells: set[tuple[int, int]] = field(default_factory=set)
    orphans: set[str] = field(default_factory=set)

    @property
    def replaced(self) -> list[str]:
        """Return the cells whose formula gives way to its values."""
        return [Area(column, row, column, row).reference for row, column in sorted((r, c) for c, r in self.over_cells)]

    def around(self, edit: RowEditor) -> RowEditor:
        """Return an editor that settles the formulas of each row first."""
        if not self.shared and not self.over_cells:
            return edit

        def settle_and_edit(row: RowSpan) -> bytes | None:
            settled = self.settled(row)
            return edit(settled) or (settled.content if settled is not row else None)

        return settle_and_edit

    def settled(self, row: RowSpan) -> RowSpan:
        """Return the row with the formulas that have to be independent."""
        pieces: list[bytes] = []
        position = 0
        for span, formula in formulas_in(row):
            own = self.own(span, formula, row)
            if own is not None:
                pieces += (row.content[position : span[1]], own)
                position = span[2]
        if not pieces:
            return row
        return RowSpan(row.number, b"".join([*pieces, row.content[position:]]), row.body, row.prefix)

    def own(self, span: CellSpan, formula: Formula, row: RowSpan) -> bytes | None:
        """Return a cell with a formula of its own, or without one; None when it stays as it is."""
        before, after = row.content[span[1] : formula.start], row.content[formula.end : span[2]]
        if (formula.column, formula.row) in self.over_cells:
            return tag_with(before, "cm", None) + after
        first = self.shared.get(formula.shared)
        if first is None:
            return None
        text = formula.text or translated(first.text, formula.column - first.column, formula.row - first.row)
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        name = f"{row.prefix}f"
        return before + f"<{name}>{escaped}</{name}>".encode() + after


def settle(stream: Callable[[], Iterable[bytes]], frame: Frame, written: FormulaGround) -> Settling:
    """Return what has to become of the formulas of a sheet when cells are written; few sheets have any such."""
    if not frame.over_cells:
        return Settling()
    scan = scan_formulas(stream(), frame)
    shared = [formula for formula in scan.firsts.values() if formula.column in written.columns]
    over_cells = [formula for formula in scan.over_cells if formula.area and _touches(formula.area, written.columns)]
    if not shared and not over_cells:
        return Settling(orphans=scan.orphans)
    reader = SheetReader(stream(), wanted=frozenset((written.key,)), after=written.header_row)
    rows = [number for number, cells in reader if cells]
    return Settling(
        {formula.shared: formula for formula in shared if _holds(rows, formula.row, formula.row)},
        {(f.column, f.row) for f in over_cells if f.area and _holds(rows, f.area.top, f.area.bottom)},
        scan.orphans,
    )


def _touches(area: Area, columns: Collection[int]) -> bool:
    return any(area.left <= column <= area.right for column in columns)


def _holds(rows: Sequence[int], top: int, bottom: int) -> bool:
    """Say whether one of the ascending rows lies between two, both included."""
    place = bisect_left(rows, top)
    return place < len(rows) and rows[place] <= bottom
