"""Runs and their files."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Delete, Update, delete, func, insert, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from service.metrics import Load
from service.store._codec import answer_to_json, question_to_json, verdict_columns
from service.store._database import Database
from service.store._records import OPEN, FileKind, NewRow, NewRun, Review, RunRecord, RunState, Tally
from service.store._reopen import reopen
from service.store._rows import tally_of
from service.store._tables import FileTable, ReviewTable, RowTable, RunTable, TrialTable, VerdictTable
from service.store._trials import new_trials

PLAIN = ("id", "company", "user", "name", "sheet", "owner", "judge", "embedder", "origin")
"""Fields of a new run that are stored as they are."""
_BATCH = 500


class StoredRuns:
    """What is known about runs; every change of state happens once, whoever asks for it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, new: NewRun) -> None:
        """Store the run, its workbook, rows and reviews in one transaction."""
        await self._database.write(lambda connection: _add(connection, new))

    async def get(self, run_id: str, company: str | None = None) -> RunRecord | None:
        """Return the run, or None when it does not exist (for that company)."""

        def work(session: Session) -> RunRecord | None:
            found = session.get(RunTable, run_id)
            if found is None or (company is not None and found.company != company):
                return None
            return _record(session, found)

        return await self._database.read(work)

    async def order(self, run_id: str) -> RunRecord | None:
        """Return what a run was started with, without its counts: they are made of all rows, and cost as much."""

        def work(session: Session) -> RunRecord | None:
            found = session.get(RunTable, run_id)
            return None if found is None else _record(session, found, lambda *_: Tally())

        return await self._database.read(work)

    async def of_company(self, company: str) -> list[RunRecord]:
        """Return the company's runs, the newest first."""
        query = (
            select(RunTable)
            .where(col(RunTable.company) == company)
            .order_by(col(RunTable.created).desc(), col(RunTable.id))
        )
        return await self._database.read(lambda session: [_record(session, found) for found in session.scalars(query)])

    async def unfinished(self, owner: str, *, state: RunState | None = None) -> list[str]:
        """Return the ids of the owner's runs that have not come to an end (are in that state), the oldest first."""
        states = (state,) if state else OPEN
        query = (
            select(col(RunTable.id))
            .where(col(RunTable.owner) == owner, col(RunTable.state).in_(states))
            .order_by(col(RunTable.created))
        )
        return await self._database.read(lambda session: list(session.scalars(query)))

    async def owned_by_others(self, owner: str) -> list[tuple[str, str]]:
        """Return (run, owner) of every unfinished run that another process carries out."""
        query = select(col(RunTable.id), col(RunTable.owner)).where(
            col(RunTable.owner) != owner, col(RunTable.state).in_(OPEN)
        )
        return await self._database.read(lambda session: [(run, other) for run, other in session.execute(query)])

    async def hand_over(self, run_id: str, owner: str, heir: str) -> bool:
        """Make `heir` the owner of a run of `owner`; False when somebody else was faster."""
        query = update(RunTable).where(col(RunTable.id) == run_id, col(RunTable.owner) == owner).values(owner=heir)
        return await self._database.write(lambda connection: _rows_changed(connection, query) == 1)

    async def state(self, run_id: str) -> str | None:
        """Return the state, or None when the run is gone."""
        query = select(col(RunTable.state)).where(col(RunTable.id) == run_id)
        return await self._database.read(lambda session: session.scalar(query))

    async def begin(self, run_id: str) -> None:
        """Note that work on a queued run has begun."""
        await self._change(run_id, ("queued",), state="in_progress", started=datetime.now(UTC))

    async def finish(self, run: RunRecord, result: bytes, finished: datetime) -> bool:
        """Store the result and make the run ready in one transaction.

        False when it had already come to an end, or was taken up again since `run` was read.
        """
        run_id, counts = run.id, asdict(run.tally)

        def work(connection: Connection) -> bool:
            attempt = connection.scalar(select(col(RunTable.attempt)).where(col(RunTable.id) == run_id))
            ready = {"state": "ready", "finished": finished, "tally": counts}
            changed = attempt == run.attempt and _change(connection, run_id, OPEN, **ready)
            if changed:
                connection.execute(insert(FileTable), [{"run_id": run_id, "kind": "result", "content": result}])
            return changed

        return await self._database.write(work)

    async def fail(self, run_id: str, failure: Mapping[str, Any]) -> bool:
        """Note why the run stopped; False when it had already come to an end."""
        return await self._change(run_id, OPEN, state="failed", finished=datetime.now(UTC), failure=dict(failure))

    async def cancel(self, run_id: str) -> bool:
        """Mark the run as cancelled; whoever works on it stops. False when it had already come to an end."""
        return await self._change(run_id, OPEN, state="cancelled", finished=datetime.now(UTC))

    async def reopen(self, run_id: str, owner: str, *, anew: Collection[int] = (), asks: bool = True) -> bool:
        """Queue what failed or is missing again, for `owner` to carry out; False when there is no such row.

        The sheet rows `anew` are asked (unless the run only judges) and judged as if they never had been.
        """
        return await self._database.write(lambda connection: reopen(connection, run_id, owner, anew=anew, asks=asks))

    async def load(self) -> Load:
        """Return how many runs there are by state, and how many rows those that go on have by state."""
        runs = select(col(RunTable.state), func.count()).group_by(col(RunTable.state))
        rows = (
            select(col(RowTable.state), func.count())
            .join(RunTable, col(RunTable.id) == col(RowTable.run_id))
            .where(col(RunTable.state).in_(OPEN))
            .group_by(col(RowTable.state))
        )
        queries: tuple[Any, Any] = (runs, rows)
        counted = await self._database.read(lambda session: [dict(session.execute(q).tuples().all()) for q in queries])
        return Load(runs=counted[0], rows=counted[1])

    async def replan(self, run_id: str, options: Mapping[str, Any], plan: Mapping[str, Any]) -> None:
        """Change what a run that ended will be taken up with."""
        query = update(RunTable).where(col(RunTable.id) == run_id).values(options=dict(options), plan=dict(plan))
        await self._database.write(lambda connection: _rows_changed(connection, query))

    async def attempt(self, run_id: str) -> int:
        """Return how often the run was taken up again."""
        query = select(col(RunTable.attempt)).where(col(RunTable.id) == run_id)
        return await self._database.read(lambda session: session.scalar(query)) or 0

    async def delete(self, run_id: str) -> None:
        """Remove the run with all it holds."""
        query = delete(RunTable).where(col(RunTable.id) == run_id)
        await self._database.write(lambda connection: _rows_changed(connection, query))

    async def file(self, run_id: str, kind: FileKind) -> bytes | None:
        """Return the bytes of a workbook of the run, or None when there is none (yet)."""
        query = select(col(FileTable.content)).where(col(FileTable.run_id) == run_id, col(FileTable.kind) == kind)
        return await self._database.read(lambda session: session.scalar(query))

    async def reviews(self, run_id: str) -> dict[int, tuple[str, bool]]:
        """Return sheet row → (hash of the answer reviewed, whether it was correct)."""
        query = select(ReviewTable).where(col(ReviewTable.run_id) == run_id)
        return await self._database.read(
            lambda session: {each.number: (each.answer_hash, each.correct) for each in session.scalars(query)}
        )

    async def reviewed(self, company: str) -> list[str]:
        """Return the ids of the company's runs whose answers somebody has reviewed, the oldest first."""
        some = select(col(ReviewTable.run_id)).where(col(ReviewTable.run_id) == col(RunTable.id)).exists()
        query = select(col(RunTable.id)).where(col(RunTable.company) == company, some).order_by(col(RunTable.created))
        return await self._database.read(lambda session: list(session.scalars(query)))

    async def review(self, run_id: str, company: str, user: str, reviews: Sequence[Review]) -> None:
        """Store what a person wrote into column AB of the result; earlier reviews of the same rows are replaced."""
        numbers = [review.number for review in reviews]
        old = delete(ReviewTable).where(col(ReviewTable.run_id) == run_id, col(ReviewTable.number).in_(numbers))

        def work(connection: Connection) -> None:
            connection.execute(old)
            _add_reviews(connection, run_id, company, user, reviews)

        await self._database.write(work)

    async def _change(self, run_id: str, states: Sequence[str], **values: Any) -> bool:
        return await self._database.write(lambda connection: _change(connection, run_id, states, **values))


def _change(connection: Connection, run_id: str, states: Sequence[str], **values: Any) -> bool:
    query = update(RunTable).where(col(RunTable.id) == run_id, col(RunTable.state).in_(states)).values(**values)
    return _rows_changed(connection, query) == 1


def _rows_changed(connection: Connection, query: Update | Delete) -> int:
    return connection.execute(query).rowcount


def _add(connection: Connection, new: NewRun) -> None:
    if connection.scalar(select(col(RunTable.id)).where(col(RunTable.id) == new.id)):
        return  # a second try after a commit whose confirmation was lost
    now = datetime.now(UTC)
    columns: dict[str, Any] = {name: getattr(new, name) for name in PLAIN}
    columns.update({name: dict(getattr(new, name)) for name in ("options", "plan", "spaces")})
    columns.update(notes=[dict(note) for note in new.notes], state="queued", total=len(new.rows), created=now)
    connection.execute(insert(RunTable), [columns])
    connection.execute(insert(FileTable), [{"run_id": new.id, "kind": "input", "content": new.content}])
    _add_all(connection, RowTable, (_row_columns(new.id, row) for row in new.rows))
    _add_all(connection, VerdictTable, (columns for row in new.rows for columns in _verdicts(new.id, row)))
    _add_all(connection, TrialTable, new_trials(new.id, new.rows))
    _add_reviews(connection, new.id, new.company, new.user, new.reviews)


def _add_reviews(connection: Connection, run_id: str, company: str, user: str, reviews: Sequence[Review]) -> None:
    who = {"run_id": run_id, "company": company, "user": user, "created": datetime.now(UTC)}
    _add_all(connection, ReviewTable, ({**asdict(review), **who} for review in reviews))


def _add_all(connection: Connection, table: type[Any], columns: Iterator[dict[str, Any]]) -> None:
    """Insert in batches: the columns of a large workbook would take its memory once more."""
    while batch := list(islice(columns, _BATCH)):
        connection.execute(insert(table), batch)


def _row_columns(run_id: str, row: NewRow) -> dict[str, Any]:
    settled = bool(row.verdicts)
    return {
        "run_id": run_id,
        "number": row.number,
        "position": row.position,
        "space": row.space,
        "shard": row.shard,
        "state": "failed" if settled else "answered" if row.answer else "waiting",
        "question": question_to_json(row.question),
        "answer": answer_to_json(row.answer) if row.answer else None,
        "flagged": row.verdicts["final"].value if settled else None,
        "code": row.code,
        "cell": dict(row.cell) if row.cell is not None else None,
    }


def _verdicts(run_id: str, row: NewRow) -> list[dict[str, Any]]:
    where = {"run_id": run_id, "number": row.number}
    return [{**where, "flag": flag, **verdict_columns(verdict)} for flag, verdict in row.verdicts.items()]


def _record(session: Session, found: RunTable, count: Callable[[Session, str], Tally] = tally_of) -> RunRecord:
    tally = Tally.of(found.tally) if found.tally else count(session, found.id)
    values = found.model_dump(exclude={"tally", "notes"})
    return RunRecord(**values, notes=tuple(found.notes), tally=tally)
