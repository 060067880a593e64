"""Alembic's entrance: runs inside the transaction of the connection that `_connect.migrate` opened."""

from alembic import context
from sqlmodel import SQLModel

from service.store import _tables

assert _tables.RunTable.metadata is SQLModel.metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=SQLModel.metadata)
with context.begin_transaction():
    context.run_migrations()
