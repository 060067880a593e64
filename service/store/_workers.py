"""Who works on this database: signs of life, and each worker's part of a space's limit."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, text, update
from sqlmodel import col

from service.store._database import Database
from service.store._shares import fair
from service.store._tables import ShareTable, WorkerTable

TAKEN = ""
"""The lease of a worker that was declared dead: it finds its own gone, and no row stays under it."""

SHARING = 0x736C6F74
"""The number of the lock under which PostgreSQL lets one process at a time divide places ("slot")."""


@dataclass(frozen=True, kw_only=True)
class Need:
    """A worker's need for places of a space whose limit is `most`; `in_use` of them cannot be given back now."""

    most: int
    wanted: int
    in_use: int


class StoredWorkers:
    """A worker holds a lease as long as its entry carries it; times are those of the database, whose clock is one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def enter(self, executor: str, lease: str) -> None:
        """Begin to live, under a lease nobody held before."""

        def work(connection: Connection) -> None:
            connection.execute(delete(WorkerTable).where(col(WorkerTable.executor) == executor))
            beat = {"executor": executor, "lease": lease, "beat": _clock(connection)}
            connection.execute(insert(WorkerTable), [beat])

        await self._database.write(work)

    async def beat(self, executor: str, lease: str) -> bool:
        """Give a sign of life; False when the lease is lost."""

        def work(connection: Connection) -> bool:
            mine = (col(WorkerTable.executor) == executor, col(WorkerTable.lease) == lease)
            return connection.execute(update(WorkerTable).where(*mine).values(beat=_clock(connection))).rowcount == 1

        return await self._database.write(work)

    async def leave(self, executor: str, lease: str) -> None:
        """Stop living: others may take over at once."""
        mine = (col(WorkerTable.executor) == executor, col(WorkerTable.lease) == lease)
        gone = update(WorkerTable).where(*mine).values(beat=0.0)
        await self._database.write(lambda connection: connection.execute(gone).rowcount)

    async def claim_dead(self, silent_s: float, *, left_only: bool = False) -> list[str]:
        """Return workers that gave no sign for so long, or left; their leases end, and the caller has them to itself.

        Who dies with the claim leaves a worker that falls silent again. With `left_only` only those that left count.
        """

        def work(connection: Connection) -> list[str]:
            now = _clock(connection)
            silent = col(WorkerTable.beat) <= (0.0 if left_only else now - silent_s)
            found = sorted(connection.scalars(select(col(WorkerTable.executor)).where(silent)))
            claim = update(WorkerTable).where(silent).values(lease=TAKEN, beat=now)
            return [
                name for name in found if connection.execute(claim.where(col(WorkerTable.executor) == name)).rowcount
            ]

        return await self._database.write(work)

    async def bury(self, executor: str) -> None:
        """Forget a worker whose work was taken over; one that woke meanwhile stays."""
        query = delete(WorkerTable).where(col(WorkerTable.executor) == executor, col(WorkerTable.lease) == TAKEN)
        await self._database.write(lambda connection: connection.execute(query).rowcount)

    async def known(self, executor: str) -> bool:
        """Return whether the worker is alive, or not yet taken over."""
        query = select(col(WorkerTable.executor)).where(col(WorkerTable.executor) == executor)
        return await self._database.read(lambda session: session.scalar(query)) is not None

    async def divide(self, lease: str, needs: Mapping[str, Need]) -> dict[str, int]:
        """Return how many places of each space the worker holds from now on.

        All workers together never hold more than the space's limit: what one gives back is free for the next to ask.
        """

        def work(connection: Connection) -> dict[str, int]:
            if connection.dialect.name == "postgresql":
                connection.execute(text(f"SELECT pg_advisory_xact_lock({SHARING})"))
            alive = set(connection.scalars(select(col(WorkerTable.lease))))
            connection.execute(delete(ShareTable).where(col(ShareTable.lease).not_in(alive)))
            if lease not in alive:
                return dict.fromkeys(needs, 0)
            return {space: _share(connection, space, lease, need) for space, need in sorted(needs.items())}

        return await self._database.write(work)


def _share(connection: Connection, space: str, lease: str, need: Need) -> int:
    query = select(col(ShareTable.lease), col(ShareTable.wanted), col(ShareTable.held)).where(
        col(ShareTable.space) == space, col(ShareTable.lease) != lease
    )
    others = [(who, wanted, held) for who, wanted, held in connection.execute(query)]
    wishes = {who: wanted for who, wanted, _ in others} | {lease: need.wanted}
    free = max(0, need.most - sum(held for _, _, held in others))
    held = max(need.in_use, min(fair(wishes, need.most)[lease], free))
    connection.execute(delete(ShareTable).where(col(ShareTable.space) == space, col(ShareTable.lease) == lease))
    if need.wanted or held:
        row = {"space": space, "lease": lease, "wanted": need.wanted, "held": held}
        connection.execute(insert(ShareTable), [row])
    return held


def _clock(connection: Connection) -> float:
    """Return the database's time in seconds."""
    if connection.dialect.name != "postgresql":
        return time.time()
    return float(connection.scalar(text("SELECT extract(epoch from clock_timestamp())")) or 0)
