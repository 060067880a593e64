"""The tables; they never leave this room. Every change here has its migration beside it."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, DateTime, Dialect, ForeignKey, ForeignKeyConstraint, LargeBinary, Text
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel


class Utc(TypeDecorator[datetime]):
    """A moment in UTC; databases without time zones give it back with its zone all the same."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the moment in UTC."""
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the moment with its zone."""
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


def _run_key(**more: Any) -> Any:
    return Column(ForeignKey("run.id", ondelete="CASCADE"), **more)


class RunTable(SQLModel, table=True):
    """One run; `plan` is the snapshot it is continued with, `tally` the counts once it is ready."""

    __tablename__ = "run"

    id: str = Field(primary_key=True)
    company: str = Field(index=True)
    user: str
    name: str
    sheet: str
    state: str = Field(index=True)
    owner: str
    total: int
    options: dict[str, Any] = Field(sa_type=JSON)
    plan: dict[str, Any] = Field(sa_type=JSON)
    spaces: dict[str, int] = Field(sa_type=JSON)
    notes: list[dict[str, Any]] = Field(sa_type=JSON)
    judge: str
    embedder: str
    origin: str
    attempt: int = Field(default=0)
    created: datetime = Field(sa_type=Utc)
    started: datetime | None = Field(default=None, sa_type=Utc)
    finished: datetime | None = Field(default=None, sa_type=Utc)
    failure: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    tally: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))


class FileTable(SQLModel, table=True):
    """The bytes of a workbook: what came in, and the result."""

    __tablename__ = "file"

    run_id: str = Field(sa_column=_run_key(primary_key=True))
    kind: str = Field(primary_key=True)
    content: bytes = Field(sa_type=LargeBinary)


class RowTable(SQLModel, table=True):
    """One question and its answer; `flagged` is the final flag, `shard` the bundle it is handed out with.

    `lease` is that of the worker which carries it: another may not store. `cell` is the cell of an experiment, and
    `content_key` what its answer depends on.
    """

    __tablename__ = "row"

    run_id: str = Field(sa_column=_run_key(primary_key=True))
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    position: int
    space: str
    shard: int | None = Field(default=None)
    state: str
    question: dict[str, Any] = Field(sa_type=JSON)
    answer: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    flagged: bool | None = Field(default=None)
    code: str = Field(default="")
    lease: str = Field(default="")
    cell: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    content_key: str = Field(default="", index=True)


def _row_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["run_id", "number"], ["row.run_id", "row.number"], ondelete="CASCADE")


class VerdictTable(SQLModel, table=True):
    """One flag's opinion of one answer."""

    __tablename__ = "verdict"
    __table_args__ = (_row_key(),)

    run_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    flag: str = Field(primary_key=True)
    status: str
    value: bool | None = Field(default=None)
    reason: str = Field(sa_type=Text)
    score: float | None = Field(default=None)
    code: str


class JudgementTable(SQLModel, table=True):
    """A judge's reply to one rubric, kept so that a call that was paid for is never made again.

    By its `content` other rows find it; `cached` replies were found so.
    """

    __tablename__ = "judgement"
    __table_args__ = (_row_key(),)

    run_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    rubric: str = Field(primary_key=True)
    reply: dict[str, str] = Field(sa_type=JSON)
    content: str = Field(default="", index=True)
    cached: bool = Field(default=False)


class TrialTable(SQLModel, table=True):
    """One of the answers to a question that is asked several times, with its verdicts once it is judged."""

    __tablename__ = "trial"
    __table_args__ = (_row_key(),)

    run_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    trial: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    answer: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    verdicts: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True), nullable=True))
    code: str = Field(default="")


class UsageTable(SQLModel, table=True):
    """What the calls for a row took, as one process counted it: `untold` calls told no tokens, `cached` are input."""

    __tablename__ = "usage"
    __table_args__ = (_row_key(),)

    run_id: str = Field(primary_key=True)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    book: str = Field(primary_key=True)
    caller: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    calls: int
    untold: int
    input: int = Field(sa_type=BigInteger)
    cached: int = Field(sa_type=BigInteger)
    output: int = Field(sa_type=BigInteger)


class PurseTable(SQLModel, table=True):
    """What of a run's limit a process has spent or may spend, and what of it was spent when that was written."""

    __tablename__ = "purse"

    run_id: str = Field(sa_column=_run_key(primary_key=True))
    book: str = Field(primary_key=True)
    held: float
    spent: float = Field(default=0.0)


class ReviewTable(SQLModel, table=True):
    """A person's yes or no about an answer, taken from the workbook a run was started with."""

    __tablename__ = "review"

    run_id: str = Field(sa_column=_run_key(primary_key=True))
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    company: str = Field(index=True)
    user: str
    answer_hash: str
    correct: bool
    created: datetime = Field(sa_type=Utc)


class ApprovedTable(SQLModel, table=True):
    """An answer that a person accepted although it was flagged; `question_key` tells company, space and question."""

    __tablename__ = "approved"

    id: str = Field(primary_key=True)
    company: str = Field(index=True)
    question_key: str = Field(index=True)
    space: str
    question: str = Field(sa_type=Text)
    answer: str = Field(sa_type=Text)
    answer_hash: str
    user: str
    created: datetime = Field(sa_type=Utc)


class CorpusTable(SQLModel, table=True):
    """A text that haystacks are made of; `content` is compressed, `about` says where it comes from."""

    __tablename__ = "corpus"

    company: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    sha256: str
    tokens: int
    about: dict[str, Any] = Field(sa_type=JSON)
    content: bytes = Field(sa_type=LargeBinary)
    created: datetime = Field(sa_type=Utc)


class WorkerTable(SQLModel, table=True):
    """A process that works on this database, its lease and its last sign of life in seconds."""

    __tablename__ = "worker"

    executor: str = Field(primary_key=True)
    lease: str
    beat: float


class ShareTable(SQLModel, table=True):
    """A worker's part of the places of a space."""

    __tablename__ = "share"

    space: str = Field(primary_key=True)
    lease: str = Field(primary_key=True)
    wanted: int
    held: int
