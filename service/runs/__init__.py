"""The order of things: check, ask, judge, finish; the durable engine underneath."""

from service.runs._bench import Bench
from service.runs._check import check_workbook
from service.runs._open import open_runs
from service.runs._runs import Progress, Runs
from service.runs._shapes import (
    CSV_TYPE,
    XLSX_TYPE,
    AdoptionView,
    Columns,
    Failure,
    NamedFile,
    Pruned,
    Remark,
    Report,
    RowState,
    RowView,
    RunOptions,
    RunView,
    State,
    User,
)

__all__ = [
    "CSV_TYPE",
    "XLSX_TYPE",
    "AdoptionView",
    "Bench",
    "Columns",
    "Failure",
    "NamedFile",
    "Progress",
    "Pruned",
    "Remark",
    "Report",
    "RowState",
    "RowView",
    "RunOptions",
    "RunView",
    "Runs",
    "State",
    "User",
    "check_workbook",
    "open_runs",
]
