"""Shared strings, kept as one block of UTF-8 so that a million of them fit into memory."""

import re
from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Final

from service.errors import WorkbookDamaged, WorkbookTooLarge
from service.workbook._fast_rows import hides_markup, is_strange, resolve
from service.workbook._xml import new_parser, parse_piece

_USUAL: Final = re.compile(rb'<si><t(?: xml:space="preserve")?>([^<]*)</t></si>')
_SPACE: Final = b' xml:space="preserve"'
_MARKUP: Final = len("<si><t></t></si>")
_DECLARATION: Final = b"<?xml"
_FIRST: Final = b"<si>"
_LAST: Final = b"</si>"


class SharedStrings:
    """The workbook's table of texts, by number; rich text is joined, phonetic hints are left out."""

    def __init__(self, pieces: Iterable[bytes] = (), limit: int = 4_000_000) -> None:
        self._block = bytearray()
        self._ends = array("Q", [0])
        self._limit = limit
        self._text: list[str] = []
        self._keep = True
        parser = new_parser()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        begun = False
        for piece in filter(None, self._unusual(pieces)):
            begun = True
            parse_piece(parser, piece)
        if begun:
            parse_piece(parser, b"", last=True)

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
        if b"&" in block or b"\r" in block:
            resolved = [resolve(text.decode()) for text in texts]
            if None in resolved:
                return False
            texts = [text.encode() for text in resolved if text is not None]
        ends = accumulate(map(len, texts), initial=len(self._block))
        next(ends)
        self._ends.extend(ends)
        self._block += b"".join(texts)
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
                self._block += "".join(self._text).encode("utf-8", "surrogatepass")
        elif name == "si" or name.endswith(":si"):
            self._ends.append(len(self._block))
            self._check_number()
        elif name.endswith("rPh"):
            self._keep = True

    def _check_number(self) -> None:
        if len(self._ends) > self._limit:
            raise WorkbookTooLarge(what="the number of its texts", limit=f"{self._limit:,}")

    def __getitem__(self, index: int) -> str:
        if not 0 <= index < len(self._ends) - 1:
            raise WorkbookDamaged(problem=f"a cell names the text {index}, which does not exist")
        return self._block[self._ends[index] : self._ends[index + 1]].decode("utf-8", "surrogatepass")
