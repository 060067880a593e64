"""Filters over the benchmark sheet: stored ones are cleared where they would hide new flags, one may be set."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from service.workbook._book import Book, Sheet, read_relations
from service.workbook._frame import Area, Frame, read_area
from service.workbook._parts import EditedPart
from service.workbook._xml import Edit, Element, set_attribute

_FLAGGED = '<{0}filterColumn colId="{1}"><{0}filters><{0}filter val="TRUE"/></{0}filters></{0}filterColumn>'
_BEFORE_FILTER = ("sheetCalcPr", "sheetProtection", "protectedRanges", "scenarios")


@dataclass
class Filters:
    """The filters of a sheet: its own, and those of its tables."""

    frame: Frame
    tables: list[EditedPart]
    cleared: list[Area] = field(default_factory=list)
    flagged: Area | None = None
    own_area: Area | None = None
    """The area of the sheet's own filter once it is set; Excel wants a hidden name for it."""

    def __post_init__(self) -> None:
        self.content, self.tail = self.frame.tail_tree()
        self.own = self.tail.first("autoFilter")
        self.edits: list[Edit] = []

    def clear(self, output: Collection[int]) -> None:
        """Clear each filter that has a condition on one of the columns."""
        if self.own is not None:
            self.edits += self._clear(self.own, output)
        for table in self.tables:
            element = table.root.first("autoFilter")
            if element is not None:
                table.edits += self._clear(element, output)

    def _clear(self, element: Element, output: Collection[int]) -> list[Edit]:
        area = read_area(element.get("ref"))
        conditions = element.all("filterColumn")
        if area is None or not any(area.left + one.number("colId") in output for one in conditions):
            return []
        self.cleared.append(area)
        return [(one.start, one.end, b"") for one in conditions]

    def set_flagged(self, column: int, area: Area) -> None:
        """Filter on TRUE in a column: in the table that holds it, else in the sheet's own filter."""
        for table in self.tables:
            of_table = _filtered(table)
            if of_table and of_table.top == area.top and of_table.left <= column <= of_table.right:
                self.flagged = of_table
                table.edits = [_replaced(table, _condition(table.root.prefix, column, of_table), of_table)]
                return
        if any(_overlap(read_area(table.root.get("ref")), area) for table in self.tables):
            area = Area(column, area.top, column, area.bottom)
        self.flagged = area
        if any(_overlap(read_area(table.root.get("ref")), area) for table in self.tables):
            return  # a table without a header over the flags: its rows are hidden, but Excel allows no filter there
        self.own_area = area
        prefix = self.tail.prefix
        xml = f'<{prefix}autoFilter ref="{area.reference}">{_condition(prefix, column, area)}</{prefix}autoFilter>'
        if self.own is not None:
            self.edits = [(self.own.start, self.own.end, xml.encode())]
        else:
            places = [element.end for name in _BEFORE_FILTER for element in self.tail.all(name)]
            at = max(places, default=self.tail.open_end)
            self.edits = [(at, at, xml.encode())]

    def touch(self, number: int) -> bool:
        """Say whether a row is hidden or shown by what changed in the filters."""
        areas = [*self.cleared, self.flagged] if self.flagged else self.cleared
        return any(area.top < number <= area.bottom for area in areas)

    def hidden(self, number: int, is_flagged: bool) -> bool | None:
        """Say whether a row is to be hidden (True) or shown (False); None leaves it as it is."""
        if self.flagged and self.flagged.top < number <= self.flagged.bottom:
            return not is_flagged
        return False if any(area.top < number <= area.bottom for area in self.cleared) else None


def _filtered(table: EditedPart) -> Area | None:
    """Return the rows of a table that its filter may hide, with the header above them: not the row of totals."""
    area = read_area(table.root.get("ref"))
    if area is None or table.root.get("headerRowCount") == "0":
        return None
    return replace(area, bottom=max(area.top, area.bottom - table.root.number("totalsRowCount")))


def _condition(prefix: str, column: int, area: Area) -> str:
    return _FLAGGED.format(prefix, column - area.left)


def _replaced(table: EditedPart, condition: str, area: Area) -> Edit:
    prefix = table.root.prefix
    xml = f'<{prefix}autoFilter ref="{area.reference}">{condition}</{prefix}autoFilter>'.encode()
    element = table.root.first("autoFilter")
    if element is not None:
        return element.start, element.end, xml
    return table.root.open_end, table.root.open_end, xml


def _overlap(one: Area | None, other: Area) -> bool:
    if one is None:
        return False
    return one.left <= other.right and other.left <= one.right and one.top <= other.bottom and other.top <= one.bottom


def read_filters(book: Book, sheet: Sheet, frame: Frame) -> Filters:
    """Return the filters of a sheet."""
    tables = [relation.part for relation in read_relations(book.package, sheet.part) if relation.kind == "table"]
    return Filters(frame, [EditedPart(book.package, part) for part in tables if part in book.package])


def unmerged(frame: Frame, columns: Collection[int], rows: Collection[int]) -> tuple[list[Edit], list[Area]]:
    """Return the edits of the tail that take apart merged cells over written cells, and those areas."""
    content, tail = frame.tail_tree()
    listed = tail.first("mergeCells")
    if listed is None:
        return [], []
    edits: list[Edit] = []
    areas: list[Area] = []
    merged = listed.all("mergeCell")
    for element in merged:
        area = read_area(element.get("ref"))
        if area and _covers(area, columns, rows):
            edits.append((element.start, element.end, b""))
            areas.append(area)
    if areas and len(areas) == len(merged):
        return [(listed.start, listed.end, b"")], areas
    if areas:
        edits.append(set_attribute(content, listed, "count", str(len(merged) - len(areas))))
    return edits, areas


def _covers(area: Area, columns: Collection[int], rows: Collection[int]) -> bool:
    if not any(area.left <= column <= area.right for column in columns):
        return False
    span = range(area.top, area.bottom + 1)
    return any(row in rows for row in span) if len(span) < len(rows) else any(row in span for row in rows)
