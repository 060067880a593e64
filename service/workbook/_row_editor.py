"""What happens to each row of the benchmark sheet when results are written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from service.workbook._filter import Filters
from service.workbook._plan import Plan, start_tag, with_headers
from service.workbook._run_sheet import cell_xml
from service.workbook._shapes import CellValue
from service.workbook._splice import CellSpan, RowSpan, rebuilt, row_cells
from service.workbook._styles import Styles
from service.workbook._text import cell_text, was_cut
from service.workbook._values import Values
from service.workbook.columns import OUTPUT, REVIEW, column_letter

RowValues = tuple[int, tuple[CellValue | None, ...]]
"""A sheet row and its values for the output columns."""

_ANSWER: Final = next(place for place, column in enumerate(OUTPUT) if column.header == "answer")
_FINAL: Final = next(place for place, column in enumerate(OUTPUT) if column.header == "final_flag")


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


class ResultEditor:
    """Edits one row after the other; `results` must come in ascending order of rows."""

    def __init__(self, ground: Ground, results: Iterator[RowValues]) -> None:
        self.plan = plan = ground.plan
        self.filters = ground.filters
        self.styles = styles = ground.styles
        self.column_styles = ground.column_styles
        self.values = ground.values
        self.report = Report()
        self._results = results
        self._next = next(results, None)
        self._ours = {"json": styles.plain, "true/false": styles.flag, "number": styles.number}
        self._order = sorted(
            (plan.columns[column.header], place, column_letter(plan.columns[column.header]))
            for place, column in enumerate(OUTPUT)
        )

    def __call__(self, row: RowSpan) -> bytes | None:
        """Return the row's new bytes, None when nothing about it changes."""
        if row.number == self.plan.header_row:
            return with_headers(row, self.plan, self.styles.header)
        values = self._take(row.number)
        if values is None:
            return self._untouched(row)
        return self._filled(row, values)

    def _take(self, number: int) -> tuple[CellValue | None, ...] | None:
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
        hidden = self.filters.hidden(row.number, self._was_flagged(row))
        tag = start_tag(row, hidden)
        return None if hidden is None else tag + row.content[row.body :]

    def _was_flagged(self, row: RowSpan) -> bool:
        span = row.cell(self.plan.columns["final_flag"])
        return span is not None and self._text(row, span) == "TRUE"

    def _filled(self, row: RowSpan, values: tuple[CellValue | None, ...]) -> bytes:
        spans = {span.column: span for span in row.cells}
        cells: list[tuple[int, bytes]] = []
        for column, place, letter in self._order:
            span = spans.get(column)
            reference = f"{letter}{row.number}"
            if span is not None and span.formula:
                self.report.formulas.append(reference)
            value = values[place]
            if value is None and span is None:
                continue
            if isinstance(value, str) and was_cut(value):
                self.report.cut.append(reference)
            style = self._style(row, span, column, place)
            cells.append((column, cell_xml(reference, value, style, row.prefix).encode()))
        cells += self._review(row, spans, values[_ANSWER])
        self.report.written[row.number] = row_hash([values[place] for _, place, _ in self._order])
        hidden = self.filters.hidden(row.number, values[_FINAL] is True)
        return rebuilt(row, start_tag(row, hidden), sorted(cells))

    def _style(self, row: RowSpan, span: CellSpan | None, column: int, place: int) -> int | str:
        if span is not None:
            return span.attributes.get("s", "")
        if row.attributes.get("customFormat") in ("1", "true"):
            return row.attributes.get("s", "")
        for (left, right), style in self.column_styles.items():
            if style and left <= column <= right:
                return style
        return self._ours.get(OUTPUT[place].kind, self.styles.wrapped)

    def _review(self, row: RowSpan, spans: Mapping[int, CellSpan], answer: CellValue | None) -> list[tuple[int, bytes]]:
        """Return column AB emptied where it was written for another answer."""
        column = self.plan.columns[REVIEW.header]
        span = spans.get(column)
        if span is None or not self._text(row, span).strip():
            return []
        old = spans.get(self.plan.columns["answer"])
        before = cell_text(self._text(row, old)) if old else ""
        if before == (answer or ""):
            return []
        self.report.reviews_cleared.append(row.number)
        reference = f"{column_letter(column)}{row.number}"
        return [(column, cell_xml(reference, None, span.attributes.get("s", ""), row.prefix).encode())]

    def _text(self, row: RowSpan, span: CellSpan) -> str:
        return self.values.text(row_cells(row).get(span.column))


def row_hash(values: list[CellValue | None]) -> int:
    """Return what a row's output cells are recognised by when the file is read again."""
    return hash(tuple(cell_text(value) or None if isinstance(value, str) else value for value in values))
