"""What the store takes and gives: frozen records, never a table row."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from flags import Answer, Judgement, Question, Verdict

RunState = Literal["queued", "in_progress", "ready", "failed", "cancelled"]
RowState = Literal["waiting", "answered", "judged", "failed"]
FileKind = Literal["input", "result"]

OPEN: tuple[RunState, ...] = ("queued", "in_progress")
SETTLED: tuple[RowState, ...] = ("judged", "failed")


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One of several answers to a question, counted from 1; `verdicts` are empty until it is judged.

    Without an answer `code` says why there is none.
    """

    trial: int
    answer: Answer | None = None
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    code: str = ""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A judge's reply to keep; by `content` (if any) it is found again, `cached` says that it was found so itself."""

    said: Judgement
    content: str = ""
    cached: bool = False


@dataclass(frozen=True, kw_only=True)
class NewRow:
    """A row as it is stored with its run; `space` is the space's own spelling, the question keeps the person's.

    `shard` is the bundle of rows it is handed out with, None for a row that is never asked; such a row brings its
    `verdicts` and the `code` of its final verdict along. `answer` is an answer that need not be asked for.
    `cell` is the cell of an experiment, None for a question.
    """

    number: int
    position: int
    space: str
    question: Question
    shard: int | None = None
    answer: Answer | None = None
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    code: str = ""
    cell: Mapping[str, Any] | None = None
    trials: tuple[Trial, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Review:
    """A person's yes or no (column AB) about the answer whose hash is `answer_hash`."""

    number: int
    answer_hash: str
    correct: bool


@dataclass(frozen=True, kw_only=True)
class NewApproved:
    """An answer that a person (`user`) accepted although it was flagged."""

    space: str
    question: str
    answer: str
    answer_hash: str
    user: str


@dataclass(frozen=True, kw_only=True)
class ApprovedRecord(NewApproved):
    """The same as it is stored; `created` is when it was accepted, in UTC."""

    id: str
    created: datetime


@dataclass(frozen=True, kw_only=True)
class NewRun:
    """Everything of an upload that is stored in one transaction; `plan` is what the run needs to be continued."""

    id: str
    company: str
    user: str
    name: str
    sheet: str
    owner: str
    content: bytes
    rows: tuple[NewRow, ...]
    options: Mapping[str, Any]
    plan: Mapping[str, Any]
    spaces: Mapping[str, int]
    notes: tuple[Mapping[str, Any], ...] = ()
    reviews: tuple[Review, ...] = ()
    judge: str = ""
    embedder: str = ""
    origin: str = ""


@dataclass(frozen=True, kw_only=True)
class Used:
    """What calls to a model took: `cached` tokens are among `input`; `untold` calls told no tokens."""

    caller: str
    model: str
    calls: int = 0
    untold: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0


@dataclass(frozen=True, kw_only=True)
class Tally:
    """How far a run is: settled rows, rows with a code, rows that deviate, TRUE verdicts by flag, what was used.

    `cached` counts the judge's replies that were given before and not asked for again. `audit` are the sheet rows drawn
    for a look once the run is ready.
    """

    done: int = 0
    errors: int = 0
    flagged: int = 0
    cached: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    used: tuple[Used, ...] = ()
    audit: tuple[int, ...] = ()

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "Tally":
        """Return the tally that was stored as JSON; an older one knows nothing of what was used."""
        used = tuple(Used(**each) for each in stored.get("used", ()))
        return cls(**{**stored, "used": used, "audit": tuple(stored.get("audit", ()))})


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """A stored run; times are UTC. `attempt` counts how often it was taken up again."""

    id: str
    company: str
    user: str
    name: str
    sheet: str
    state: RunState
    owner: str
    total: int
    options: Mapping[str, Any]
    plan: Mapping[str, Any]
    spaces: Mapping[str, int]
    notes: tuple[Mapping[str, Any], ...]
    judge: str
    embedder: str
    origin: str
    created: datetime
    started: datetime | None
    finished: datetime | None
    failure: Mapping[str, Any] | None
    tally: Tally
    attempt: int = 0


@dataclass(frozen=True, kw_only=True)
class RowRecord:
    """A stored row; `judgements` are the judge's replies kept so far, by rubric and its version.

    `lease` is that of the worker which carries it: under it answer, replies and verdicts are stored. `trials` are the
    answers to a question that is asked several times.
    """

    run_id: str
    number: int
    position: int
    space: str
    question: Question
    state: RowState
    answer: Answer | None = None
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    code: str = ""
    judgements: Mapping[str, Judgement] = field(default_factory=dict)
    lease: str = ""
    cell: Mapping[str, Any] | None = None
    trials: tuple[Trial, ...] = ()

    @property
    def flagged(self) -> bool | None:
        """The final flag, None before there is one."""
        return self.verdicts["final"].value if "final" in self.verdicts else None


@dataclass(frozen=True, kw_only=True)
class NewCorpus:
    """A text to keep under a name; `sha256` is that of `flags.niah.Corpus`, `tokens` are of cl100k_base."""

    name: str
    text: str
    sha256: str
    tokens: int
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class CorpusRecord:
    """What is known of a stored corpus; `tokens` of cl100k_base, `about` says where it comes from."""

    name: str
    sha256: str
    tokens: int
    about: Mapping[str, Any]
    created: datetime
