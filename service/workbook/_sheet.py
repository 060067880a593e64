"""The rows of a sheet, streamed: cells as they stand in the XML, by column number."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from service.errors import WorkbookDamaged
from service.workbook._xml import feed, new_parser
from service.workbook.columns import column_index

Cell: TypeAlias = tuple[str, str, bool, str]
"""Type (`s`, `n`, `b`, `e`, `str`, `inlineStr`, `d`), stored value, whether it has a formula, style number."""
SheetRow: TypeAlias = tuple[int, dict[int, Cell]]

LAST_ROW = 1_048_576
LAST_COLUMN = 16_384
_DIGITS = "0123456789"
EVERY = frozenset(range(1, LAST_COLUMN + 1))
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
    if number <= previous or number > LAST_ROW:
        raise WorkbookDamaged(problem=f"row {number} stands after row {previous}")
    return number


class SheetReader:
    """Iterates over the rows of a sheet with their cells that hold something; numbers are in range and ascend.

    `wanted` limits the columns kept, `after` leaves out rows up to a number. When
    all rows were read, `merged` lists the references of merged cells. The two busiest methods, called for every tag,
    avoid every detour.
    """

    def __init__(self, pieces: Iterable[bytes], *, wanted: frozenset[int] = EVERY, after: int = 0) -> None:
        self.merged: list[str] = []
        self._pieces = pieces
        self._after = after
        self._wanted = wanted
        self._rows: list[SheetRow] = []
        self._number = 0
        self._cells: dict[int, Cell] = {}
        self._text: list[str] = []
        self._columns = ColumnNumbers()
        self._column = 0
        self._kind = self._style = ""
        self._value: str | None = None
        self._formula = False
        self._silent = False
        self._parser = new_parser()
        self._parser.StartElementHandler = self._root

    def __iter__(self) -> Iterator[SheetRow]:
        rows, parser = self._rows, self._parser
        try:
            for _ in feed(parser, self._pieces):
                yield from rows
                rows.clear()
            yield from rows
        finally:  # parser and reader hold each other: let go, so that both are freed at once
            parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None

    def _root(self, name: str, attributes: dict[str, str]) -> None:
        prefix = name[: name.rfind(":") + 1]
        self._c, self._v, self._t, self._row = (prefix + local for local in ("c", "v", "t", "row"))
        self._is = prefix + "is"
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == self._c:
            reference = attributes.get("r")
            self._column = self._columns[reference.rstrip(_DIGITS)] if reference else self._column + 1
            self._kind = attributes.get("t", "n")
            self._style = attributes.get("s", "")
            self._value = None
            self._formula = False
        elif name == self._v or name == self._t:
            self._text.clear()
        elif name == self._is:
            pass
        elif name == self._row:
            self._number = row_number(attributes.get("r"), self._number)
            self._cells = {}
            self._column = 0
        else:
            self._rare(name.rpartition(":")[2], attributes)

    def _rare(self, local: str, attributes: dict[str, str]) -> None:
        if local == "f":
            self._formula = True
        elif local == "rPh":
            self._silent = True
        elif local == "mergeCell":
            self.merged.append(attributes.get("ref", ""))

    def _end(self, name: str) -> None:
        if name == self._v:
            self._value = "".join(self._text)
        elif name == self._c:
            if (self._value or self._formula) and self._column in self._wanted:
                self._cells[self._column] = (self._kind, self._value or "", self._formula, self._style)
        elif name == self._t:
            if not self._silent:
                self._value = (self._value or "") + "".join(self._text)
        elif name == self._row:
            self._end_row()
        elif name.endswith("rPh"):
            self._silent = False

    def _end_row(self) -> None:
        if self._number > self._after:
            self._rows.append((self._number, self._cells))


def rows_of(pieces: Iterable[bytes]) -> Iterator[SheetRow]:
    """Yield every row of a sheet with all its cells that hold something."""
    return iter(SheetReader(pieces))
