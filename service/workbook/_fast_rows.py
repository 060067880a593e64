"""Taking rows of the usual form straight from the bytes of a sheet; the parser gets everything else.

A row counts as usual when its bytes are nothing but a start tag, cells written as nearly all producers write them,
and an end tag, side by side. Such a row is well-formed by itself, so the parser need not see it: that halves the time.
From the first comment, instruction or forbidden character on, and in sheets with a namespace prefix, all is parsed.
"""

import re
from collections.abc import Generator, Iterable, Iterator
from operator import itemgetter, lt
from typing import Final

from service.workbook._cell import Cell, ColumnNumbers, SheetRow, row_number
from service.workbook._row_pattern import FORMULA, INLINE, Form, RowPattern

_OPEN: Final = re.compile(rb"<((?:[\w.-]+:)?)sheetData(?=[\s/>])[^>]*>")
_ROW: Final = re.compile(rb'<row(?: r="(\d{1,7})")?(?: [\w:.-]+="[^"<>&]*")*(/?)>')
_CELL: Final = re.compile(
    r'(<c r="([A-Z]{1,3})\d{1,7}"(?: s="(\d+)")?(?: t="(\w+)")?(?:/>|>'
    rf"(?:({FORMULA})?<v>([^<]*)</v>|{INLINE}([^<]*)</t></is>)?</c>))"
)
_ENTITY: Final = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#x([0-9A-Fa-f]{1,6})|#(\d{1,7}));")
_NAMED: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_FORBIDDEN: Final = bytes(code for code in range(32) if code not in (9, 10, 13))
_SECTION_END: Final = b"]]>"
_NONCHARACTER: Final = b"\xef\xbf"
"""How U+FFFE and U+FFFF begin in UTF-8."""
_END: Final = b"</row>"
WAIT: Final = 1 << 22
"""So many bytes may come without a complete row before the parser gets the rest."""
_whole: Final = itemgetter(0)
_letters: Final = itemgetter(1)


class FastRows:
    """Divides a sheet into rows taken and bytes for the parser, in order.

    `number` is the row before the next one; whoever parses the bytes between keeps it right.
    """

    def __init__(self, wanted: frozenset[int]) -> None:
        self.number = 0
        self._wanted = wanted
        self._columns = ColumnNumbers()
        self._pattern = RowPattern(wanted)

    def split(self, pieces: Iterable[bytes]) -> Iterator[bytes | SheetRow]:
        """Yield rows, and bytes to be parsed."""
        source = iter(pieces)
        content = b""
        for piece in source:
            content += piece
            opening = _OPEN.search(content)
            if opening is None and len(content) < WAIT:
                continue
            if opening and not opening.group(1) and _begins_plainly(content, opening):
                yield content[: opening.end()]
                content = yield from self._body(content[opening.end() :], source)
            break
        yield content
        yield from source

    def _body(self, content: bytes, source: Iterator[bytes]) -> Generator[bytes | SheetRow, None, bytes]:
        """Yield rows as long as they come; return the bytes with which the parser goes on."""
        position = 0
        while True:
            row = _ROW.match(content, position)
            end = _row_end(content, row) if row else 0
            if row and end:
                taken = self._taken(content, row, end)
                if taken is None and hides_markup(content[position:end]):
                    return content[position:]
                yield taken or content[position:end]
                position = end
                continue
            content, position = content[position:], 0
            piece = next(source, b"")
            whole_tag = row is None and b">" in content
            content += piece
            if whole_tag or not piece or len(content) > WAIT or is_strange(content):
                return content

    def _taken(self, content: bytes, row: re.Match[bytes], end: int) -> SheetRow | None:
        """Return a row if all its cells are usual."""
        body = b"" if row.group(2) else content[row.end() : end - len(_END)]
        cells = self._cells(body)
        if cells is None:
            return None
        stated = row.group(1)
        if stated is None and b" r=" in row.group():
            return None
        self.number = row_number(stated.decode() if stated else None, self.number)
        return self.number, cells

    def _cells(self, body: bytes) -> dict[int, Cell] | None:
        try:
            text = body.decode()
        except UnicodeDecodeError:
            return None
        cells = self._pattern.cells(text)
        if cells is None:
            cells = self._one_by_one(text)
        if cells is None or ("&" not in text and "\r" not in text):
            return cells
        return _resolved(cells) if _resolvable(text) else None

    def _one_by_one(self, text: str) -> dict[int, Cell] | None:
        """Return the cells of a row of another sort than those before, and learn it."""
        found = _CELL.findall(text)
        if sum(map(len, map(_whole, found))) != len(text):
            return None
        columns, wanted = self._columns, self._wanted
        numbers = [columns[letters] for _, letters, *_ in found]
        if all(map(lt, numbers, numbers[1:])):
            self._pattern.learn(zip(numbers, map(_letters, found), map(_form, found), strict=True))
        return {
            column: (kind or "n", value or inline, formula != "", style)
            for column, (_, _, style, kind, formula, value, inline) in zip(numbers, found, strict=True)
            if (value or inline or formula) and column in wanted
        }


def _form(cell: tuple[str, ...]) -> Form:
    whole, _, style, kind, formula, *_ = cell
    return style, kind, formula != "", "t" if whole.endswith("</is></c>") else "v" if "<v>" in whole else ""


def _begins_plainly(content: bytes, opening: re.Match[bytes]) -> bool:
    """Say whether rows begin here for sure: before a comment could hide where they do."""
    return b"<!" not in content[: opening.start()] and not is_strange(content[opening.end() :])


def hides_markup(content: bytes) -> bool:
    """Say whether a comment, CDATA section or instruction stands in the bytes: what follows may be part of it."""
    return b"<!" in content or b"<?" in content


def is_strange(content: bytes) -> bool:
    """Say whether a character stands in the bytes that XML forbids in texts."""
    if b"]" in content and _SECTION_END in content:  # one byte is found many times faster than three
        return True
    if not content.isascii() and _NONCHARACTER in content:
        return True
    return len(content.translate(None, _FORBIDDEN)) != len(content)


def _row_end(content: bytes, row: re.Match[bytes]) -> int:
    """Return where a row ends, 0 when its end is still to come."""
    if row.group(2):
        return row.end()
    close = content.find(_END, row.end())
    return close + len(_END) if close >= 0 else 0


def _resolvable(text: str) -> bool:
    """Say whether all entities of a row may stand there, also those in cells that are not looked at."""
    entities = [match.group() for match in _ENTITY.finditer(text)]
    return len(entities) == text.count("&") and resolve("".join(set(entities))) is not None


def _resolved(cells: dict[int, Cell]) -> dict[int, Cell] | None:
    """Return the cells with what a parser makes of their texts; None when one has to be parsed."""
    resolved: dict[int, Cell] = {}
    for column, (kind, text, formula, style) in cells.items():
        plain = resolve(text)
        if plain is None:
            return None
        resolved[column] = (kind, plain, formula, style)
    return resolved


def resolve(text: str) -> str | None:
    """Return what a parser makes of character data, None when it names a character or entity XML does not allow."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "&" not in text:
        return text
    if len(_ENTITY.findall(text)) != text.count("&"):
        return None
    try:
        return _ENTITY.sub(_character, text)
    except ValueError:
        return None


def _character(match: re.Match[str]) -> str:
    name, hexadecimal, decimal = match.groups()
    if name:
        return _NAMED[name]
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    if code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000:
        return chr(code)
    raise ValueError(f"XML does not allow the character {code}")
