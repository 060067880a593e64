"""Tables, migrations and the only SQL: records go in and come out, tables never leave the room."""

from service.store._records import (
    FileKind,
    NewRow,
    NewRun,
    Review,
    RowRecord,
    RowState,
    RunRecord,
    RunState,
    Tally,
)
from service.store._store import Store

__all__ = [
    "FileKind",
    "NewRow",
    "NewRun",
    "Review",
    "RowRecord",
    "RowState",
    "RunRecord",
    "RunState",
    "Store",
    "Tally",
]
