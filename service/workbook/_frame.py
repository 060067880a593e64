"""What stands around the rows of a sheet: everything before `<sheetData>` and after `</sheetData>`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from service.errors import WorkbookDamaged, WorkbookTooLarge
from service.workbook._limits import MB
from service.workbook._xml import Element, parse
from service.workbook.columns import column_index, column_letter

_OPEN = re.compile(rb"<((?:[\w.-]+:)?)sheetData(?=[\s/>])[^>]*>")
_CLOSE = re.compile(rb"</(?:[\w.-]+:)?sheetData\s*>")
_ROW = re.compile(rb"""<[\w.:-]+\s[^>]*?\br\s*=\s*["'](\d{1,7})["']""")
_ROOT_END = re.compile(rb"</([\w:.-]+)\s*>\s*(?:<!--.*?-->\s*)*$", re.DOTALL)
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})(?::\$?([A-Z]{1,3})\$?(\d{1,7}))?")
_LARGEST = 60
"""Largest size of what stands before or after the rows, in MB."""
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

    `plain` says that no comments, CDATA or instructions stand between the rows; `prefix` is the namespace prefix with
    its colon.
    """

    head: bytes
    close: bytes
    tail: bytes
    prefix: str
    body_end: int
    last_row: int
    plain: bool

    def head_tree(self) -> Element:
        """Return the tree of the head; positions count from its beginning."""
        root = re.search(rb"<([A-Za-z_][\w:.-]*)", re.sub(rb"<!--.*?-->", b"", self.head, flags=re.DOTALL))
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

    def merges(self) -> list[Area]:
        """Return the merged areas of the sheet."""
        _, tree = self.tail_tree()
        listed = tree.first("mergeCells")
        areas = [read_area(element.get("ref")) for element in (listed.all("mergeCell") if listed else ())]
        return [area for area in areas if area is not None]


class _Framing:
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
        self.plain = True

    def push(self, piece: bytes) -> None:
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
        self.prefix = match.group(1).decode()
        self.row_tag = b"<" + match.group(1) + b"row "
        empty = match.group().endswith(b"/>")
        self.advance(match.end())
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
        start = self.window.rfind(self.row_tag, 0, end)
        row = _ROW.match(self.window, start) if start >= 0 else None
        self.last_row = int(row.group(1)) if row else self.last_row
        if match is None:
            self.advance(max(0, len(self.window) - _REACH))
            return
        self.body_end = self.position + match.start()
        self.close = bytes(match.group())
        self.tail = self.window[match.end() :]

    def advance(self, count: int) -> None:
        self.position += count
        del self.window[:count]


def read_frame(pieces: Iterable[bytes]) -> Frame:
    """Return the frame of a sheet from one quick pass that does not look at its cells."""
    framing = _Framing()
    for piece in pieces:
        framing.push(piece)
    if framing.head is None or framing.tail is None:
        raise WorkbookDamaged(problem="the sheet has no beginning or end of its rows")
    return Frame(
        head=framing.head,
        close=framing.close,
        tail=bytes(framing.tail),
        prefix=framing.prefix,
        body_end=framing.body_end,
        last_row=framing.last_row,
        plain=framing.plain,
    )
