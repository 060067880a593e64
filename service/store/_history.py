"""Runs of long ago: which there are, and how they are removed for good."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, select
from sqlmodel import col

from service.store._connect import connect
from service.store._database import Database
from service.store._records import OPEN
from service.store._tables import FileTable, RunTable


@dataclass(frozen=True, kw_only=True)
class OldRun:
    """A run that came to its end; `size` is that of its workbooks in bytes."""

    id: str
    name: str
    finished: datetime
    rows: int
    size: int


class StoredHistory:
    """What ended before a moment; a run that has not ended is never touched, whenever it began."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ended_before(self, moment: datetime) -> list[OldRun]:
        """Return the runs of all companies that ended before, the oldest first."""
        size = func.coalesce(func.sum(func.length(col(FileTable.content))), 0)
        query = (
            select(col(RunTable.id), col(RunTable.name), col(RunTable.finished), col(RunTable.total), size)
            .outerjoin(FileTable, col(FileTable.run_id) == col(RunTable.id))
            .where(*_ended(moment))
            .group_by(col(RunTable.id), col(RunTable.name), col(RunTable.finished), col(RunTable.total))
            .order_by(col(RunTable.finished), col(RunTable.id))
        )
        return await self._database.read(
            lambda session: [
                OldRun(id=run, name=name, finished=finished, rows=rows, size=size)
                for run, name, finished, rows, size in session.execute(query)
            ]
        )

    async def remove(self, run_id: str, moment: datetime) -> bool:
        """Remove a run with all it holds; False when it is gone, or was taken up again meanwhile."""
        query = delete(RunTable).where(col(RunTable.id) == run_id, *_ended(moment))
        return await self._database.write(lambda connection: connection.execute(query).rowcount == 1)


def _ended(moment: datetime) -> tuple[ColumnElement[bool], ...]:
    return col(RunTable.state).not_in(OPEN), col(RunTable.finished) < moment


def give_back(url: str) -> None:
    """Have the database give the space of what was removed back; blocks for as long as its file is written anew.

    SQLite returns it to the disk; PostgreSQL keeps it for new rows.
    """
    engine = connect(url)
    try:
        borrowed = engine.raw_connection()
        try:
            driver = borrowed.driver_connection
            if engine.dialect.name == "postgresql":
                driver.autocommit = True  # type: ignore[union-attr]
            cursor = borrowed.cursor()
            cursor.execute("VACUUM")
            if engine.dialect.name == "sqlite":
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            cursor.close()
        finally:
            borrowed.invalidate()
    finally:
        engine.dispose()
