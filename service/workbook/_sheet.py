"""The rows of a sheet, streamed: cells as they stand in the XML, by column number."""

from collections.abc import Callable, Iterable, Iterator
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


class _Handler:
    """Collects cells while expat calls; the two busiest methods avoid every detour."""

    def __init__(self, position: Callable[[], int]) -> None:
        self.position = position
        self.body_end = -1
        self.rows: list[SheetRow] = []
        self.number = 0
        self.cells: dict[int, Cell] = {}
        self.text: list[str] = []
        self.columns = ColumnNumbers()
        self.column = 0
        self.kind = self.style = ""
        self.value: str | None = None
        self.formula = False
        self.inside = False
        self.silent = False
        self.c, self.v, self.t, self.row = "c", "v", "t", "row"

    def root(self, name: str, attributes: dict[str, str]) -> None:
        prefix, colon, _ = name.rpartition(":")
        self.c, self.v, self.t, self.row = (f"{prefix}{colon}{local}" for local in ("c", "v", "t", "row"))

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == self.c:
            reference = attributes.get("r")
            self.column = self.columns[reference.rstrip(_DIGITS)] if reference else self.column + 1
            self.kind = attributes.get("t", "n")
            self.style = attributes.get("s", "")
            self.value = None
            self.formula = False
        elif name == self.v or name == self.t:
            self.text.clear()
        elif name == self.row:
            self.number = row_number(attributes.get("r"), self.number)
            self.cells = {}
            self.column = 0
        else:
            self.rare(name)

    def rare(self, name: str) -> None:
        local = name.rpartition(":")[2]
        if local == "f":
            self.formula = True
        elif local == "rPh":
            self.silent = True

    def end(self, name: str) -> None:
        if name == self.v:
            self.value = "".join(self.text)
        elif name == self.c:
            if self.value is not None or self.formula:
                self.cells[self.column] = (self.kind, self.value or "", self.formula, self.style)
        elif name == self.t:
            if not self.silent:
                self.value = (self.value or "") + "".join(self.text)
        elif name == self.row:
            self.rows.append((self.number, self.cells))
        else:
            self.rare_end(name)

    def rare_end(self, name: str) -> None:
        if name.endswith("rPh"):
            self.silent = False
        elif name.endswith("sheetData"):
            self.body_end = self.position()


def sheet_rows(pieces: Iterable[bytes], body_end: int | None = None) -> Iterator[SheetRow]:
    """Yield each row with its cells that hold something; numbers are checked to be in range and ascending.

    `body_end` is where the frame of the sheet saw the end of its rows; a file that shows it elsewhere is refused.
    """
    parser = new_parser()
    handler = _Handler(lambda: parser.CurrentByteIndex)

    def first(name: str, attributes: dict[str, str]) -> None:
        handler.root(name, attributes)
        parser.StartElementHandler = handler.start
        parser.EndElementHandler = handler.end
        parser.CharacterDataHandler = handler.text.append

    parser.StartElementHandler = first
    for _ in feed(parser, pieces):
        yield from handler.rows
        handler.rows.clear()
    yield from handler.rows
    if body_end is not None and handler.body_end != body_end:
        raise WorkbookDamaged(problem="the rows of the sheet do not end where they seem to")
