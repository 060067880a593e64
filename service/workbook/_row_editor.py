"""What happens to each row of the benchmark sheet when results are written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from service.workbook._filter import Filters
from service.workbook._plan import Plan, with_headers
from service.workbook._records import CellValue, RowValues
from service.workbook._run_sheet import cell_xml
from service.workbook._splice import CellSpan, RowSpan
from service.workbook._styles import Styles
from service.workbook._table import BENCHMARK, Table
from service.workbook._text import was_cut
from service.workbook._values import Values
from service.workbook.columns import column_letter

_LONG: Final = 16_000
"""A shorter text cannot have been cut."""


@dataclass
class Report:
    """What writing did to the sheet beyond filling cells; it ends in the sheet `Run`."""

    written: dict[int, int] = field(default_factory=dict)
    """Row number → hash of its output cells, to be compared when the file is read again."""
    reviews_cleared: list[int] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Ground:
    """What rows are edited on: where columns stand, filters, cell formats, and the meaning of stored cells."""

    plan: Plan
    filters: Filters
    styles: Styles
    column_styles: Mapping[tuple[int, int], str]
    values: Values
    table: Table = BENCHMARK

    def style(self, kind: str, column: int) -> str:
        """Return the format of a new cell: that of its whole column, else ours for its kind."""
        for (left, right), style in self.column_styles.items():
            if style and left <= column <= right:
                return style
        ours = {"json": self.styles.plain, "true/false": self.styles.flag, "number": self.styles.number}
        return str(ours.get(kind, self.styles.wrapped))


class ResultEditor:
    """Edits one row after the other; `results` must come in ascending order of rows."""

    def __init__(self, ground: Ground, results: Iterator[RowValues]) -> None:
        self.plan = plan = ground.plan
        self.filters = ground.filters
        self.header_style = ground.styles.header
        self.table = table = ground.table
        headers = [column.header for column in table.output]
        self._answer = headers.index(table.answer)
        self._final = headers.index(table.final) if table.final else None
        self.values = ground.values
        self.report = Report()
        self._results = results
        self._next = next(results, None)
        numbers = [plan.columns[column.header] for column in table.output]
        self._order = sorted(
            (number, place, column_letter(number), ground.style(table.output[place].kind, number))
            for place, number in enumerate(numbers)
        )
        self._places = [place for _, place, _, _ in self._order]
        self._columns = frozenset(numbers)
        self._nothing: Sequence[CellValue | None] = [None] * len(numbers)

    def __call__(self, row: RowSpan) -> bytes | None:
        """Return the row's new bytes, None when nothing about it changes."""
        if row.number == self.plan.header_row:
            return with_headers(row, self.plan, self.table.required[0], self.header_style)
        values = self._take(row.number)
        if values is None:
            return self._filled(row, self._nothing) if self._is_stale(row) else self._untouched(row)
        return self._filled(row, values)

    def _is_stale(self, row: RowSpan) -> bool:
        """Tell whether a question that was not run holds cells of an earlier run, which nobody must take for new."""
        if (
            row.number < self.plan.header_row
            or row.blank
            or not self._columns.intersection(span[0] for span in row.cells)
        ):
            return False
        cells = row.values()
        question = self.values.text(cells.get(self.plan.columns[self.table.required[0]]))
        return bool(question.strip()) and any(self.values.text(cells.get(column)) for column in self._columns)

    def _take(self, number: int) -> Sequence[CellValue | None] | None:
        if self._next is None or self._next[0] > number:
            return None
        due, values = self._next
        if due != number:
            raise ValueError(f"row {due} has a result but does not stand in the sheet")
        self._next = next(self._results, None)
        if self._next is not None and self._next[0] <= number:
            raise ValueError(f"the result of row {self._next[0]} comes after that of row {number}")
        return values

    def finish(self) -> None:
        """Make sure that every result has found its row."""
        if self._next is not None:
            raise ValueError(f"row {self._next[0]} has a result but does not stand in the sheet")

    def _untouched(self, row: RowSpan) -> bytes | None:
        if not self.filters.touch(row.number):
            return None
        flag = row.values().get(self.plan.columns.get(self.table.final, 0))
        hidden = self.filters.hidden(row.number, self.values.text(flag) == "TRUE")
        return row.start_tag(hidden) + row.content[row.body :]

    def _filled(self, row: RowSpan, values: Sequence[CellValue | None]) -> bytes:
        spans = {span[0]: span for span in row.cells}
        of_row = row.attributes.get("s", "") if row.attributes.get("customFormat") in ("1", "true") else ""
        cells: list[tuple[int, bytes]] = []
        for column, place, letter, style in self._order:
            value = values[place]
            span = spans.get(column)
            reference = f"{letter}{row.number}"
            if span is not None:
                style = span[3]
                if row.has_formula(span):
                    self.report.formulas.append(reference)
            elif value is None:
                continue
            else:
                style = of_row or style
            if isinstance(value, str) and len(value) > _LONG and was_cut(value):
                self.report.cut.append(reference)
            cells.append((column, cell_xml(reference, value, style, row.prefix)))
        review = self._review(row, spans, values[self._answer])
        if review:
            cells = sorted([*cells, *review])
        self.report.written[row.number] = row_hash([values[place] for place in self._places])
        hidden = self.filters.hidden(row.number, self._final is not None and values[self._final] is True)
        return row.rebuilt(row.start_tag(hidden), cells)

    def _review(self, row: RowSpan, spans: Mapping[int, CellSpan], answer: CellValue | None) -> list[tuple[int, bytes]]:
        """Return column AB emptied where it was written for another answer; one written for none stays."""
        column = self.plan.columns.get(self.table.review, 0)
        if column not in spans:
            return []
        stored = row.values()
        if not self.values.text(stored.get(column)).strip():
            return []
        before = self.values.text(stored.get(self.plan.columns[self.table.answer]))
        if before in ("", answer or ""):
            return []
        self.report.reviews_cleared.append(row.number)
        reference = f"{column_letter(column)}{row.number}"
        return [(column, cell_xml(reference, None, spans[column][3], row.prefix))]


def row_hash(values: Sequence[CellValue | None]) -> int:
    """Return what a row's output cells are recognised by when the file is read again; TRUE is not 1."""
    return hash(tuple((value,) if isinstance(value, bool) else None if value == "" else value for value in values))
