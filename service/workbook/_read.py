"""Reading: from a file to the rows of questions, with what is odd about their cells."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from service.errors import (
    CellAssistantEmpty,
    CellErrorIgnored,
    CellErrorValue,
    CellFormulaUnsaved,
    CellNotText,
    CellProblem,
    CellTooLong,
    CellYesNoEmpty,
    CellYesNoUnknown,
    WorkbookFormulasUnsaved,
    WorkbookNoQuestions,
    WorkbookNothingToAsk,
    WorkbookTooLarge,
)
from service.workbook._book import Book
from service.workbook._cell import Cell
from service.workbook._frame import read_area
from service.workbook._header import Header, Place, locate
from service.workbook._package import Package
from service.workbook._records import GIVEN, Finding, RowRecord, Summary, finding
from service.workbook._run_sheet import find_run_id
from service.workbook._sheet import SheetReader
from service.workbook._text import CELL_LIMIT, answer_hash, units
from service.workbook._values import Values
from service.workbook._xml import utf8
from service.workbook.columns import BY_HEADER, COLUMNS, REVIEW, column_letter, yes_no

_KINDS: Final = {"n": "a number or a date", "d": "a date", "b": "a yes/no value"}
_LOOKED_AT: Final = (
    *(column.header for column in COLUMNS if column.filled_by == "person"),
    *GIVEN,
)
Cells = Mapping[int, Cell]


def read_rows(package: Package, sheet: str | None = None) -> Iterator[RowRecord | Summary]:
    """Yield the rows of a workbook's questions, and at the end what else the sheet holds.

    Rows whose Assistant stands in a merged cell above come last. Every part is unpacked once, so that its limits and
    checksum are known.
    """
    book = Book(package)
    values = Values(book)
    place = locate(book, values, sheet)
    taker = _Taker(values, place, package.limits.questions)
    header = place.header
    wanted = frozenset(header.columns[name] for name in _LOOKED_AT if name in header.columns)
    reader = SheetReader(utf8(package.stream(place.sheet.part)), wanted=wanted, after=header.row)
    for number, cells in reader:
        row = taker.take(number, cells)
        if row is not None:
            yield row
    for area in (read_area(reference) for reference in reader.merged):
        if area and area.left == header.columns["Assistant"] and area.top > header.row:
            yield from taker.named(area.top, area.bottom)
    taker.refuse_nameless()
    package.check()
    yield taker.summary(find_run_id(book, values))


@dataclass
class _Taker:
    """Takes rows one by one and remembers what is odd about them."""

    values: Values
    place: Place
    most: int
    count: int = 0
    reviews: dict[int, tuple[bool, str]] = field(default_factory=dict)
    notes: list[Finding] = field(default_factory=list)
    errors: list[Finding] = field(default_factory=list)
    unsaid: list[int] = field(default_factory=list)
    """Rows in which nothing is said about the benchmark answer being correct."""
    nameless: dict[int, Cells] = field(default_factory=dict)
    """Rows with a question and no assistant: a merged cell above may name it."""
    names: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = self.place.header.columns

    def cell(self, cells: Cells, header: str) -> Cell | None:
        return cells.get(self.columns.get(header, 0))

    def reference(self, header: str, number: int) -> str:
        return f"{column_letter(self.place.header.columns[header])}{number}"

    def take(self, number: int, cells: Cells) -> RowRecord | None:
        """Return the row's record if it holds a question that can be asked."""
        asked = self.cell(cells, "Question")
        space = self.values.text(self.cell(cells, "Assistant")).strip()
        if space:
            self.names[number] = space
        if asked is None or not (unusable(asked) or self.values.text(asked).strip()):
            return None
        problem = self.problem(number, cells)
        if problem:
            self.errors.append(finding(number, problem.params["cell"], problem))
            return None
        if not space:
            self.nameless[number] = cells
            return None
        return self.record(number, cells, space)

    def named(self, top: int, bottom: int) -> Iterator[RowRecord]:
        """Yield the nameless rows of a merged cell under its name."""
        covered = [number for number in self.nameless if top < number <= bottom]
        for number in covered if top in self.names else ():
            yield self.record(number, self.nameless.pop(number), self.names[top])

    def refuse_nameless(self) -> None:
        """Count rows that no merged cell has named as errors."""
        for number in self.nameless:
            problem = CellAssistantEmpty(cell=self.reference("Assistant", number))
            self.errors.append(finding(number, problem.params["cell"], problem))
        self.errors.sort(key=lambda error: error.row)

    def problem(self, number: int, cells: Cells) -> CellProblem | None:
        for header in ("Question", "Assistant"):
            cell = self.cell(cells, header)
            reason = unusable(cell) if cell else ""
            if reason == "formula":
                return CellFormulaUnsaved(cell=self.reference(header, number))
            if reason:
                return CellErrorValue(cell=self.reference(header, number), value=reason)
            text = self.values.text(cell)
            if len(text) * 2 > CELL_LIMIT and units(text) > CELL_LIMIT:
                length = f"{units(text):,}"
                return CellTooLong(cell=self.reference(header, number), length=length, limit=f"{CELL_LIMIT:,}")
        return None

    def record(self, number: int, cells: Cells, space: str) -> RowRecord:
        self.count += 1
        if self.count > self.most:
            raise WorkbookTooLarge(what="the number of questions", limit=f"{self.most:,}")
        asked = self.cell(cells, "Question")
        text = self.values.text(asked).strip()
        if asked and asked[0] in _KINDS:
            reference = self.reference("Question", number)
            self.note(number, reference, CellNotText(cell=reference, kind=_KINDS[asked[0]], value=text))
        correct = self.yes_no(number, cells, "correct_benchmark")
        return RowRecord(
            number=number,
            text=text,
            space=space,
            id=self.text(number, cells, "id").strip(),
            correct=correct,
            reference=self.text(number, cells, "answer_benchmark"),
            sources=self.text(number, cells, "sources_used_benchmark"),
            modules=self.text(number, cells, "modules_benchmark"),
            followup=self.yes_no(number, cells, "followup_benchmark"),
            given=self.given(number, cells),
        )

    def text(self, number: int, cells: Cells, header: str) -> str:
        """Return a cell's text; an error value or a formula without a result is noted and read as empty."""
        cell = cells.get(self.columns.get(header, 0))
        if cell is None:
            return ""
        if (cell[0] == "e" or cell[2]) and (reason := unusable(cell)):
            value = "of a formula without a stored result" if reason == "formula" else reason
            reference = self.reference(header, number)
            self.note(number, reference, CellErrorIgnored(cell=reference, value=value))
            return ""
        return self.values.text(cell)

    def yes_no(self, number: int, cells: Cells, header: str) -> bool | None:
        text = self.text(number, cells, header).strip()
        meant = yes_no(text) if text else None
        if text and meant is None:
            reference = self.reference(header, number)
            self.note(number, reference, CellYesNoUnknown(cell=reference, value=text[:60]))
        elif not text and header == "correct_benchmark":
            self.unsaid.append(number)
        return meant

    def note(self, number: int, reference: str, problem: CellProblem) -> None:
        self.notes.append(finding(number, reference, problem))

    def given(self, number: int, cells: Cells) -> tuple[str, ...]:
        answer = self.text(number, cells, "answer")
        if not answer.strip():
            return ()
        review = self.yes_no(number, cells, REVIEW.header)
        if review is not None:
            self.reviews[number] = (review, answer_hash(answer))
        return (answer, *(self.text(number, cells, header) for header in GIVEN[1:]))

    def summary(self, run_id: str) -> Summary:
        """Return what the sheet holds beside its rows; a sheet without rows that can run is refused."""
        header = self.place.header
        if not self.count:
            self.refuse(header)
        if "correct_benchmark" in header.columns and len(self.unsaid) < self.count:
            for number in self.unsaid:
                reference = self.reference("correct_benchmark", number)
                self.note(number, reference, CellYesNoEmpty(cell=reference))
        self.notes.sort(key=lambda note: note.row)
        return Summary(
            sheet=self.place.sheet.name,
            header_row=header.row,
            columns={name: column_letter(column) for name, column in header.columns.items()},
            missing=tuple(column.header for column in COLUMNS if column.header not in header.columns),
            reviews=self.reviews,
            notes=tuple((one.row, one.cell, one.code, one.message) for one in (*header.notes, *self.notes)),
            errors=tuple((one.row, one.cell, one.code, one.message) for one in self.errors),
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
