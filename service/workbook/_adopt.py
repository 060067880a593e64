"""Adopting a run: the new answers become the benchmark answers, and the columns of the run are emptied."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, Final, TypeAlias

from service.workbook._cell import Cell, unusable
from service.workbook._filter import Filters
from service.workbook._in_place import InPlace, listed, open_site
from service.workbook._lineage import add_lineage
from service.workbook._package import Package
from service.workbook._plan import Plan, with_headers
from service.workbook._records import Terms
from service.workbook._row_editor import row_hash
from service.workbook._run_sheet import cell_xml, find_run_sheet
from service.workbook._splice import CellSpan, RowSpan
from service.workbook._styles import Styles, append_styles
from service.workbook._text import was_cut
from service.workbook._values import Values
from service.workbook._verify import cell_value, verify
from service.workbook._xml import tag_end, tag_with
from service.workbook.columns import ADOPTED, BY_HEADER, COLUMNS, OUTPUT, REVIEW, column_letter, yes_no

_TARGETS: Final = tuple(BY_HEADER[header] for header in ADOPTED.values())
_CORRECT: Final = BY_HEADER["correct_benchmark"]
_EMPTIED: Final = (*OUTPUT, REVIEW)
NEEDED: Final = (_CORRECT, *_TARGETS)
"""The columns that stand in every adopted set."""
TOUCHED: Final = COLUMNS[COLUMNS.index(_CORRECT) :]
"""The columns that adopting writes or empties."""


Adopted: TypeAlias = tuple[tuple[int, ...], dict[int, str], tuple[str, ...]]
"""The rows adopted, those kept with reasons, and what else became of the sheet."""


def adopt_xlsx(package: Package, terms: Terms, out: BinaryIO) -> Adopted:
    """Write the next benchmark set made from a reviewed result; return what was adopted and what was not.

    `out` must be seekable and readable.
    """
    adopting = InPlace(open_site(package, terms.sheet), NEEDED)
    styles = prepare(adopting, terms.lineage or {})
    touched = adopting.numbers(TOUCHED)
    adopting.will_write(touched)
    editor = _Editor(adopting.plan, adopting.values, adopting.filters, terms.every, (styles.header, styles.wrapped))

    def tail() -> bytes:
        return adopting.tail(touched, editor.written.keys())

    adopting.into(out, editor, tail, lambda: None)
    verify(package, Package(out, package.limits), adopting.written(_TARGETS, editor.written))
    beside = (*adopting.changes_beside(), ("Formulas overwritten", editor.formulas))
    notes = tuple(f"{title}: {listed(cells)}." for title, cells in beside if cells)
    return tuple(editor.adopted), editor.kept, notes


def prepare(adopting: InPlace, lineage: Mapping[str, str]) -> Styles:
    """Edit the parts around the rows; return our cell formats."""
    adopting.filters.clear(adopting.numbers(_EMPTIED))
    content, styles = append_styles(adopting.changes.styles())
    adopting.changes.set_styles(content)
    run_sheet = find_run_sheet(adopting.book, adopting.values)
    if run_sheet is not None:
        adopting.changes.remove_sheet(run_sheet)
    add_lineage(adopting.changes, lineage)
    return styles


@dataclass
class _Editor:
    plan: Plan
    values: Values
    filters: Filters
    every: bool
    styles: tuple[int, int]
    adopted: list[int] = field(default_factory=list)
    kept: dict[int, str] = field(default_factory=dict)
    formulas: list[str] = field(default_factory=list)
    written: dict[int, int] = field(default_factory=dict)

    def __call__(self, row: RowSpan) -> bytes | None:
        if row.number == self.plan.header_row:
            return with_headers(row, self.plan, "Question", self.styles[0])
        cells = row.values() if row.number > self.plan.header_row and not row.blank else {}
        if not self.text(cells, "Question").strip():
            hidden = self.filters.hidden(row.number, False)
            return None if hidden is None else row.start_tag(hidden) + row.content[row.body :]
        return self.next_row(row, cells)

    def text(self, cells: Mapping[int, Cell], header: str) -> str:
        column = self.plan.columns.get(header)
        return self.values.text(cells.get(column)) if column else ""

    def next_row(self, row: RowSpan, cells: Mapping[int, Cell]) -> bytes:
        reason = self.why_kept(cells)
        spans = {span[0]: span for span in row.cells}
        emptied = (self.plan.columns.get(column.header, 0) for column in _EMPTIED)
        new = {column: _emptied(row, spans[column]) for column in emptied if column in spans}
        if reason:
            self.kept[row.number] = reason
            headers: Sequence[str] = tuple(ADOPTED.values())
        else:
            self.adopted.append(row.number)
            headers = tuple(ADOPTED)
            new |= self.moved(row, spans, cells)
        order = sorted(
            (self.plan.columns[target], source) for source, target in zip(headers, ADOPTED.values(), strict=True)
        )
        self.written[row.number] = row_hash([cell_value(self.values, self.at(cells, header)) for _, header in order])
        lost = (column for column in sorted(new) if column in spans and row.has_formula(spans[column]))
        self.formulas += [f"{column_letter(column)}{row.number}" for column in lost]
        return row.rebuilt(row.start_tag(self.filters.hidden(row.number, False)), sorted(new.items()))

    def at(self, cells: Mapping[int, Cell], header: str) -> Cell | None:
        return cells.get(self.plan.columns.get(header, 0))

    def why_kept(self, cells: Mapping[int, Cell]) -> str:
        """Return why a row keeps its benchmark answer, nothing when the new answer is adopted."""
        answer = self.text(cells, "answer")
        review = self.text(cells, REVIEW.header).strip()
        error = unusable(cells.get(self.plan.columns["answer"])) if "answer" in self.plan.columns else ""
        if error:
            return f"The new answer is an error value ({error})."
        if not answer.strip():
            return "It has no new answer."
        if was_cut(answer):
            return "The new answer is longer than a cell holds and stands there only in part."
        if self.every or not review or yes_no(review):
            return ""
        return f"The review says “{review[:40]}”."

    def moved(self, row: RowSpan, spans: Mapping[int, CellSpan], cells: Mapping[int, Cell]) -> dict[int, bytes]:
        new: dict[int, bytes] = {}
        for source, target in ADOPTED.items():
            column = self.plan.columns[target]
            old = spans.get(column)
            style = old[3] if old else str(self.styles[1])
            reference = f"{column_letter(column)}{row.number}"
            span = spans.get(self.plan.columns.get(source, 0))
            cell = self.at(cells, source)
            if span is None or cell is None:
                new[column] = cell_xml(reference, None, style, row.prefix) if old else b""
            elif row.has_formula(span):
                new[column] = cell_xml(reference, cell_value(self.values, cell), style, row.prefix)
            else:
                new[column] = _renamed(row, span, reference, style)
        if yes_no(self.text(cells, REVIEW.header)) and not yes_no(self.text(cells, _CORRECT.header)):
            column = self.plan.columns[_CORRECT.header]
            old = spans.get(column)
            style = old[3] if old else str(self.styles[1])
            new[column] = cell_xml(f"{column_letter(column)}{row.number}", "yes", style, row.prefix)
        return new


def _emptied(row: RowSpan, span: CellSpan) -> bytes:
    style = span[3]
    reference = f"{column_letter(span[0])}{row.number}"
    return cell_xml(reference, None, style, row.prefix) if style else b""


def _renamed(row: RowSpan, span: CellSpan, reference: str, style: str) -> bytes:
    """Return a cell's XML as it stands, under another reference and format."""
    content = row.content[span[1] : span[2]]
    end = tag_end(content, 0)
    tag = tag_with(tag_with(content[:end], "r", reference), "s", style or None)
    return tag + content[end:]
