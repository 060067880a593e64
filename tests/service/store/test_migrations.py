"""Tables and migrations say the same thing."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect
from sqlmodel import SQLModel

from service.errors import DatabaseNewer, DatabaseUnusable
from service.store import Store
from service.store._connect import connect, migrate


def test_the_migrations_make_exactly_the_tables_of_the_models(url: str) -> None:
    """A column added to a model without a migration is noticed."""
    engine = connect(url)
    migrate(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_a_database_that_is_up_to_date_is_left_alone(url: str) -> None:
    """Opening twice migrates once."""
    engine = connect(url)
    migrate(engine)
    migrate(engine)
    assert "run" in inspect(engine).get_table_names()


async def test_two_processes_may_open_a_new_home_at_the_same_time(url: str) -> None:
    """Both wait for each other's migration instead of failing."""
    stores = await asyncio.gather(*[Store.open(url) for _ in range(4)])
    assert [await store.runs.of_company("acme") for store in stores] == [[], [], [], []]
    for store in stores:
        await store.close()


def test_a_power_cut_cannot_take_back_what_was_stored(url: str) -> None:
    """The database is journalled ahead and synchronised at every commit."""
    engine = connect(url)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


async def test_tables_of_a_later_version_are_left_alone(url: str) -> None:
    """An older flagbook says so instead of working on tables it does not know."""
    engine = connect(url)
    migrate(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DatabaseNewer):
        await Store.open(url)


@pytest.mark.parametrize("content", [b"this is not a database at all, but long enough to be told apart" * 20, None])
async def test_a_database_that_cannot_be_used_is_named_without_its_password(tmp_path: Path, content: Any) -> None:
    """A damaged file and a server that does not answer are told in one sentence."""
    path = tmp_path / "f.sqlite"
    url = "postgresql://me:secret@127.0.0.1:1/flagbook"
    if content:
        path.write_bytes(content)
        url = f"sqlite:///{path}"
    with pytest.raises(DatabaseUnusable) as told:
        await Store.open(url)
    assert "secret" not in told.value.message
    assert "\n" not in told.value.message
