"""A stored cell, and the numbers of columns and rows as sheets write them."""

from typing import Final, TypeAlias

from service.errors import WorkbookDamaged
from service.workbook.columns import column_index

Cell: TypeAlias = tuple[str, str, bool, str]
"""Type (`s`, `n`, `b`, `e`, `str`, `inlineStr`, `d`), stored value, whether it has a formula, style number."""
SheetRow: TypeAlias = tuple[int, dict[int, Cell]]
"""The number of a row and its cells that hold something, by column number."""

LAST_ROW: Final = 1_048_576
LAST_COLUMN: Final = 16_384
EVERY: Final = frozenset(range(1, LAST_COLUMN + 1))
"""All columns a sheet may have."""


class ColumnNumbers(dict[str, int]):
    """Letters of a column → its number, remembered; letters no sheet has are refused."""

    def __missing__(self, letters: str) -> int:
        if not (letters.isascii() and letters.isalpha() and letters.isupper() and len(letters) <= 3):
            raise WorkbookDamaged(problem=f"a cell has the impossible column “{letters[:20]}”")
        index = column_index(letters)
        if index > LAST_COLUMN:
            raise WorkbookDamaged(problem=f"a cell stands in column {letters}, beyond the last one")
        self[letters] = index
        return index


def row_number(text: str | None, previous: int) -> int:
    """Return a row's number; rows without one follow each other, rows that go back are refused."""
    if text is None:
        number = previous + 1
    elif text.isascii() and text.isdigit() and len(text) <= 7:
        number = int(text)
    else:
        raise WorkbookDamaged(problem=f"a row has the impossible number “{text[:20]}”")
    if number > LAST_ROW:
        raise WorkbookDamaged(problem=f"row {number} stands beyond the last one a sheet has")
    if number <= previous:
        raise WorkbookDamaged(problem=f"row {number} stands after row {previous}")
    return number


def unusable(cell: Cell | None) -> str:
    """Return the error value of a cell, `formula` if it has no stored result, else nothing."""
    if cell is None:
        return ""
    kind, stored, formula, _ = cell
    if kind == "e":
        return stored or "#ERROR"
    return "formula" if formula and not stored and kind != "str" else ""
