"""What calls took, by row and model, and what of a run's limit each process may spend."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Integer, String, bindparam, delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session
from sqlmodel import col

from service.store._database import Database
from service.store._records import Used
from service.store._tables import PurseTable, RowTable, RunTable, UsageTable

USAGE: Any = UsageTable.__table__  # type: ignore[attr-defined]
_KEY = ("run_id", "number", "book", "caller", "model")
_COUNTS = ("calls", "untold", "input", "cached", "output")


Line = tuple[str, int, str, Used]
"""Run, row, book, and what the book says of one caller and model."""


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What a process has spent of a run's limit, and the most and least it wishes to hold of it."""

    spent: float
    most: float
    least: float


@dataclass(frozen=True, kw_only=True)
class Grant:
    """What a process may hold, and what others hold and have not spent, as far as they have written it."""

    held: float
    open_elsewhere: float


EARLIER = ""
"""The book of what a run had cost before its cost was limited."""


class StoredSpending:
    """Each process keeps a book of its own, in which it writes what it counted so far; twice changes nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, lines: Callable[[], Iterable[Line]]) -> asyncio.Future[None]:
        """Write what calls for rows took; what is written after this is on disk after it.

        `lines` is called when it is written, perhaps more than once, and gives what was counted by then.
        """

        def work(connection: Connection) -> None:
            of_rows = [
                {"run_id": run_id, "number": number, "book": book, **vars(used)}
                for run_id, number, book, used in lines()
            ]
            if of_rows:
                connection.execute(_NOTE[connection.dialect.name], of_rows)

        return self._database.post(work)

    async def grant(self, run_id: str, book: str, wish: Wish, limit: float) -> Grant:
        """Let a book hold what it wishes of a run's limit, or all that others leave, or else what it has spent."""

        def work(connection: Connection) -> Grant:
            # one at a time, where the database would let several in
            connection.execute(select(col(RunTable.id)).where(col(RunTable.id) == run_id).with_for_update())
            mine = (col(PurseTable.run_id) == run_id, col(PurseTable.book) == book)
            query = select(func.sum(col(PurseTable.held)), func.sum(col(PurseTable.held) - col(PurseTable.spent)))
            theirs, open_there = connection.execute(query.where(mine[0], col(PurseTable.book) != book)).one()
            left = limit - (theirs or 0.0)
            held = min(wish.most, left) if left >= wish.least else wish.spent
            connection.execute(delete(PurseTable).where(*mine))
            line = {"run_id": run_id, "book": book, "held": held, "spent": wish.spent}
            connection.execute(insert(PurseTable), [line])
            return Grant(held=held, open_elsewhere=open_there or 0.0)

        return await self._database.write(work)

    async def of_rows(self, run_id: str, first: int, last: int) -> dict[int, list[Used]]:
        """Return what the calls for rows took, by row number."""

        def work(session: Session) -> dict[int, list[Used]]:
            found: dict[int, list[Used]] = defaultdict(list)
            for number, *columns in session.execute(_sums(run_id, USAGE.c.number.between(first, last), by_row=True)):
                found[number].append(_used(columns))
            return found

        return await self._database.read(work)


def used_by(session: Session, run_id: str) -> tuple[Used, ...]:
    """Return what a run took, by caller and model."""
    return tuple(_used(columns) for columns in session.execute(_sums(run_id)))


def _sums(run_id: str, *where: Any, by_row: bool = False) -> Any:
    keys = [USAGE.c[name] for name in (*(("number",) if by_row else ()), "caller", "model")]
    sums = [func.sum(USAGE.c[name]) for name in _COUNTS]
    return select(*keys, *sums).where(USAGE.c.run_id == run_id, *where).group_by(*keys).order_by(*keys)


def _used(columns: Sequence[Any]) -> Used:
    caller, model, *counts = columns
    return Used(caller=caller, model=model, **dict(zip(_COUNTS, map(int, counts), strict=True)))


def _note(dialect_insert: Any) -> Any:
    """Return the statement that writes a line of a book, or writes it anew; a row that is gone has none."""
    types = {"number": Integer, **dict.fromkeys(_COUNTS, Integer)}
    given = [bindparam(name, type_=types.get(name, String)) for name in (*_KEY, *_COUNTS)]
    row = select(col(RowTable.number)).where(
        col(RowTable.run_id) == bindparam("run_id", type_=String),
        col(RowTable.number) == bindparam("number", type_=Integer),
    )
    statement = dialect_insert(USAGE).from_select([*_KEY, *_COUNTS], select(*given).where(row.exists()))
    return statement.on_conflict_do_update(
        index_elements=list(_KEY), set_={name: statement.excluded[name] for name in _COUNTS}
    )


_NOTE = {"sqlite": _note(sqlite.insert), "postgresql": _note(postgresql.insert)}
