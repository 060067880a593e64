"""Rewriting rows of a sheet inside its bytes: what is not edited comes out exactly as it went in."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from service.errors import WorkbookDamaged
from service.workbook._frame import Frame
from service.workbook._sheet import Cell, ColumnNumbers, row_number, sheet_rows
from service.workbook._xml import feed, new_parser, tag_end

_DIGITS = "0123456789"


@dataclass(slots=True)
class CellSpan:
    """A cell in the bytes of its row."""

    column: int
    start: int
    end: int
    attributes: Mapping[str, str]
    formula: str = ""


@dataclass(slots=True)
class RowSpan:
    """A row as it stands in the file: its bytes, its number and attributes, and its cells in order.

    Positions of cells count from the beginning of `content`; `body` is where the start tag ends. `prefix` is the
    namespace prefix of the sheet with its colon.
    """

    number: int
    attributes: Mapping[str, str]
    content: bytes
    body: int
    cells: list[CellSpan]
    prefix: str

    def cell(self, column: int) -> CellSpan | None:
        """Return the cell of a column."""
        return next((cell for cell in self.cells if cell.column == column), None)

    def bytes_of(self, cell: CellSpan) -> bytes:
        """Return a cell's XML."""
        return self.content[cell.start : cell.end]


RowEditor = Callable[[RowSpan], bytes | None]
"""Returns the new bytes of a row, or None to leave it as it is."""


def splice(pieces: Iterable[bytes], frame: Frame, edit: RowEditor) -> Iterator[bytes]:
    """Yield `<sheetData>` with every row edited, up to its end tag; head and tail are the caller's.

    The pieces are the whole part in UTF-8; the frame tells where its rows begin and end.
    """
    splicer = _Splicer(edit, len(frame.head), frame.body_end)
    parser = new_parser()
    splicer.position = lambda: parser.CurrentByteIndex

    def root(name: str, attributes: dict[str, str]) -> None:
        splicer.name_elements(name[: name.rfind(":") + 1])
        parser.StartElementHandler = splicer.start
        parser.EndElementHandler = splicer.end

    parser.StartElementHandler = root
    for _ in feed(parser, splicer.buffered(pieces)):
        yield splicer.finished()
    yield splicer.rest()


class _Splicer:
    def __init__(self, edit: RowEditor, body_start: int, body_end: int) -> None:
        self.edit = edit
        self.body_start, self.body_end = body_start, body_end
        self.position: Callable[[], int] = int
        self.buffer = bytearray()
        self.base = 0
        """Position in the part of the buffer's first byte; everything before it is already out."""
        self.done: list[bytes] = []
        self.number = 0
        self.attributes: Mapping[str, str] = {}
        self.row_start = -1
        self.cells: list[CellSpan] = []
        self.column = 0
        self.columns = ColumnNumbers()
        self.saw_end = -1

    def name_elements(self, prefix: str) -> None:
        self.prefix = prefix
        self.c, self.f, self.row, self.sheet_data = (prefix + local for local in ("c", "f", "row", "sheetData"))

    def buffered(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            self.buffer += piece
            yield piece

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == self.c:
            reference = attributes.get("r")
            column = self.columns[reference.rstrip(_DIGITS)] if reference else self.column + 1
            if column <= self.column:
                raise WorkbookDamaged(problem=f"the cells of row {self.number} are not in order")
            self.column = column
            self.cells.append(CellSpan(column, self.position(), 0, attributes))
        elif name == self.f and self.cells:
            self.cells[-1].formula = attributes.get("t", "normal") + ":" + attributes.get("si", "")
        elif name == self.row:
            self.row_start = self.position()
            self.number = row_number(attributes.get("r"), self.number)
            self.attributes = attributes
            self.cells = []
            self.column = 0
        elif name == self.sheet_data:
            at = self.position()
            if at != self.body_start:
                raise WorkbookDamaged(problem="the rows of the sheet do not begin where they seem to")
            self.flush_to(at, keep=False)

    def end(self, name: str) -> None:
        if name == self.c:
            self.cells[-1].end = self.end_of(self.cells[-1].start)
        elif name == self.row:
            self.finish_row()
        elif name == self.sheet_data:
            self.saw_end = self.position()

    def end_of(self, start: int) -> int:
        """Return where the element that ends now ends: expat stands at its end tag, or behind `<name/>`."""
        at = self.position() - self.base
        if self.buffer[at - 2 : at] == b"/>" and tag_end(self.buffer, start - self.base) == at:
            return at + self.base
        return self.buffer.index(b">", at) + 1 + self.base

    def finish_row(self) -> None:
        end = self.end_of(self.row_start)
        start = self.row_start - self.base
        content = bytes(self.buffer[start : end - self.base])
        for cell in self.cells:
            cell.start -= self.row_start
            cell.end -= self.row_start
        row = RowSpan(self.number, self.attributes, content, tag_end(content, 0), self.cells, self.prefix)
        new = self.edit(row)
        if new is not None:
            self.flush_to(self.row_start, keep=True)
            self.done.append(new)
            self.flush_to(end, keep=False)
        self.row_start = -1

    def flush_to(self, position: int, *, keep: bool) -> None:
        count = position - self.base
        if keep:
            self.done.append(bytes(self.buffer[:count]))
        del self.buffer[:count]
        self.base = position

    def finished(self) -> bytes:
        """Return what is final: everything up to the row that is still open."""
        if self.row_start >= 0:
            self.flush_to(self.row_start, keep=True)
        ready = b"".join(self.done)
        self.done.clear()
        return ready

    def rest(self) -> bytes:
        if self.saw_end != self.body_end:
            raise WorkbookDamaged(problem="the rows of the sheet do not end where they seem to")
        return bytes(self.buffer[: self.body_end - self.base])


def rebuilt(row: RowSpan, tag: bytes, cells: Sequence[tuple[int, bytes]]) -> bytes:
    """Return a row under a new start tag, with the given cells (by ascending column) put in or replaced."""
    content = row.content
    empty = content[row.body - 2 : row.body] == b"/>"
    close = row.body if empty else content.rindex(b"</")
    pieces = [tag[:-2].rstrip() + b">" if tag.endswith(b"/>") else tag]
    position = row.body
    spans = iter([*row.cells, None])
    span = next(spans)
    for column, cell in cells:
        while span is not None and span.column < column:
            span = next(spans)
        at = close if span is None else span.start
        pieces += (content[position:at], cell)
        position = at
        if span is not None and span.column == column:
            position = span.end
            span = next(spans)
    ending = f"</{row.prefix}row>".encode() if empty else content[position:]
    return b"".join([*pieces, ending])


def row_cells(row: RowSpan) -> dict[int, Cell]:
    """Return the cells of a row as the reader sees them."""
    root = f"{row.prefix}rows".encode()
    rows = sheet_rows([b"<" + root + b">" + row.content + b"</" + root + b">"])
    return next(rows)[1]
