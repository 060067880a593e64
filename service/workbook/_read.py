"""Reading: from a file to the rows of questions, with what is odd about their cells."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from service.errors import (
    CellAssistantEmpty,
    CellErrorIgnored,
    CellErrorValue,
    CellFormulaUnsaved,
    CellNotText,
    CellProblem,
    CellQuestionEmpty,
    CellTooLong,
    CellYesNoEmpty,
    CellYesNoUnknown,
    WorkbookFormulasUnsaved,
    WorkbookNoQuestions,
    WorkbookNothingToAsk,
    WorkbookTooLarge,
)
from service.workbook._book import Book
from service.workbook._cell import Cell, unusable
from service.workbook._frame import Area, Framing, find_frame, read_area
from service.workbook._header import Header, Place, locate
from service.workbook._in_place import Site, sheet_xml
from service.workbook._package import Package
from service.workbook._records import GIVEN, Finding, RowRecord, Summary, finding
from service.workbook._run_sheet import find_run_id
from service.workbook._sheet import SheetReader
from service.workbook._text import CELL_LIMIT, answer_hash, units
from service.workbook._trial import try_writing
from service.workbook._values import Values
from service.workbook.columns import BY_HEADER, COLUMNS, REVIEW, column_letter, yes_no

_KINDS: Final = {"n": "a number or a date", "d": "a date", "b": "a yes/no value"}
_LOOKED_AT: Final = (
    *(column.header for column in COLUMNS if column.filled_by == "person" and column.kind != "json"),
    *GIVEN,
)
_PLAIN: Final = ("id", "answer_benchmark", "sources_used_benchmark", "modules_benchmark")
Cells = Mapping[int, Cell]


def read_rows(package: Package, sheet: str | None = None) -> Iterator[RowRecord | Summary]:
    """Yield the rows of a workbook's questions, and at the end what else the sheet holds.

    Rows whose Assistant stands in a merged cell above come last. Every part is unpacked once, so that its limits and
    checksum are known, and writing is tried.
    """
    book = Book(package)
    values = Values(book)
    place = locate(book, values, sheet)
    taker = _Taker(values, place, package.limits.questions)
    header = place.header
    wanted = frozenset(header.columns[name] for name in _LOOKED_AT if name in header.columns)
    framing = Framing()
    reader = SheetReader(sheet_xml(package, place), wanted=wanted, after=header.row, watch=framing.push)
    for number, cells in reader:
        row = taker.take(number, cells)
        if row is not None:
            yield row
    yield from taker.named(read_area(reference) for reference in reader.merged)
    taker.refuse_nameless()
    values.finish()
    package.check()
    try_writing(Site(package, book, values, place, find_frame(lambda: sheet_xml(package, place), framing)))
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
    unasked: list[int] = field(default_factory=list)
    """Rows with an assistant and no question."""

    def __post_init__(self) -> None:
        self.columns = self.place.header.columns
        self.question = self.columns["Question"]
        self.assistant = self.columns["Assistant"]
        self.places = tuple(self.columns.get(header, 0) for header in _PLAIN)
        self.answer, *self.others = (self.columns.get(header, 0) for header in GIVEN)

    def reference(self, header: str, number: int) -> str:
        return f"{column_letter(self.columns[header])}{number}"

    def take(self, number: int, cells: Cells) -> RowRecord | None:
        """Return the row's record if it holds a question that can be asked."""
        texts = self.values.texts(cells)
        space = texts.get(self.assistant, "").strip()
        if space:
            self.names[number] = space
        if not texts.get(self.question, "").strip() and not unusable(cells.get(self.question)):
            if space:
                self.unasked.append(number)
            return None
        problem = self.problem(number, cells, texts)
        if problem:
            self.errors.append(finding(number, problem.params["cell"], problem))
            return None
        if not space:
            self.nameless[number] = cells
            return None
        return self.record(number, cells, texts, space)

    def named(self, merged: Iterable[Area | None]) -> Iterator[RowRecord]:
        """Yield the nameless rows of each merged cell under its name."""
        waiting = list(self.nameless)
        for area in merged:
            if area is None or area.left != self.assistant or area.top not in self.names:
                continue
            first = bisect_right(waiting, area.top)
            last = bisect_right(waiting, area.bottom, lo=first)
            for number in waiting[first:last]:
                cells = self.nameless.pop(number)
                yield self.record(number, cells, self.values.texts(cells), self.names[area.top])
            del waiting[first:last]

    def refuse_nameless(self) -> None:
        """Count rows that no merged cell has named as errors."""
        for number in self.nameless:
            problem = CellAssistantEmpty(cell=self.reference("Assistant", number))
            self.errors.append(finding(number, problem.params["cell"], problem))
        self.errors.sort(key=lambda error: error.row)

    def problem(self, number: int, cells: Cells, texts: Mapping[int, str]) -> CellProblem | None:
        for header, column in (("Question", self.question), ("Assistant", self.assistant)):
            cell = cells.get(column)
            reason = unusable(cell) if cell and (cell[0] == "e" or cell[2]) else ""
            if reason == "formula":
                return CellFormulaUnsaved(cell=self.reference(header, number))
            if reason:
                return CellErrorValue(cell=self.reference(header, number), value=reason)
            text = texts.get(column, "")
            if len(text) * 2 > CELL_LIMIT and units(text) > CELL_LIMIT:
                length = f"{units(text):,}"
                return CellTooLong(cell=self.reference(header, number), length=length, limit=f"{CELL_LIMIT:,}")
        return None

    def record(self, number: int, cells: Cells, texts: dict[int, str], space: str) -> RowRecord:
        self.count += 1
        if self.count > self.most:
            raise WorkbookTooLarge(what="the number of questions", limit=f"{self.most:,}")
        self.without_errors(number, cells, texts)
        text = texts[self.question].strip()
        kind = cells[self.question][0]
        if kind in _KINDS:
            reference = self.reference("Question", number)
            self.note(number, reference, CellNotText(cell=reference, kind=_KINDS[kind], value=text))
        ident, reference_answer, sources, modules = (texts.get(place, "") for place in self.places)
        correct = self.yes_no(number, texts, "correct_benchmark")
        followup = self.yes_no(number, texts, "followup_benchmark")
        given = self.given(number, texts)
        return RowRecord(
            number, text, space, ident.strip(), correct, reference_answer, sources, modules, followup, given
        )

    def without_errors(self, number: int, cells: Cells, texts: dict[int, str]) -> None:
        """Read error values and formulas without a result as empty, with a note each."""
        for column, cell in cells.items():
            if (cell[0] == "e" or cell[2]) and (reason := unusable(cell)):
                value = "of a formula without a stored result" if reason == "formula" else reason
                reference = f"{column_letter(column)}{number}"
                self.note(number, reference, CellErrorIgnored(cell=reference, value=value))
                texts[column] = ""

    def yes_no(self, number: int, texts: Mapping[int, str], header: str) -> bool | None:
        text = texts.get(self.columns.get(header, 0), "").strip()
        if not text:
            if header == "correct_benchmark":
                self.unsaid.append(number)
            return None
        meant = yes_no(text)
        if meant is None:
            reference = self.reference(header, number)
            self.note(number, reference, CellYesNoUnknown(cell=reference, value=text[:60]))
        return meant

    def note(self, number: int, reference: str, problem: CellProblem) -> None:
        self.notes.append(finding(number, reference, problem))

    def given(self, number: int, texts: Mapping[int, str]) -> tuple[str, ...]:
        answer = texts.get(self.answer, "")
        if not answer.strip():
            return ()
        review = self.yes_no(number, texts, REVIEW.header)
        if review is not None:
            self.reviews[number] = (review, answer_hash(answer))
        return (answer, *(texts.get(column, "") for column in self.others))

    def summary(self, run_id: str) -> Summary:
        """Return what the sheet holds beside its rows; a sheet without rows that can run is refused."""
        header = self.place.header
        if not self.count:
            self.refuse(header)
        if "correct_benchmark" in header.columns and len(self.unsaid) < self.count:
            for number in self.unsaid:
                reference = self.reference("correct_benchmark", number)
                self.note(number, reference, CellYesNoEmpty(cell=reference))
        if self.unasked:
            first, *others = self.unasked
            reference = self.reference("Question", first)
            cells = f"{reference} and {len(others):,} more cells below it are" if others else f"{reference} is"
            self.note(first, reference, CellQuestionEmpty(cells=cells))
        self.notes.sort(key=lambda note: (note.row, len(note.cell), note.cell))
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
