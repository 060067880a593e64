"""Reading: from a file to questions, with what stands in the other columns and what is odd about the cells."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from flags import Answer, Question, parse_sources
from service.errors import (
    CellAssistantEmpty,
    CellErrorIgnored,
    CellErrorValue,
    CellFormulaUnsaved,
    CellNotText,
    CellProblem,
    CellTooLong,
    CellYesNoUnknown,
    WorkbookFormulasUnsaved,
    WorkbookNoQuestions,
    WorkbookNothingToAsk,
    WorkbookTooLarge,
)
from service.workbook._book import Book
from service.workbook._cells import GIVEN, given_answer, parse_names
from service.workbook._frame import Frame, read_frame
from service.workbook._header import Header, Place, locate
from service.workbook._limits import Limits
from service.workbook._package import Package
from service.workbook._run_sheet import find_run_id
from service.workbook._shapes import Finding, Reading, Review, Row, finding
from service.workbook._sheet import Cell, sheet_rows
from service.workbook._text import CELL_LIMIT, answer_hash, units
from service.workbook._values import Values
from service.workbook._xml import utf8
from service.workbook.columns import BY_HEADER, COLUMNS, REVIEW, column_letter, yes_no

_KINDS: Final = {"n": "a number or a date", "d": "a date", "b": "a yes/no value"}
Cells = Mapping[int, Cell]


def read_xlsx(content: bytes, limits: Limits, sheet: str | None = None) -> Reading:
    """Return what an .xlsx holds; every part of it is unpacked once, so that its limits and checksums are known."""
    package = Package(content, limits)
    book = Book(package)
    values = Values(book)
    place = locate(book, values, sheet)
    frame = read_frame(utf8(package.stream(place.sheet.part)))
    reader = _Rows(values, place, merged_below(frame, place.header), limits)
    for number, cells in sheet_rows(utf8(package.stream(place.sheet.part)), frame.body_end):
        if number > place.header.row:
            reader.take(number, cells)
    package.check()
    return reader.reading(find_run_id(book, values))


def merged_below(frame: Frame, header: Header) -> dict[int, int]:
    """Return, for rows covered by a merged cell of column Assistant, the row that holds its text."""
    column = header.columns["Assistant"]
    rows: dict[int, int] = {}
    for area in frame.merges():
        if area.left == column and area.top > header.row:
            last = min(area.bottom, frame.last_row)
            rows.update(dict.fromkeys(range(area.top + 1, last + 1), area.top))
    return rows


@dataclass
class _Rows:
    values: Values
    place: Place
    merged: Mapping[int, int]
    limits: Limits
    rows: list[Row] = field(default_factory=list)
    given: dict[int, Answer] = field(default_factory=dict)
    reviews: dict[int, Review] = field(default_factory=dict)
    notes: list[Finding] = field(default_factory=list)
    errors: list[Finding] = field(default_factory=list)
    assistants: dict[int, str] = field(default_factory=dict)

    def cell(self, cells: Cells, header: str) -> Cell | None:
        column = self.place.header.columns.get(header)
        return cells.get(column) if column else None

    def reference(self, header: str, number: int) -> str:
        return f"{column_letter(self.place.header.columns[header])}{number}"

    def take(self, number: int, cells: Cells) -> None:
        asked = self.cell(cells, "Question")
        named = self.cell(cells, "Assistant")
        if named and number in self.merged.values():
            self.assistants[number] = self.values.text(named).strip()
        if asked is None or not (unusable(asked) or self.values.text(asked).strip()):
            return
        problem = self.problem(number, cells)
        if problem:
            self.errors.append(finding(number, problem.params["cell"], problem))
            return
        if len(self.rows) >= self.limits.questions:
            raise WorkbookTooLarge(what="the number of questions", limit=f"{self.limits.questions:,}")
        self.rows.append(Row(number, self.question(number, cells)))
        self.take_given(number, cells)

    def problem(self, number: int, cells: Cells) -> CellProblem | None:
        for header in ("Question", "Assistant"):
            cell = self.cell(cells, header)
            reference = self.reference(header, number)
            reason = unusable(cell) if cell else ""
            if reason == "formula":
                return CellFormulaUnsaved(cell=reference)
            if reason:
                return CellErrorValue(cell=reference, value=reason)
            length = units(self.values.text(cell))
            if length > CELL_LIMIT:
                return CellTooLong(cell=reference, length=f"{length:,}", limit=f"{CELL_LIMIT:,}")
        if not self.space(number, cells):
            return CellAssistantEmpty(cell=self.reference("Assistant", number))
        return None

    def space(self, number: int, cells: Cells) -> str:
        own = self.values.text(self.cell(cells, "Assistant")).strip()
        return own or self.assistants.get(self.merged.get(number, 0), "")

    def text(self, number: int, cells: Cells, header: str) -> str:
        """Return a cell's text; an error value or a formula without a result is noted and read as empty."""
        cell = self.cell(cells, header)
        reason = unusable(cell) if cell else ""
        if reason:
            value = "of a formula without a stored result" if reason == "formula" else reason
            reference = self.reference(header, number)
            self.notes.append(finding(number, reference, CellErrorIgnored(cell=reference, value=value)))
            return ""
        return self.values.text(cell)

    def question(self, number: int, cells: Cells) -> Question:
        asked = self.cell(cells, "Question")
        text = self.values.text(asked).strip()
        if asked and asked[0] in _KINDS:
            reference = self.reference("Question", number)
            problem = CellNotText(cell=reference, kind=_KINDS[asked[0]], value=text)
            self.notes.append(finding(number, reference, problem))
        return Question(
            text=text,
            space=self.space(number, cells),
            id=self.text(number, cells, "id").strip(),
            correct=self.yes_no(number, cells, "correct_benchmark"),
            reference=self.text(number, cells, "answer_benchmark"),
            reference_sources=parse_sources(self.text(number, cells, "sources_used_benchmark")),
            reference_modules=parse_names(self.text(number, cells, "modules_benchmark")),
            reference_followup=self.yes_no(number, cells, "followup_benchmark"),
        )

    def yes_no(self, number: int, cells: Cells, header: str) -> bool | None:
        text = self.text(number, cells, header).strip()
        meant = yes_no(text) if text else None
        if text and meant is None:
            reference = self.reference(header, number)
            self.notes.append(finding(number, reference, CellYesNoUnknown(cell=reference, value=text[:60])))
        return meant

    def take_given(self, number: int, cells: Cells) -> None:
        answer = self.text(number, cells, "answer")
        if not answer.strip():
            return
        self.given[number] = given_answer({header: self.text(number, cells, header) for header in GIVEN})
        review = self.yes_no(number, cells, REVIEW.header)
        if review is not None:
            self.reviews[number] = Review(review, answer_hash(answer))

    def reading(self, run_id: str) -> Reading:
        header = self.place.header
        if not self.rows:
            self.refuse(header)
        return Reading(
            sheet=self.place.sheet.name,
            header_row=header.row,
            columns={name: column_letter(column) for name, column in header.columns.items()},
            missing=tuple(column.header for column in COLUMNS if column.header not in header.columns),
            rows=tuple(self.rows),
            given=self.given,
            reviews=self.reviews,
            notes=(*header.notes, *self.notes),
            errors=tuple(self.errors),
            run_id=run_id,
        )

    def refuse(self, header: Header) -> None:
        unsaved = [error.cell for error in self.errors if error.code == CellFormulaUnsaved.code]
        if unsaved and len(unsaved) == len(self.errors):
            cells = unsaved[0] if len(unsaved) == 1 else f"{unsaved[0]}..{unsaved[-1]}"
            raise WorkbookFormulasUnsaved(cells=cells)
        if self.errors:
            raise WorkbookNothingToAsk(problem=self.errors[0].message, count=len(self.errors))
        column = f"{BY_HEADER['Question'].header} ({column_letter(header.columns['Question'])})"
        raise WorkbookNoQuestions(header_row=header.row, sheet=self.place.sheet.name, column=column)


def unusable(cell: Cell) -> str:
    """Return the error value of a cell, `formula` if it has no stored result, else nothing."""
    kind, stored, formula, _ = cell
    if kind == "e":
        return stored or "#ERROR"
    return "formula" if formula and not stored and kind != "str" else ""


def value_rows(values: Values, pieces: Iterator[bytes]) -> Iterator[tuple[int, dict[int, str]]]:
    """Yield each row's texts by column number."""
    for number, cells in sheet_rows(pieces):
        yield number, {column: values.text(cell) for column, cell in cells.items()}
