"""A run that ended is taken up again: rows that failed wait once more, what was stored stays."""

from sqlalchemy import Connection, case, delete, func, select, update
from sqlmodel import col

from service.store._tables import FileTable, RowTable, RunTable, VerdictTable
from service.store._trials import reopen_trials


def reopen(connection: Connection, run_id: str, owner: str) -> bool:
    """Queue the run again; False when every row that can be asked has its verdicts.

    A row that has its answer is only judged again, and the judge's replies kept for it are not asked for again.
    """
    handed_out = (col(RowTable.run_id) == run_id, col(RowTable.shard).is_not(None))
    left = select(func.count()).select_from(RowTable).where(*handed_out, col(RowTable.state) != "judged")
    if not connection.scalar(left):
        return False
    failed = (*handed_out, col(RowTable.state) == "failed")
    numbers = select(col(RowTable.number)).where(*failed)
    connection.execute(
        delete(VerdictTable).where(col(VerdictTable.run_id) == run_id, col(VerdictTable.number).in_(numbers))
    )
    reopen_trials(connection, run_id, numbers)
    before = case((col(RowTable.answer).is_not(None), "answered"), else_="waiting")
    connection.execute(update(RowTable).where(*failed).values(state=before, flagged=None, code="", lease=""))
    connection.execute(delete(FileTable).where(col(FileTable.run_id) == run_id, col(FileTable.kind) == "result"))
    again = {"state": "queued", "owner": owner, "finished": None, "failure": None, "tally": None}
    query = update(RunTable).where(col(RunTable.id) == run_id)
    return connection.execute(query.values(**again, attempt=col(RunTable.attempt) + 1)).rowcount == 1
