"""What stands around the rows of a sheet: everything before `<sheetData>` and after `</sheetData>`."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from service.errors import WorkbookDamaged, WorkbookTooLarge
from service.workbook._fast_rows import hides_markup
from service.workbook._limits import MB
from service.workbook._xml import Element, parse, plain_xml
from service.workbook.columns import column_index, column_letter

_OPEN = re.compile(rb"<((?:[\w.-]+:)?)sheetData(?=[\s/>])[^>]*>")
_CLOSE = re.compile(rb"</(?:[\w.-]+:)?sheetData\s*>")
_ROW = re.compile(rb"""<[\w.:-]+\s[^>]*?\br\s*=\s*["'](\d{1,7})["']""")
_ROOT_END = re.compile(rb"</([\w:.-]+)\s*>\s*$")
_DECLARATION = re.compile(rb"^(?:\xef\xbb\xbf)?\s*<\?xml\s[^>]*>")
_END_IN_VALUE = re.compile(rb"""<[^<>]*=\s*(?:"[^"<>]*>|'[^'<>]*>)""")
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?")
_LARGEST = 60
"""Largest size of what stands before or after the rows, in MB."""
LARGEST_ROW = 16
"""Largest size of one row, in MB."""
_REACH = 1 << 12
"""So many bytes of a piece are kept, so that a tag cut in two is still seen."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells, both corners included."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def reference(self) -> str:
        """Return it as Excel writes it: `A1:AB6`."""
        start = f"{column_letter(self.left)}{self.top}"
        end = f"{column_letter(self.right)}{self.bottom}"
        return start if start == end else f"{start}:{end}"


def read_area(reference: str) -> Area | None:
    """Return the rectangle a reference names, None when it is not one."""
    match = _REFERENCE.fullmatch(reference.strip())
    if match is None:
        return None
    left, top, right, bottom = match.groups()
    return Area(column_index(left), int(top), column_index(right or left), int(bottom or top))


@dataclass(frozen=True, slots=True)
class Frame:
    """Head and tail of a sheet's XML, the tag between rows and tail, where the rows end, and the last row's number.

    `prefix` is the namespace prefix with its colon. `over_cells` says that a formula may stand there that concerns more
    than its own cell, `plain` that the sheet holds neither comments, CDATA, instructions nor `>` in attributes, so that
    `<` begins a tag and `>` ends it.
    """

    head: bytes
    close: bytes
    tail: bytes
    prefix: str
    body_end: int
    last_row: int
    over_cells: bool
    plain: bool

    def head_tree(self) -> Element:
        """Return the tree of the head; positions count from its beginning."""
        root = re.search(rb"<([^\s<>/?!]+)", self.head)
        if root is None:
            raise WorkbookDamaged(problem="the sheet has no root element")
        return parse(self.head + b"</" + root.group(1) + b">")

    def tail_tree(self) -> tuple[bytes, Element]:
        """Return the tail below a root start tag of our own, and its tree; positions count from that tag."""
        root = _ROOT_END.search(self.tail)
        if root is None:
            raise WorkbookDamaged(problem="the sheet does not end")
        content = b"<" + root.group(1) + b">" + self.tail
        return content, parse(content)


class Framing:
    """Finds the frame of a sheet while its pieces pass by; rows of the usual form may be left out."""

    def __init__(self) -> None:
        self.head: bytes | None = None
        self.close = b""
        self.tail: bytearray | None = None
        self.window = bytearray()
        self.position = self.searched = 0
        self.body_end = 0
        self.last_row = 0
        self.prefix = ""
        self.row_tag = b""
        self.over_cells = False
        self.plain = True
        self.raw_ends = 0
        """How many more `>` than `<` there are: those stand in texts, or in the values of attributes."""
        self._row_at = 0

    def push(self, piece: bytes) -> None:
        """Look at the next piece."""
        self.raw_ends += piece.count(b">") - piece.count(b"<")
        if self.tail is not None:
            self.tail += piece
        else:
            self.window += piece
            if self.head is None:
                self.find_open()
            if self.head is not None:
                self.find_close()
        if len(self.tail or b"") > _LARGEST * MB or (self.head is None and len(self.window) > _LARGEST * MB):
            raise WorkbookTooLarge(what="what the sheet holds beside its rows", limit=f"{_LARGEST} MB")

    def find_open(self) -> None:
        match = _OPEN.search(self.window, self.searched)
        if match is None:
            self.searched = max(0, len(self.window) - _REACH)
            return
        self.head = bytes(self.window[: match.start()])
        self.plain = not hides_markup(_DECLARATION.sub(b"", self.head, count=1))
        self.prefix = match.group(1).decode()
        self.row_tag = b"<" + match.group(1) + b"row"
        empty = match.group().endswith(b"/>")
        self.advance(match.end())
        self._row_at = self.position
        if empty:
            self.body_end = self.position
            self.tail = bytearray(self.window)

    def find_close(self) -> None:
        if self.tail is not None:
            return
        # A plain search first: it passes over the rows many times faster than the pattern.
        match = _CLOSE.search(self.window) if self.window.find(b"sheetData") >= 0 else None
        end = match.start() if match else len(self.window)
        self.plain = self.plain and self.window.find(b"<!", 0, end) < 0 and self.window.find(b"<?", 0, end) < 0
        self.over_cells = self.over_cells or self.window.find(b"ref=", 0, end) >= 0
        self.find_row(end)
        if match is None:
            self.advance(max(0, len(self.window) - _REACH))
            return
        self.body_end = self.position + match.start()
        self.close = bytes(match.group())
        self.tail = self.window[match.end() :]

    def find_row(self, end: int) -> None:
        """Remember the last row's number; a row no file needs is refused."""
        start = self.window.rfind(self.row_tag, 0, end)
        if start >= 0:
            self._row_at = self.position + start
            row = _ROW.match(self.window, start)
            self.last_row = int(row.group(1)) if row else self.last_row
        if self.position + end - self._row_at > LARGEST_ROW * MB:
            raise WorkbookTooLarge(what=f"what follows row {self.last_row}", limit=f"{LARGEST_ROW} MB")

    def advance(self, count: int) -> None:
        self.position += count
        del self.window[:count]

    def result(self) -> Frame:
        """Return the frame, once all pieces have passed."""
        if self.head is None or self.tail is None:
            if not self.plain or hides_markup(_DECLARATION.sub(b"", bytes(self.window), count=1)):
                return Frame(b"", b"", b"", "", 0, 0, False, False)
            raise WorkbookDamaged(problem="the sheet has no beginning or end of its rows")
        return Frame(
            head=self.head,
            close=self.close,
            tail=bytes(self.tail),
            prefix=self.prefix,
            body_end=self.body_end,
            last_row=self.last_row,
            over_cells=self.over_cells,
            plain=self.plain and not hides_markup(bytes(self.tail)),
        )


def find_frame(stream: Callable[[], Iterable[bytes]], seen: Framing | None = None) -> Frame:
    """Return the frame of a sheet; `stream` yields its XML in UTF-8 from the beginning, as often as it is called.

    `seen` has already seen it pass, but not where its rows end. A frame that is not plain is that of the XML made so.
    """
    framing = seen or _seen(stream())
    frame = framing.result()
    if frame.plain and not (framing.raw_ends and ends_in_attributes(stream())):
        return frame
    return replace(_seen(plain_xml(stream())).result(), plain=False)


def _seen(pieces: Iterable[bytes]) -> Framing:
    framing = Framing()
    for piece in pieces:
        framing.push(piece)
    return framing


def ends_in_attributes(pieces: Iterable[bytes]) -> bool:
    """Say whether `>` stands in the value of an attribute, as XML allows and hardly anybody writes."""
    content = b""
    for piece in pieces:
        content += piece
        if _END_IN_VALUE.search(content):
            return True
        last = content.rfind(b"<")
        content = content[last:] if last >= 0 and content.find(b">", last) < 0 else b""
    return False
