"""Rewriting rows of a sheet inside its bytes: what is not edited comes out exactly as it went in.

Between `<sheetData>` and `</sheetData>` of well-formed XML without comments, CDATA and instructions, `<` begins a tag
and nothing else; the frame makes sure of that. So rows and cells are found by searching bytes, several times faster
than by parsing, and the finished sheet is parsed when it is verified.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final, TypeAlias

from service.errors import WorkbookTooLarge
from service.workbook._cell import Cell, ColumnNumbers, row_number
from service.workbook._fast_rows import resolve
from service.workbook._frame import LARGEST_ROW, Frame
from service.workbook._limits import MB
from service.workbook._row_pattern import FORMULA, INLINE
from service.workbook._sheet import SheetReader
from service.workbook._xml import tag_with

_ATTRIBUTE: Final = re.compile(rb"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_CELL: Final = re.compile(rb"""<[\w.:-]+ r="([A-Z]+)\d+"(?: s="(\d+)")?(?= t=| ?/?>)""")
"""A cell as nearly all producers write it."""
_REFERENCE: Final = re.compile(rb"""<[\w.:-]+\s[^>]*?\br\s*=\s*["']([^"']*)""")
_STYLE: Final = re.compile(rb"""\ss\s*=\s*["'](\d+)["']""")
_USUAL: Final = re.compile(
    rb'<c r="([A-Z]{1,3})\d{1,7}"(?: s="(\d+)")?+(?: t="\w+")?+(?:/>|>'
    + rf"(?:(?:{FORMULA})?+<v>[^<]*+</v>|{INLINE}[^<]*+</t></is>)?+</c>)".encode()
)
"""A whole cell of the usual kind."""
_COLUMNS: Final = ColumnNumbers()
_DIGITS: Final = "0123456789"
_NUMBERED: Final = re.compile(rb'<row r="(\d+)"[ />]')


class _Numbers(dict[bytes, int]):
    def __missing__(self, letters: bytes) -> int:
        self[letters] = number = _COLUMNS[letters.decode()]
        return number


_NUMBERS: Final = _Numbers()

_AFTER_NAME: Final = b" />\t\r\n"

CellSpan: TypeAlias = tuple[int, int, int, str]
"""A cell in the bytes of its row: its column, where it begins, where it ends, the number of its format or nothing."""


def _begins(content: bytes, tag: bytes, at: int) -> int:
    """Return where a tag of exactly this name begins, -1 for nowhere: `<c` is no `<color`."""
    at = content.find(tag, at)
    while at >= 0 and content[at + len(tag)] not in _AFTER_NAME:
        at = content.find(tag, at + 1)
    return at


@dataclass(frozen=True)
class RowSpan:
    """A row as it stands in the file; `body` is where its start tag ends, `prefix` the sheet's namespace prefix."""

    number: int
    content: bytes
    body: int
    prefix: str

    @cached_property
    def attributes(self) -> dict[str, str]:
        """Return the attributes of the row."""
        found = _ATTRIBUTE.findall(self.content, 0, self.body)
        return {name.decode(): (double or single).decode() for name, double, single in found}

    @cached_property
    def cells(self) -> list[CellSpan]:
        """Return the cells of the row in order, each column once."""
        spans = self._stored
        if all(one[0] < other[0] for one, other in pairwise(spans)):
            return spans
        by_column: dict[int, CellSpan] = {}
        for span in spans:
            if span[0] not in by_column or b"</" in self.content[span[1] : span[2]]:  # as the reader: the last one
                by_column[span[0]] = span
        return [by_column[column] for column in sorted(by_column)]

    @cached_property
    def _stored(self) -> list[CellSpan]:
        """Return the cells as they stand in the file: not all producers keep them in order."""
        return (None if self.prefix else self._usual()) or self._searched()

    def _usual(self) -> list[CellSpan] | None:
        """Return the cells of a row that is nothing but cells as nearly all producers write them."""
        spans: list[CellSpan] = []
        position = self.body
        for cell in _USUAL.finditer(self.content, position):
            letters, style = cell.groups()
            start, end = cell.span()
            if start != position:
                return None
            spans.append((_NUMBERS[letters], start, end, style.decode() if style else ""))
            position = end
        return spans if self.content.startswith(b"</row", position) else None

    def _searched(self) -> list[CellSpan]:
        content = self.content
        tag, close = f"<{self.prefix}c".encode(), f"</{self.prefix}c".encode()
        spans: list[CellSpan] = []
        previous = 0
        start = _begins(content, tag, self.body)
        while start >= 0:
            end = content.find(b">", start)
            column, style = _named(content, start, end) or (previous + 1, _style(content, start, end))
            if content[end - 1] != 47:  # not `<c/>`: it ends with its end tag
                end = content.find(b">", _begins(content, close, end))
            spans.append((column, start, end + 1, style))
            previous = column
            start = _begins(content, tag, end)
        return spans

    def span(self, column: int) -> CellSpan | None:
        """Return the cell of a column."""
        return next((span for span in self.cells if span[0] == column), None)

    def has_formula(self, span: CellSpan) -> bool:
        """Say whether a formula stands in a cell."""
        if not self.any_formula:
            return False
        return 0 <= _begins(self.content, f"<{self.prefix}f".encode(), span[1]) < span[2]

    @cached_property
    def any_formula(self) -> bool:
        """Say whether a formula stands anywhere in the row."""
        return _begins(self.content, f"<{self.prefix}f".encode(), self.body) >= 0

    @property
    def blank(self) -> bool:
        """Say whether no cell of the row holds anything: sheets may have a million such rows, with formats only."""
        content = self.content
        return not any(content.find(f"<{self.prefix}{name}".encode(), self.body) >= 0 for name in ("v", "f", "is"))

    def values(self) -> dict[int, Cell]:
        """Return the cells as the reader sees them."""
        root = f"{self.prefix}sheetData".encode()
        rows = SheetReader([b"<" + root + b">" + self.content + b"</" + root + b">"])
        return next(iter(rows))[1]

    def start_tag(self, hidden: bool | None = None) -> bytes:
        """Return the start tag without the hint which columns it spans, hidden or shown where that is given."""
        tag = self.content[: self.body]
        if b"spans" in tag:
            tag = tag_with(tag, "spans", None)
        if hidden is not None and hidden != (self.attributes.get("hidden") in ("1", "true")):
            tag = tag_with(tag, "hidden", "1" if hidden else None)
        return tag

    def rebuilt(self, tag: bytes, cells: Sequence[tuple[int, bytes]]) -> bytes:
        """Return the row under a new start tag, with the given cells (by ascending column) put in or replaced."""
        if self.cells is not self._stored:
            return self._in_order(tag, dict(cells))
        content = self.content
        pieces = [_opened(tag)]
        position = self.body
        spans = iter(self.cells)
        span = next(spans, None)
        for column, cell in cells:
            while span is not None and span[0] < column:
                span = next(spans, None)
            at = self.close if span is None else span[1]
            pieces += (content[position:at], cell)
            position = at
            if span is not None and span[0] == column:
                position = span[2]
                span = next(spans, None)
        return b"".join([*pieces, content[position : self.close], self._ending])

    def _in_order(self, tag: bytes, cells: dict[int, bytes]) -> bytes:
        """Return the row with its cells put in order; what follows the last of them stays."""
        old = {span[0]: self.content[span[1] : span[2]] for span in self.cells}
        end = max(span[2] for span in self._stored)
        merged = sorted((old | cells).items())
        return b"".join([_opened(tag), *(cell for _, cell in merged), self.content[end : self.close], self._ending])

    @property
    def close(self) -> int:
        """Return where the cells end."""
        return self.body if self.empty else self.content.rindex(b"</")

    @property
    def empty(self) -> bool:
        """Say whether it is written `<row/>`."""
        return self.content[self.body - 2 : self.body] == b"/>"

    @property
    def _ending(self) -> bytes:
        return f"</{self.prefix}row>".encode() if self.empty else self.content[self.close :]


def _opened(tag: bytes) -> bytes:
    return tag[:-2].rstrip() + b">" if tag.endswith(b"/>") else tag


def _named(content: bytes, start: int, end: int) -> tuple[int, str] | None:
    """Return the column a cell names and its format, None when it names none."""
    usual = _CELL.match(content, start, end + 1)
    if usual is not None:
        letters, style = usual.groups()
        return _COLUMNS[letters.decode()], style.decode() if style else ""
    reference = _REFERENCE.match(content, start, end)
    letters = resolve(reference.group(1).decode()) if reference else ""
    return (_COLUMNS[letters.rstrip(_DIGITS)], _style(content, start, end)) if letters else None


def _style(content: bytes, start: int, end: int) -> str:
    match = _STYLE.search(content, start, end)
    return match.group(1).decode() if match else ""


RowEditor: TypeAlias = Callable[[RowSpan], bytes | None]
"""Returns the new bytes of a row, or None to leave it as it is."""


def splice(pieces: Iterable[bytes], frame: Frame, edit: RowEditor) -> Iterator[bytes]:
    """Yield `<sheetData>` with every row edited, up to its end tag; head and tail are the caller's.

    The pieces are the whole part in UTF-8; the frame tells where its rows begin and end.
    """
    splicer = _Splicer(frame.prefix, edit)
    for piece in _between(pieces, len(frame.head), frame.body_end):
        yield splicer.push(piece)
    yield splicer.pending


def _between(pieces: Iterable[bytes], start: int, end: int) -> Iterator[bytes]:
    position = 0
    for piece in pieces:
        part = piece[max(0, start - position) : max(0, end - position)]
        if part:
            yield part
        position += len(piece)


class _Splicer:
    def __init__(self, prefix: str, edit: RowEditor) -> None:
        self.prefix = prefix
        self.edit = edit
        self.pending = b""
        self.number = 0
        self._start = re.compile(rb"<" + re.escape(prefix.encode()) + rb"row(?=[\s/>])[^>]*>")
        self._close = f"</{prefix}row".encode()

    def push(self, piece: bytes) -> bytes:
        """Take a piece; return what is final, up to the row that is not complete yet."""
        content = self.pending + piece
        out: list[bytes] = []
        kept = position = 0
        while (found := self.next_row(content, position)) is not None:
            start, body, end = found
            new = self.edit(self.row(content[start:end], body - start))
            if new is not None:
                out += (content[kept:start], new)
                kept = end
            position = end
        out.append(content[kept:position])
        self.pending = content[position:]
        if len(self.pending) > LARGEST_ROW * MB:
            raise WorkbookTooLarge(what=f"what follows row {self.number}", limit=f"{LARGEST_ROW} MB")
        return b"".join(out)

    def next_row(self, content: bytes, position: int) -> tuple[int, int, int] | None:
        tag = self._start.search(content, position)
        if tag is None:
            return None
        if tag.group().endswith(b"/>"):
            return tag.start(), tag.end(), tag.end()
        close = content.find(self._close, tag.end())
        end = content.find(b">", close) + 1 if close >= 0 else 0
        return (tag.start(), tag.end(), end) if end else None

    def row(self, content: bytes, body: int) -> RowSpan:
        usual = _NUMBERED.match(content, 0, body)
        if usual:
            stated = usual.group(1)
        else:
            attributes = _ATTRIBUTE.findall(content, 0, body)
            stated = next((double or single for name, double, single in attributes if name == b"r"), None)
        self.number = row_number(resolve(stated.decode()) if stated is not None else None, self.number)
        return RowSpan(self.number, content, body, self.prefix)
