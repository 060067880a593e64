"""A database that is locked, away or full."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import OperationalError

from service.errors import DatabaseFull
from service.store import NewRun, Store
from service.store._connect import connect
from service.store._database import Database
from service.store._persistence import Persistence

PATIENT = Persistence(tries_s=20, wait_s=0.05)


def gone() -> OperationalError:
    """The error of a connection that was broken."""
    return OperationalError("INSERT", {}, Exception("server closed the connection unexpectedly"))


async def test_writes_wait_for_a_database_that_is_away(url: str) -> None:
    """All of a commit are carried out again, and each caller hears of the one that counted."""
    database = Database(connect(url), PATIENT)
    await database.write(lambda connection: connection.execute(text("CREATE TABLE t (n INTEGER PRIMARY KEY)")))
    failures = iter([True, True, False])

    def fragile(connection: Connection) -> str:
        connection.execute(text("INSERT INTO t VALUES (1)"))
        if next(failures):
            raise gone()
        return "stored"

    assert await database.write(fragile) == "stored"
    assert await database.read(lambda session: session.scalar(text("SELECT count(*) FROM t"))) == 1
    await database.close()


async def test_reads_wait_for_a_database_that_is_away(url: str) -> None:
    """A look at a run does not end it."""
    database = Database(connect(url), PATIENT)
    failures = iter([True, False])

    def fragile(session: Any) -> Any:
        if next(failures):
            raise gone()
        return session.scalar(text("SELECT 7"))

    assert await database.read(fragile) == 7
    await database.close()


async def test_who_waited_long_enough_hears_the_databases_own_error(url: str) -> None:
    """And a mistake in our own statement is not tried again."""
    database = Database(connect(url), Persistence(tries_s=0))

    def broken(connection: Connection) -> None:
        raise gone()

    with pytest.raises(OperationalError, match="closed the connection"):
        await database.write(broken)
    with pytest.raises(OperationalError, match="no such table"):
        await database.write(lambda connection: connection.execute(text("SELECT * FROM nowhere")))
    await database.close()


async def test_a_write_waits_for_another_process_that_holds_the_lock(url: str) -> None:
    """Its lock outlasts what one try waits for."""
    engine = connect(url)
    event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout=50"))
    database = Database(engine, PATIENT)
    await database.write(lambda connection: connection.execute(text("CREATE TABLE t (n INTEGER)")))
    path = url.removeprefix("sqlite:///")
    locked = threading.Event()
    release = threading.Event()

    def hold() -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            locked.set()
            release.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    assert locked.wait(10)
    write = asyncio.ensure_future(
        database.write(lambda connection: connection.execute(text("INSERT INTO t VALUES (1)")).rowcount)
    )
    await asyncio.sleep(0.3)
    assert not write.done()
    release.set()
    assert await write == 1
    thread.join()
    await database.close()


async def test_a_full_disk_has_a_code_and_loses_nothing(tmp_path: Path, new_run: Callable[..., NewRun]) -> None:
    """What was stored stays, what was not is said not to be, and it goes on once there is room."""
    engine = connect(f"sqlite:///{tmp_path / 'f.sqlite'}")
    store = await Store.open(f"sqlite:///{tmp_path / 'f.sqlite'}")
    await store.runs.add(new_run("r1"))
    await store.close()
    limit = 10_000_000

    def set_limit(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count={limit}")

    event.listen(engine, "connect", set_limit)
    limit = 60
    store = Store(Database(engine, PATIENT))
    with pytest.raises(DatabaseFull):
        await store.runs.add(new_run("r2", content=b"x" * 1_000_000))
    assert await store.runs.state("r1") == "queued"
    assert await store.runs.state("r2") is None
    limit = 10_000_000
    engine.dispose()
    await store.close()
    store = await Store.open(f"sqlite:///{tmp_path / 'f.sqlite'}")
    await store.runs.add(new_run("r2", content=b"x" * 1_000_000))
    await store.runs.add(new_run("r2"))
    assert await store.runs.state("r2") == "queued"
    assert await store.runs.file("r2", "input") == b"x" * 1_000_000
    await store.close()
