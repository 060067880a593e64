"""One writer, few commits, nobody's failure but one's own."""

import asyncio
import threading
from collections.abc import Callable

import pytest
from sqlalchemy import Connection, event, text

from service.store._connect import connect
from service.store._database import Database


async def _table(database: Database) -> None:
    await database.write(lambda connection: connection.execute(text("CREATE TABLE t (n INTEGER PRIMARY KEY)")))


def _insert(n: int) -> Callable[[Connection], int]:
    def work(connection: Connection) -> int:
        connection.execute(text("INSERT INTO t VALUES (:n)"), {"n": n})
        return n

    return work


async def _numbers(database: Database) -> list[int]:
    return await database.read(lambda session: list(session.scalars(text("SELECT n FROM t ORDER BY n"))))


async def test_writes_that_wait_share_a_commit(url: str) -> None:
    """A hundred answers at once cost a few commits, and each is on disk when its caller goes on."""
    engine = connect(url)
    commits: list[int] = []
    event.listen(engine, "commit", lambda _: commits.append(1))
    database = Database(engine)
    await _table(database)
    commits.clear()
    held = threading.Event()
    first = asyncio.ensure_future(database.write(lambda _: held.wait(5)))
    await asyncio.sleep(0)
    others = [asyncio.ensure_future(database.write(_insert(n))) for n in range(100)]
    await asyncio.sleep(0)
    held.set()
    await asyncio.gather(first, *others)
    assert 1 <= len(commits) <= 2
    assert await _numbers(database) == list(range(100))
    await database.close()


async def test_a_write_that_fails_does_not_undo_its_neighbours(url: str) -> None:
    """Each write has a savepoint of its own; the exception reaches the one who asked."""
    database = Database(connect(url))
    await _table(database)
    await database.write(_insert(1))
    outcomes = await asyncio.gather(
        *[database.write(_insert(n)) for n in (0, 1, 2)],
        return_exceptions=True,
    )
    assert [isinstance(outcome, Exception) for outcome in outcomes] == [False, True, False]
    assert await _numbers(database) == [0, 1, 2]
    await database.close()


async def test_a_commit_that_fails_is_reported_to_every_waiting_caller(url: str) -> None:
    """Nobody is told that something is stored which is not."""
    engine = connect(url)
    full = threading.Event()

    def refuse(_: Connection) -> None:
        if full.is_set():
            raise OSError("disk full")

    event.listen(engine, "commit", refuse)
    database = Database(engine)
    await _table(database)
    full.set()
    outcomes = await asyncio.gather(*[database.write(_insert(n)) for n in (7, 8)], return_exceptions=True)
    assert [str(outcome) for outcome in outcomes] == ["disk full", "disk full"]
    full.clear()
    assert await _numbers(database) == []
    await database.close()


async def test_closing_finishes_the_writes_that_wait(url: str) -> None:
    """What was handed over is stored before the store is closed; later writes are refused."""
    database = Database(connect(url))
    await _table(database)
    waiting = [asyncio.ensure_future(database.write(_insert(n))) for n in range(5)]
    await asyncio.sleep(0)
    await database.close()
    assert await asyncio.gather(*waiting) == [0, 1, 2, 3, 4]
    with pytest.raises(RuntimeError, match="closed"):
        await database.write(_insert(9))
