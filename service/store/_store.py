"""The store: one object, opened on a database URL."""

import asyncio

from sqlalchemy import select

from service.store._approved import StoredApproved
from service.store._connect import open_engine
from service.store._corpora import StoredCorpora
from service.store._database import Database
from service.store._history import StoredHistory
from service.store._rows import StoredRows
from service.store._runs import StoredRuns
from service.store._spending import StoredSpending
from service.store._trials import StoredTrials
from service.store._workers import StoredWorkers


class Store:
    """Everything that is kept: `runs` (with their files and reviews) and `rows` (with answers and verdicts).

    `spending` is what calls took, `trials` are the answers to questions asked several times, `workers` the processes
    that share it, `corpora` the texts of haystacks, `history` what ended long ago, `approved` the
    answers that persons accepted although they were flagged.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.runs = StoredRuns(database)
        self.rows = StoredRows(database)
        self.trials = StoredTrials(database)
        self.spending = StoredSpending(database)
        self.workers = StoredWorkers(database)
        self.corpora = StoredCorpora(database)
        self.approved = StoredApproved(database)
        self.history = StoredHistory(database)

    @classmethod
    async def open(cls, url: str) -> "Store":
        """Connect, bring the tables to the newest version and return the store.

        Raises `DatabaseUnusable`, or `DatabaseNewer` for tables of a later version.
        """
        return cls(Database(await asyncio.to_thread(open_engine, url)))

    async def ping(self) -> None:
        """Read and write nothing; returns once the database has done so."""
        await self._database.read(lambda session: session.scalar(select(1)))
        await self._database.write(lambda connection: connection.scalar(select(1)))

    async def close(self) -> None:
        """Finish what is being written and let the database go."""
        await self._database.close()
