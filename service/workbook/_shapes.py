"""The shapes this room takes and gives, made of the nouns of flags."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from flags import Answer, Question, Verdict
from flags.niah import Category, Spec
from service.workbook._limits import Limits
from service.workbook._records import AddedSheet, CellValue, Chart, Finding, Line, Section

__all__ = [
    "AddedSheet",
    "Adoption",
    "CellValue",
    "Chart",
    "Delivery",
    "Experiment",
    "Finding",
    "Flagged",
    "FlaggedReading",
    "Line",
    "Measured",
    "Reading",
    "Result",
    "Review",
    "Row",
    "Section",
]


@dataclass(frozen=True, slots=True)
class Row:
    """A question and the sheet row it stands in (counted from 1, as Excel does)."""

    number: int
    question: Question


@dataclass(frozen=True, slots=True)
class Review:
    """What a person wrote into column AB, with the `answer_hash` of the answer in J it was written for."""

    correct: bool
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What a run fills into a row of the sheet `NIAH`.

    `score` is None where the cell could not be scored; `error` then holds a code and a sentence. `depths` are the true
    ones, in [0, 1]; `seconds` is how long the answer took. A cell that was not asked yet has no category.
    """

    category: Category | Literal[""] = ""
    score: float | None = None
    question: str = ""
    expected: tuple[str, ...] = ()
    answer: str = ""
    scorer: str = ""
    explanation: str = ""
    depths: tuple[float, ...] = ()
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    error: str = ""


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """What a workbook with a sheet `NIAH` holds beside the rows' ids and assistants; cells and results by row number.

    `config` is the sheet `Experiment`, `told` are columns A and B of the sheet `Run`.
    """

    config: Mapping[str, Any]
    cells: Mapping[int, Spec]
    measured: Mapping[int, Measured]
    told: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a workbook holds, as `flagbook check` and the upload report it.

    `columns` maps the headers found to their letters, `missing` lists the other headers of the table. `given` holds
    answers that already stand in J–N, `reviews` column AB; both by row number. A row with an error stands in `errors`
    and not in `rows`. `run_id` is the run that wrote the sheet `Run`, empty when there is none. `niah` is None for
    questions; the rows of an experiment hold no text.
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
    niah: Experiment | None = None

    @property
    def spaces(self) -> dict[str, int]:
        """Return the number of questions of each space, in the order they first appear."""
        counts: dict[str, int] = {}
        for row in self.rows:
            counts[row.question.space] = counts.get(row.question.space, 0) + 1
        return counts


@dataclass(frozen=True, slots=True)
class Flagged:
    """What a run wrote into one row: the flags that were given by name, explanation (AA) and similarity (O)."""

    flags: Mapping[str, bool]
    explanation: str
    similarity: float | None = None


@dataclass(frozen=True, kw_only=True)
class FlaggedReading:
    """A result as it came back: its questions, what the run wrote by row number, and the sheet `Run` by section."""

    reading: Reading
    rows: Mapping[int, Flagged]
    report: Mapping[str, Sequence[tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Result:
    """What is written into one row: J–N from the answer (None: it could not be given), O–AA from the verdicts."""

    number: int
    question: Question
    answer: Answer | None
    verdicts: Mapping[str, Verdict]


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """How results are delivered: in which sheet, filtered on final_flag = TRUE or not, and within which limits."""

    sheet: str | None = None
    flagged: bool = False
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Adoption:
    """The next benchmark set: the new file, the sheet rows adopted, and those kept as they were with the reason.

    `notes` say what else became of the sheet.
    """

    content: bytes
    adopted: tuple[int, ...]
    kept: Mapping[int, str]
    notes: tuple[str, ...] = ()


class Given(Mapping[int, Answer]):
    """The answers in J–N by row number, each made from the texts of its cells when it is asked for."""

    def __init__(self, texts: Mapping[int, tuple[str, ...]]) -> None:
        self._texts = texts

    def __getitem__(self, number: int) -> Answer:
        from service.workbook._cells import given_answer

        return given_answer(self._texts[number])

    def __iter__(self) -> Iterator[int]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)
