"""Tables, migrations and the only SQL: records go in and come out, tables never leave the room."""

from service.store._history import OldRun, give_back
from service.store._records import (
    ApprovedRecord,
    CorpusRecord,
    FileKind,
    NewApproved,
    NewCorpus,
    NewRow,
    NewRun,
    Reply,
    Review,
    RowRecord,
    RowState,
    RunRecord,
    RunState,
    Tally,
    Trial,
    Used,
)
from service.store._spending import EARLIER, Grant, Line, Wish
from service.store._store import Store
from service.store._workers import Need

__all__ = [
    "EARLIER",
    "ApprovedRecord",
    "CorpusRecord",
    "FileKind",
    "Grant",
    "Line",
    "Need",
    "NewApproved",
    "NewCorpus",
    "NewRow",
    "NewRun",
    "OldRun",
    "Reply",
    "Review",
    "RowRecord",
    "RowState",
    "RunRecord",
    "RunState",
    "Store",
    "Tally",
    "Trial",
    "Used",
    "Wish",
    "give_back",
]
