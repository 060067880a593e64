"""A run is taken up again: rows that failed or are named wait once more, what was stored for the others stays."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, or_, select, update
from sqlmodel import col

from service.store._tables import FileTable, JudgementTable, RowTable, RunTable, VerdictTable
from service.store._trials import drop_trials, reopen_trials


def reopen(connection: Connection, run_id: str, owner: str, *, anew: Collection[int] = (), asks: bool = True) -> bool:
    """Queue the run again; False when every row that can be asked has its verdicts.

    A row that has its answer is only judged again, and the judge's replies kept for it are not asked for again. Of the
    rows `anew` nothing is kept, with `asks` not even the answer: they begin anew whatever became of them.
    """
    named = col(RowTable.number).in_(anew)
    handed_out = (col(RowTable.run_id) == run_id, col(RowTable.shard).is_not(None))
    left = select(func.count()).select_from(RowTable).where(*handed_out, or_(col(RowTable.state) != "judged", named))
    if not connection.scalar(left):
        return False
    again = (*handed_out, or_(col(RowTable.state) == "failed", named))
    _drop(connection, VerdictTable, run_id, again)
    _drop(connection, JudgementTable, run_id, (*handed_out, named))
    reopen_trials(connection, run_id, select(col(RowTable.number)).where(*again))
    drop_trials(connection, run_id, select(col(RowTable.number)).where(*handed_out, named), asks=asks)
    if asks:
        connection.execute(update(RowTable).where(*handed_out, named).values(answer=None, content_key=""))
    # Without its lease, what somebody still has under way for a row is refused.
    before = case((col(RowTable.answer).is_not(None), "answered"), else_="waiting")
    connection.execute(update(RowTable).where(*again).values(state=before, flagged=None, code="", lease=""))
    connection.execute(delete(FileTable).where(col(FileTable.run_id) == run_id, col(FileTable.kind) == "result"))
    values = {"state": "queued", "owner": owner, "finished": None, "failure": None, "tally": None}
    query = update(RunTable).where(col(RunTable.id) == run_id)
    return connection.execute(query.values(**values, attempt=col(RunTable.attempt) + 1)).rowcount == 1


def _drop(
    connection: Connection,
    table: type[VerdictTable] | type[JudgementTable],
    run_id: str,
    rows: tuple[ColumnElement[bool], ...],
) -> None:
    numbers = select(col(RowTable.number)).where(and_(*rows))
    connection.execute(delete(table).where(col(table.run_id) == run_id, col(table.number).in_(numbers)))
