"""Tables and migrations say the same thing."""

import asyncio

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect
from sqlmodel import SQLModel

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
