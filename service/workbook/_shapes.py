"""The shapes this room takes and gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from flags import Answer, Question, Verdict
from service.errors import CellProblem

CellValue: TypeAlias = str | float | int | bool
"""What stands in a cell: a text, a number or a real boolean."""


@dataclass(frozen=True, slots=True)
class Row:
    """A question and the sheet row it stands in (counted from 1, as Excel does)."""

    number: int
    question: Question


@dataclass(frozen=True, slots=True)
class Finding:
    """Something said about one cell: a note (the row runs) or an error (the row does not).

    `cell` is a reference such as `D4`, empty when it concerns the whole sheet (then `row` is 0).
    """

    row: int
    cell: str
    code: str
    message: str


def finding(row: int, cell: str, problem: CellProblem) -> Finding:
    """Return a problem of a cell as a finding."""
    return Finding(row, cell, problem.code, problem.message)


@dataclass(frozen=True, slots=True)
class Review:
    """What a person wrote into column AB, with the `answer_hash` of the answer in J it was written for."""

    correct: bool
    answer: str


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a workbook holds, as `flagbook check` and the upload report it.

    `columns` maps the headers found to their letters, `missing` lists the other headers of the table. `given` holds
    answers that already stand in J–N, `reviews` column AB; both by row number. A row with an error stands in `errors`
    and not in `rows`. `run_id` is the run that wrote the sheet `Run`, empty when there is none.
    """

    sheet: str
    header_row: int
    columns: Mapping[str, str]
    missing: tuple[str, ...]
    rows: tuple[Row, ...]
    given: Mapping[int, Answer] = field(default_factory=dict)
    reviews: Mapping[int, Review] = field(default_factory=dict)
    notes: tuple[Finding, ...] = ()
    errors: tuple[Finding, ...] = ()
    run_id: str = ""

    @property
    def spaces(self) -> dict[str, int]:
        """Return the number of questions of each space, in the order they first appear."""
        counts: dict[str, int] = {}
        for row in self.rows:
            counts[row.question.space] = counts.get(row.question.space, 0) + 1
        return counts


@dataclass(frozen=True, slots=True)
class Result:
    """What is written into one row: J–N from the answer (None: it could not be given), O–AA from the verdicts."""

    number: int
    question: Question
    answer: Answer | None
    verdicts: Mapping[str, Verdict]


@dataclass(frozen=True, slots=True)
class Section:
    """A block of the sheet `Run`: a title and lines of cells.

    The line `("Run id", id)` is where `Reading.run_id` is read from.
    """

    title: str
    lines: tuple[tuple[CellValue, ...], ...]


@dataclass(frozen=True, slots=True)
class Adoption:
    """The next benchmark set: the new file, the sheet rows adopted, and those kept as they were with the reason."""

    content: bytes
    adopted: tuple[int, ...]
    kept: Mapping[int, str]
