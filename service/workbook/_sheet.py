"""The rows of a sheet, streamed: cells as they stand in the XML, by column number."""

from collections.abc import Callable, Iterable, Iterator

from service.errors import WorkbookDamaged
from service.workbook._cell import EVERY, Cell, ColumnNumbers, SheetRow, row_number
from service.workbook._fast_rows import FastRows
from service.workbook._xml import Feed, new_parser

_DIGITS = "0123456789"
_IN_DATA, _IN_ROW, _IN_CELL = range(3)
"""Where the parser stands among the rows."""


class SheetReader:
    """Iterates over the rows of a sheet with their cells that hold something; numbers are in range and ascend.

    `wanted` limits the columns kept, `after` leaves out rows up to a number; `watch` sees all but the usual rows. When
    all rows were read, `merged` lists the references of merged cells. Rows of the usual form are taken from the bytes,
    all else is parsed; the two methods called for every tag avoid every detour.
    """

    def __init__(
        self,
        pieces: Iterable[bytes],
        *,
        wanted: frozenset[int] = EVERY,
        after: int = 0,
        watch: Callable[[bytes], object] = len,
    ) -> None:
        self.merged: list[str] = []
        self._watch = watch
        self._pieces = pieces
        self._after = after
        self._wanted = wanted
        self._rows: list[SheetRow] = []
        self._fast = FastRows(wanted)
        self._cells: dict[int, Cell] = {}
        self._text: list[str] = []
        self._columns = ColumnNumbers()
        self._column = 0
        self._kind = self._style = ""
        self._value: str | None = None
        self._formula = False
        self._silent = False
        self._data = ""
        self._open = _IN_DATA
        self._parser = new_parser()
        self._parser.StartElementHandler = self._outside

    def __iter__(self) -> Iterator[SheetRow]:
        rows, parser = self._rows, self._parser
        parse_piece = Feed(parser)
        try:
            for part in self._fast.split(self._pieces):
                if isinstance(part, bytes):
                    self._watch(part)
                    parse_piece(part)
                    yield from rows
                    rows.clear()
                elif part[0] > self._after:
                    yield part
            parse_piece(b"", last=True)
            yield from rows
        finally:  # parser and reader hold each other: let go, so that both are freed at once
            parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None

    def _outside(self, name: str, attributes: dict[str, str]) -> None:
        """Look for the rows, then for merged cells: what looks like rows elsewhere is none."""
        local = name.rpartition(":")[2]
        if local == "mergeCell":
            self.merged.append(attributes.get("ref", ""))
        elif local == "sheetData":
            if self._data:
                raise WorkbookDamaged(problem="a sheet holds its rows twice")
            self._data = name
            prefix = name[: name.rfind(":") + 1]
            self._c, self._v, self._t, self._row = (prefix + local for local in ("c", "v", "t", "row"))
            self._is = prefix + "is"
            self._parser.StartElementHandler = self._start
            self._parser.EndElementHandler = self._end
            self._parser.CharacterDataHandler = self._text.append

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == self._c:
            if self._open != _IN_ROW:
                raise WorkbookDamaged(problem=f"a cell after row {self._fast.number} does not stand in a row by itself")
            self._open = _IN_CELL
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
            if self._open != _IN_DATA:
                raise WorkbookDamaged(problem=f"row {self._fast.number} holds another row")
            self._open = _IN_ROW
            self._fast.number = row_number(attributes.get("r"), self._fast.number)
            self._cells = {}
            self._column = 0
        else:
            self._rare(name.rpartition(":")[2], attributes)

    def _rare(self, local: str, attributes: dict[str, str]) -> None:
        if local == "f":
            self._formula = True
        elif local == "rPh":
            self._silent = True
        elif local == "sheetData":
            raise WorkbookDamaged(problem="a sheet holds its rows twice")

    def _end(self, name: str) -> None:
        if name == self._v:
            self._value = "".join(self._text)
        elif name == self._c:
            self._open = _IN_ROW
            if (self._value or self._formula) and self._column in self._wanted:
                self._cells[self._column] = (self._kind, self._value or "", self._formula, self._style)
        elif name == self._t:
            if not self._silent:
                self._value = (self._value or "") + "".join(self._text)
        elif name == self._row:
            self._end_row()
        else:
            self._end_rare(name)

    def _end_rare(self, name: str) -> None:
        if name == self._data:
            self._parser.StartElementHandler = self._outside
            self._parser.EndElementHandler = self._parser.CharacterDataHandler = None
        elif name.endswith("rPh"):
            self._silent = False

    def _end_row(self) -> None:
        self._open = _IN_DATA
        if self._fast.number > self._after:
            self._rows.append((self._fast.number, self._cells))


def rows_of(pieces: Iterable[bytes]) -> Iterator[SheetRow]:
    """Yield every row of a sheet with all its cells that hold something."""
    return iter(SheetReader(pieces))
