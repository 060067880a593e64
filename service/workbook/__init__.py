"""The only room that knows xlsx: reads a benchmark workbook, writes results into it in place, adopts them.

Names are imported when they are first used: the process that handles one file must not load what it does not need.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from service.workbook._csv_export import csv_cell, write_csv, write_niah_csv
    from service.workbook._doors import adopt, read, read_flagged, write, write_niah
    from service.workbook._limits import Limits
    from service.workbook._niah_nouns import named_cells, outcomes
    from service.workbook._niah_plan import plan_workbook
    from service.workbook._shapes import (
        AddedSheet,
        Adoption,
        CellValue,
        Chart,
        Delivery,
        Experiment,
        Finding,
        Flagged,
        FlaggedReading,
        Line,
        Measured,
        Reading,
        Result,
        Review,
        Row,
        Section,
    )
    from service.workbook._tables import Table, write_tables
    from service.workbook._template import build_template as template
    from service.workbook._text import answer_hash, clean_text

__all__ = [
    "AddedSheet",
    "Adoption",
    "CellValue",
    "Chart",
    "Delivery",
    "Experiment",
    "Finding",
    "Flagged",
    "FlaggedReading",
    "Limits",
    "Line",
    "Measured",
    "Reading",
    "Result",
    "Review",
    "Row",
    "Section",
    "Table",
    "adopt",
    "answer_hash",
    "clean_text",
    "csv_cell",
    "named_cells",
    "outcomes",
    "plan_workbook",
    "read",
    "read_flagged",
    "template",
    "write",
    "write_csv",
    "write_niah",
    "write_niah_csv",
    "write_tables",
]

_ELSEWHERE: Final = {
    "Limits": "_limits",
    "adopt": "_doors",
    "answer_hash": "_text",
    "clean_text": "_text",
    "Table": "_tables",
    "named_cells": "_niah_nouns",
    "outcomes": "_niah_nouns",
    "plan_workbook": "_niah_plan",
    "read": "_doors",
    "read_flagged": "_doors",
    "write": "_doors",
    "csv_cell": "_csv_export",
    "write_csv": "_csv_export",
    "write_tables": "_tables",
    "write_niah": "_doors",
    "write_niah_csv": "_csv_export",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "template":
        return import_module("service.workbook._template").build_template
    return getattr(import_module(f"service.workbook.{_ELSEWHERE.get(name, '_shapes')}"), name)
