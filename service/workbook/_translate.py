"""A formula moved to another cell: what it names relatively moves along, everything else stays as it is."""

import re
from functools import partial
from typing import Final

from service.workbook._cell import LAST_COLUMN, LAST_ROW
from service.workbook.columns import column_index, column_letter

_TOKEN: Final = re.compile(
    r"""
      "(?:[^"]|"")*"                                        # a text
    | '(?:[^']|'')*'                                        # the name of a sheet in quotation marks
    | \[(?:'.|[^\[\]']|\[(?:'.|[^\[\]'])*\])*\]             # columns of a table, the number of another file
    | \#[A-Z0-9/]+[!?]?                                     # an error value
    | (?P<top>\$?\d{1,7}):(?P<bottom>\$?\d{1,7})(?![\w.(!])
    | (?P<first>\$?[A-Z]{1,3}):(?P<last>\$?[A-Z]{1,3})(?![\w.(!$])
    | (?P<column>\$?[A-Z]{1,3})(?P<row>\$?\d{1,7})(?![\w.(!])
    | \d+(?:\.\d*)?(?:E[+-]?\d+)?                           # a number
    | (?:[^\W\d]|\\)[\w.\\?]*                               # a function, a defined name, the name of a sheet
    """,
    re.VERBOSE | re.IGNORECASE,
)
_GONE: Final = "#REF!"


def translated(formula: str, right: int, down: int) -> str:
    """Return a formula as it reads so many columns to the right and rows further down."""
    return _TOKEN.sub(partial(_moved, right=right, down=down), formula)


def _moved(match: re.Match[str], right: int, down: int) -> str:
    found = match.groupdict()
    if found["column"]:
        if not _in_sheet(found["column"], found["row"]):
            return match.group()  # more letters or digits than a sheet has: a defined name
        column, row = _column(found["column"], right), _row(found["row"], down)
        return column + row if column and row else _GONE
    if found["first"]:
        first, last = _column(found["first"], right), _column(found["last"], right)
        return f"{first}:{last}" if first and last else _GONE
    if found["top"]:
        top, bottom = _row(found["top"], down), _row(found["bottom"], down)
        return f"{top}:{bottom}" if top and bottom else _GONE
    return match.group()


def _in_sheet(column: str, row: str) -> bool:
    return column_index(column.lstrip("$").upper()) <= LAST_COLUMN and 1 <= int(row.lstrip("$")) <= LAST_ROW


def _column(text: str, right: int) -> str:
    if text.startswith("$"):
        return text
    index = column_index(text.upper()) + right
    return column_letter(index) if 1 <= index <= LAST_COLUMN else ""


def _row(text: str, down: int) -> str:
    if text.startswith("$"):
        return text
    row = int(text) + down
    return str(row) if 1 <= row <= LAST_ROW else ""
