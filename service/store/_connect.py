"""Connections: durable SQLite on one machine, any other database by its URL, and the way to the newest tables."""

import json
from pathlib import Path
from typing import Any

from pydantic_core import from_json, to_json
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import SQLAlchemyError

from service.errors import DatabaseNewer, DatabaseUnusable

BUSY_S = 30.0
"""How long a write waits for another process that writes to the same SQLite file, in seconds."""

LET_GO = "idle_in_transaction_session_timeout=10000"
"""A process that was paused in the middle of a transaction must not keep others waiting for its locks."""

MIGRATING = 0x666C6167
"""The number of the lock under which PostgreSQL lets one process at a time migrate ("flag")."""


def open_engine(url: str) -> Engine:
    """Return an engine on a database whose tables are of the newest version.

    Raises `DatabaseUnusable`, or `DatabaseNewer` for tables of a later version.
    """
    from alembic.util import CommandError

    name = make_url(url).render_as_string(hide_password=True)
    try:
        engine = connect(url)
        migrate(engine)
    except CommandError:
        raise DatabaseNewer(database=name) from None
    except (SQLAlchemyError, OSError) as error:
        told = str(getattr(error, "orig", None) or error).strip().splitlines()
        raise DatabaseUnusable(database=name, problem=told[0] if told else type(error).__name__) from None
    return engine


def connect(url: str) -> Engine:
    """Return an engine on `url`; the folder of a SQLite file is made when it is missing."""
    target = make_url(url)
    if target.get_backend_name() == "postgresql" and target.drivername == "postgresql":
        target = target.set(drivername="postgresql+psycopg")
    if target.get_backend_name() != "sqlite":
        return create_engine(target, pool_pre_ping=True, connect_args={"options": f"-c {LET_GO}"}, **_JSON)
    if target.database:
        Path(target.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(target, connect_args={"timeout": BUSY_S, "check_same_thread": False}, **_JSON)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _to_text(value: Any) -> str:
    try:
        return to_json(value).decode()
    except ValueError:
        return json.dumps(value)  # which takes half characters


_JSON: dict[str, Any] = {"json_serializer": _to_text, "json_deserializer": from_json}
"""Texts of answers and passages are most of what is stored: this takes a quarter of the standard library's time."""


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # The driver must not open transactions on its own, or savepoints and DDL would slip out of them.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes the lock at once: two processes on one file then wait for each other and never deadlock.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def writing(engine: Engine) -> Engine:
    """Return the same engine for transactions that write."""
    return engine.execution_options(writes=True)


def migrate(engine: Engine) -> None:
    """Bring the tables to the newest version, in one transaction; does nothing when they are."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with writing(engine).begin() as connection:
        if engine.dialect.name == "postgresql":
            # SQLite's writers wait for each other anyway; here processes that start together must take turns.
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
