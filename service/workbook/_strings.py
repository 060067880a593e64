"""Shared strings, kept in UTF-8 until somebody asks for one, so that a million of them fit into memory."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from service.errors import WorkbookDamaged, WorkbookTooLarge
from service.workbook._fast_rows import WAIT, hides_markup, is_strange, resolve
from service.workbook._text import read_text
from service.workbook._xml import Feed, new_parser

_USUAL: Final = re.compile(rb'<si><t(?: xml:space="preserve")?>([^<]*)</t></si>')
_SPACE: Final = b' xml:space="preserve"'
_MARKUP: Final = len("<si><t></t></si>")
_DECLARATION: Final = b"<?xml"
_SHORT: Final = 40
_KNOWN: Final = 10_000
"""So many texts of less than so many characters (names of spaces, yes, no) are remembered by their number."""
_FIRST: Final = b"<si>"
_LAST: Final = b"</si>"


class SharedStrings:
    """The workbook's table of texts, by number; rich text is joined, phonetic hints are left out.

    It is read as far as somebody asks for its texts: whoever wants headers only needs its beginning.
    """

    def __init__(self, pieces: Iterable[bytes] = (), limit: int = 4_000_000) -> None:
        self._texts: list[bytes] = []
        self._parts: list[str] = []
        self._known: dict[str, str] = {}
        self._limit = limit
        self._text: list[str] = []
        self._keep = True
        self._coming = self._texts_of(pieces)

    def _texts_of(self, pieces: Iterable[bytes]) -> Iterator[None]:
        """Take the texts of one piece after the other."""
        parser = new_parser()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        parse_piece = Feed(parser)
        begun = False
        for piece in self._unusual(pieces):
            if piece:
                begun = True
                parse_piece(piece)
            yield
        if begun:
            parse_piece(b"", last=True)

    def finish(self) -> None:
        """Read what is left, so that whatever is damaged in it is known."""
        for _ in self._coming:
            pass

    def _unusual(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield what the parser must see; runs of plain texts are taken from the bytes."""
        source = iter(pieces)
        content = b""
        for piece in source:
            content += piece
            start, end = content.find(_FIRST), content.rfind(_LAST) + len(_LAST)
            if is_strange(content) or hides_markup(content[len(_DECLARATION) : max(start, len(_DECLARATION))]):
                break
            if not 0 <= start < end:
                if len(content) > WAIT:
                    break
                continue
            block = content[start:end]
            taken = self._taken(block)
            if not taken and hides_markup(block):
                break
            yield content[:start]
            if not taken:
                yield block
            content = content[end:]
        yield content
        yield from source

    def _taken(self, block: bytes) -> bool:
        """Take a run of texts if it is nothing else."""
        texts: list[bytes] = _USUAL.findall(block)
        size = sum(map(len, texts)) + len(texts) * _MARKUP + block.count(_SPACE) * len(_SPACE)
        if size != len(block):  # something else stands between them
            return False
        if b"&" in block or b"\r" in block or (b"_" in block and b"_x" in block):
            resolved = [resolve(text.decode()) for text in texts]
            if None in resolved:
                return False
            texts = [read_text(text).encode() for text in resolved if text is not None]
        self._texts += texts
        self._check_number()
        return True

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name.endswith("rPh"):
            self._keep = False
        elif name == "t" or name.endswith(":t"):
            self._text.clear()

    def _end(self, name: str) -> None:
        if name == "t" or name.endswith(":t"):
            if self._keep:
                self._parts.append("".join(self._text))
        elif name == "si" or name.endswith(":si"):
            self._texts.append(read_text("".join(self._parts)).encode())
            self._parts.clear()
            self._check_number()
        elif name.endswith("rPh"):
            self._keep = True

    def _check_number(self) -> None:
        if len(self._texts) > self._limit:
            raise WorkbookTooLarge(what="the number of its texts", limit=f"{self._limit:,}")

    def text(self, number: str) -> str:
        """Return the text a cell names by its number."""
        known = self._known.get(number)
        if known is not None:
            return known
        try:
            text = self._at(int(number)).decode()
        except (ValueError, IndexError) as error:
            raise WorkbookDamaged(problem=f"a cell names the text “{number[:20]}”, which does not exist") from error
        if len(text) < _SHORT and len(self._known) < _KNOWN:
            self._known[number] = text
        return text

    def _at(self, index: int) -> bytes:
        if index < 0:
            raise IndexError(index)
        for _ in self._coming if index >= len(self._texts) else ():
            if index < len(self._texts):
                break
        return self._texts[index]
