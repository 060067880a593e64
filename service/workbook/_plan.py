"""Where each column stands in one sheet, with room for the missing ones, and what the head of the sheet becomes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from service.workbook._cell import LAST_COLUMN, SheetRow
from service.workbook._frame import Area, Frame, read_area
from service.workbook._header import Header
from service.workbook._run_sheet import cell_xml
from service.workbook._splice import RowSpan
from service.workbook._xml import Edit, edited, insert_last, set_attribute
from service.workbook.columns import Column, column_letter


@dataclass(frozen=True, slots=True)
class Plan:
    """The column number of every header wanted, those that are new in the sheet, and how wide they are."""

    header_row: int
    columns: Mapping[str, int]
    added: Mapping[str, int]
    widths: Mapping[str, int]

    @property
    def last(self) -> int:
        """Return the number of the last column."""
        return max(self.columns.values())


def plan_columns(header: Header, wanted: Iterable[Column], used: Iterable[int]) -> Plan:
    """Return where columns stand: missing ones at their own letters when free, else after the last used column.

    Where the sheet ends before they do, they fill what is free.
    """
    columns = dict(header.columns)
    taken = {*used, *columns.values()}
    missing = [column for column in wanted if column.header not in columns]
    after = max([*taken, *(column.index for column in missing if column.index not in taken)], default=0)
    free = chain(range(after + 1, LAST_COLUMN + 1), (index for index in range(1, LAST_COLUMN) if index not in taken))
    added: dict[str, int] = {}
    for column in missing:
        index = column.index if column.index not in taken else next(free)
        taken.add(index)
        added[column.header] = index
    return Plan(header.row, columns | added, added, {column.header: column.width for column in missing})


def used_columns(rows: Iterable[SheetRow]) -> set[int]:
    """Return the columns in which anything stands."""
    used: set[int] = set()
    for _, cells in rows:
        if not cells.keys() <= used:
            used |= cells.keys()
    return used


def new_head(frame: Frame, plan: Plan) -> bytes:
    """Return the head of the sheet with its dimension extended and widths for the added columns."""
    tree = frame.head_tree()
    edits: list[Edit] = []
    dimension = tree.first("dimension")
    area = read_area(dimension.get("ref")) if dimension else None
    if dimension and area:
        bottom = max(area.bottom, frame.last_row, plan.header_row)
        wider = Area(min(area.left, *plan.columns.values()), area.top, max(area.right, plan.last), bottom)
        if wider != area:
            edits.append(set_attribute(frame.head, dimension, "ref", wider.reference))
    return edited(frame.head, [*edits, *_widths(frame, plan)])


def _widths(frame: Frame, plan: Plan) -> list[Edit]:
    if not plan.added:
        return []
    tree = frame.head_tree()
    prefix = tree.prefix
    listed = tree.first("cols")
    covered = column_styles(frame) if listed else {}
    fresh = sorted(
        (index, _width_xml(prefix, index, plan.widths[header]))
        for header, index in plan.added.items()
        if not any(left <= index <= right for left, right in covered)
    )
    if not fresh:
        return []
    if listed is None:
        whole = f"<{prefix}cols>".encode() + b"".join(xml for _, xml in fresh) + f"</{prefix}cols>".encode()
        return [(len(frame.head), len(frame.head), whole)]
    edits: list[Edit] = []
    elements = listed.all("col")
    for index, xml in fresh:
        behind = next((element for element in elements if element.number("min") > index), None)
        edits.append((behind.start, behind.start, xml) if behind else insert_last(frame.head, listed, xml))
    return edits


def _width_xml(prefix: str, index: int, width: int) -> bytes:
    return f'<{prefix}col min="{index}" max="{index}" width="{width}" customWidth="1"/>'.encode()


def column_styles(frame: Frame) -> dict[tuple[int, int], str]:
    """Return the styles of whole columns by (first, last) column."""
    listed = frame.head_tree().first("cols")
    return {
        (element.number("min"), element.number("max")): element.get("style")
        for element in (listed.all("col") if listed else ())
    }


def with_headers(row: RowSpan, plan: Plan, like: str, style: int) -> bytes | None:
    """Return the header row with the added headers, formatted as the header `like` when that has a format."""
    if not plan.added:
        return None
    known = row.span(plan.columns[like])
    theirs = known[3] if known else ""
    cells = sorted(
        (index, cell_xml(f"{column_letter(index)}{row.number}", header, theirs or style, row.prefix))
        for header, index in plan.added.items()
    )
    return row.rebuilt(row.start_tag(), cells)
