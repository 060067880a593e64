"""The trials of rows that are asked several times."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.orm import Session

from flags import Verdict
from service.store._codec import answer_from_json, answer_to_json, verdict_columns
from service.store._database import Database
from service.store._records import NewRow, RowRecord, Trial
from service.store._row_statements import MINE, row_of
from service.store._tables import RowTable, TrialTable

TRIAL: Any = TrialTable.__table__  # type: ignore[attr-defined]
ROW: Any = RowTable.__table__  # type: ignore[attr-defined]

_HELD = select(ROW.c.number).where(*MINE)


class StoredTrials:
    """What is known about the trials of a row; only who holds the row's lease may store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, of: RowRecord, trial: Trial) -> bool:
        """Store how far a trial is, in place of what was known of it; False when the row is gone or another's."""
        columns = {"run_id": of.run_id, "number": of.number, **trial_columns(trial)}
        old = delete(TRIAL).where(
            TRIAL.c.run_id == of.run_id, TRIAL.c.number == of.number, TRIAL.c.trial == trial.trial
        )

        def work(connection: Connection) -> bool:
            if connection.scalar(_HELD, row_of(of.run_id, of.number, of.lease)) is None:
                return False
            connection.execute(old)
            connection.execute(insert(TRIAL), [columns])
            return True

        return await self._database.write(work)


def trial_columns(trial: Trial) -> dict[str, Any]:
    """Return a trial's columns."""
    verdicts = {flag: verdict_columns(verdict) for flag, verdict in trial.verdicts.items()}
    return {
        "trial": trial.trial,
        "answer": answer_to_json(trial.answer) if trial.answer else None,
        "verdicts": verdicts or None,
        "code": trial.code,
    }


def new_trials(run_id: str, rows: Iterable[NewRow]) -> Iterator[dict[str, Any]]:
    """Yield the columns of the trials that new rows bring along."""
    return ({"run_id": run_id, "number": row.number, **trial_columns(trial)} for row in rows for trial in row.trials)


def trials_of(session: Session, run_id: str, span: tuple[int, int]) -> Mapping[int, list[Trial]]:
    """Return the trials of rows from one number to another, in their order."""
    query = select(TRIAL).where(TRIAL.c.run_id == run_id, TRIAL.c.number.between(*span)).order_by(TRIAL.c.trial)
    trials: dict[int, list[Trial]] = defaultdict(list)
    for row in session.execute(query):
        verdicts = {flag: Verdict(**columns) for flag, columns in (row.verdicts or {}).items()}
        answer = answer_from_json(row.answer) if row.answer else None
        trials[row.number].append(Trial(trial=row.trial, answer=answer, verdicts=verdicts, code=row.code))
    return trials


def trial_outline(session: Session, run_id: str) -> Mapping[int, list[Trial]]:
    """Return the trials of a run without their texts: their final flag and code."""
    final = TRIAL.c.verdicts[("final", "value")].as_boolean().label("final")
    query = select(TRIAL.c.number, TRIAL.c.trial, TRIAL.c.code, final).where(TRIAL.c.run_id == run_id)
    trials: dict[int, list[Trial]] = defaultdict(list)
    for row in session.execute(query.order_by(TRIAL.c.number, TRIAL.c.trial)):
        verdicts = {} if row.final is None else {"final": Verdict.given(row.final, code=row.code)}
        trials[row.number].append(Trial(trial=row.trial, verdicts=verdicts, code=row.code))
    return trials


def reopen_trials(connection: Connection, run_id: str, numbers: Any) -> None:
    """Have what failed in the trials of some rows asked (or, where it was answered, judged) again."""
    failed = (TRIAL.c.run_id == run_id, TRIAL.c.number.in_(numbers), TRIAL.c.code != "")
    connection.execute(delete(TRIAL).where(*failed, TRIAL.c.answer.is_(None)))
    connection.execute(update(TRIAL).where(*failed).values(verdicts=None, code=""))


def drop_trials(connection: Connection, run_id: str, numbers: Any, *, asks: bool) -> None:
    """Have the trials of some rows begin anew; unless it `asks`, their answers stay."""
    rows = (TRIAL.c.run_id == run_id, TRIAL.c.number.in_(numbers))
    connection.execute(
        delete(TRIAL).where(*rows) if asks else update(TRIAL).where(*rows).values(verdicts=None, code="")
    )
