"""What goes into the run room and what comes out of it; doors print and serve these and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from flags import Source, Verdict
from service.runs._spending import Outlook, Spending
from service.settings import JudgeKind

State = Literal["queued", "in_progress", "ready", "failed", "cancelled"]
RowState = Literal["waiting", "answered", "judged", "failed"]

CSV_TYPE = "text/csv; charset=utf-8"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, kw_only=True)
class User:
    """Who asks: `company` decides which runs exist for them, `name` which spaces they may ask."""

    name: str = "local"
    company: str = "local"


class RunOptions(BaseModel):
    """What a person may choose for one run; unknown keys are refused.

    `judge` and `thorough` None mean the process's setting; `thorough` asks in both orders whether two answers differ.
    `trials` asks each question so many times.
    `rows` such as "1-5,8" counts questions from 1, not sheet rows; empty
    means all. `counts` names the flags that decide `final_flag`; None leaves it to the space and the process.
    `flags` holds settings by flag name, which win over those of the space and the process. `max_cost` ends the run
    before it costs more, in the currency of the prices.
    `cache` takes the answers of an experiment that the company has for the same content.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    judge: JudgeKind | None = None
    thorough: bool | None = None
    judge_only: bool = False
    trials: int = Field(1, ge=1, le=20)
    cache: bool = False
    rows: str = ""
    counts: tuple[str, ...] | None = None
    flags: dict[str, dict[str, Any]] = Field(default_factory=dict)
    sheet: str | None = None
    max_cost: float | None = Field(None, gt=0, allow_inf_nan=False)


@dataclass(frozen=True, kw_only=True)
class Remark:
    """A note or an error about a place in the workbook; `cell` such as "C7" (or "" for the file), `row` a sheet row.

    `row` is 0 when the remark is not about one row.
    """

    code: str
    message: str
    cell: str = ""
    row: int = 0


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Which headers were found (with the cell they stand in) and which are missing, in the template's spelling."""

    found: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What the cells of one assistant will take.

    `skipped` cells do not fit into its window of `window` tokens (None: it is not known); the others are asked.
    `prompt_tokens` are about right (cl100k_base), `completion_tokens` the most there can be, `cost` what both cost
    together at the prices of the config, None without them.
    """

    assistant: str
    cells: int
    skipped: int
    prompt_tokens: int
    completion_tokens: int
    window: int | None = None
    cost: float | None = None


@dataclass(frozen=True, kw_only=True)
class Report:
    """What a check says about a workbook before anything is asked; `errors` are rows that will not be asked.

    `estimates` say what each assistant's cells of an experiment will take, `outlook` what a benchmark will, where that
    was asked for.
    """

    sheet: str
    header_row: int
    questions: int
    spaces: Mapping[str, int]
    columns: Columns
    notes: tuple[Remark, ...] = ()
    errors: tuple[Remark, ...] = ()
    estimates: tuple[Estimate, ...] = ()
    outlook: Outlook | None = None


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why a run failed, in the wire shape of every error."""

    message: str
    code: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RunView:
    """One run as its owner sees it; all times are UTC.

    `done` counts finished rows and reaches `total` only once the result workbook is stored. `errors` counts rows that
    could not be answered or judged, `flagged` rows with a deviation (the former are not among them). `counts` is the
    number of TRUE verdicts by flag name. `rate` is rows a minute, `seconds_left` an estimate; both None when unknown.
    `cached` counts replies of the judge that were given before and not asked for again.
    `origin` is the run whose stored answers a rejudged run took, else "". `spending` is what its calls took so far.
    `audit` are the sheet rows of the audit sample: without a flag, drawn at random once the run is ready, to be looked
    at all the same, so that it can be told what the flags miss.
    `experiment` tells that its rows are cells of needle in a haystack; `flagged` then counts those that are less than
    fully right.
    """

    id: str
    name: str
    state: State
    sheet: str
    total: int
    done: int
    errors: int
    flagged: int
    created: datetime
    started: datetime | None
    finished: datetime | None
    options: RunOptions
    spaces: Mapping[str, int]
    user: str = ""
    judge: str = ""
    embedder: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    cached: int = 0
    notes: tuple[Remark, ...] = ()
    rate: float | None = None
    seconds_left: float | None = None
    failure: Failure | None = None
    origin: str = ""
    spending: Spending = field(default_factory=Spending)
    experiment: bool = False
    audit: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TrialView:
    """One of several answers to a question; `flags` are those that were TRUE, `code` says why it was not judged."""

    trial: int
    answer: str | None
    flagged: bool | None
    flags: tuple[str, ...] = ()
    code: str = ""


@dataclass(frozen=True, kw_only=True)
class RowView:
    """One question with everything its row of the workbook shows.

    `number` is the sheet row, `position` counts questions from 1. `answer` is None until it was given; the fields of
    the answer (`sources`, `modules`, `followup`, `messages`) are empty then. `flagged` is the final flag: None until
    the row was judged. `code` names why a row could not be answered or judged (`NOT JUDGED <code>`), else "".
    `review` is column AB (yes True, no False) when it belongs to this very answer, else None. `trials` are all answers
    to a question that was asked several times, of which `answer` is one. `cell` is what an experiment asks in this row;
    its score, category and scorer stand among the verdicts. `level` is how urgent it is (`flags.LEVELS`), `finding` its
    heaviest flag; `audit` that it is in the audit sample.
    """

    number: int
    position: int
    id: str
    question: str
    space: str
    state: RowState
    correct: bool | None = None
    reference: str = ""
    reference_sources: tuple[Source, ...] = ()
    reference_modules: tuple[str, ...] = ()
    reference_followup: bool | None = None
    answer: str | None = None
    sources: tuple[Source, ...] = ()
    modules: tuple[str, ...] = ()
    followup: bool | None = None
    messages: Mapping[str, Any] = field(default_factory=dict)
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    flagged: bool | None = None
    code: str = ""
    explanation: str = ""
    review: bool | None = None
    trials: tuple[TrialView, ...] = ()
    spending: Spending = field(default_factory=Spending)
    cell: Mapping[str, Any] | None = None
    level: str = ""
    finding: str = ""
    audit: bool = False


@dataclass(frozen=True, kw_only=True)
class NamedFile:
    """A file for the person, with the name it should be saved under."""

    name: str
    content: bytes
    media_type: str = XLSX_TYPE


@dataclass(frozen=True, kw_only=True)
class Pruned:
    """What was (or would be) removed: runs that ended before, their rows, and the bytes of their workbooks."""

    before: datetime
    runs: int = 0
    rows: int = 0
    size: int = 0


@dataclass(frozen=True, kw_only=True)
class AdoptionView:
    """The next benchmark set: the file, how many rows were adopted, and why each of the others was kept as it was.

    `notes` say what else became of the sheet, such as merged cells that were taken apart.
    """

    file: NamedFile
    adopted: int
    kept: tuple[Remark, ...] = ()
    notes: tuple[str, ...] = ()
