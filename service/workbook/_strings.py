"""Shared strings, kept as one block of UTF-8 so that a million of them fit into memory."""

from array import array
from collections.abc import Iterable

from service.errors import WorkbookDamaged, WorkbookTooLarge
from service.workbook._xml import feed, new_parser


class SharedStrings:
    """The workbook's table of texts, by number; rich text is joined, phonetic hints are left out."""

    def __init__(self, pieces: Iterable[bytes] = (), limit: int = 4_000_000) -> None:
        self._block = bytearray()
        self._ends = array("Q", [0])
        self._limit = limit
        self._text: list[str] = []
        self._keep = True
        self._depth_si = False
        parser = new_parser()
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        if pieces:
            for _ in feed(parser, pieces):
                pass

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
            if len(self._ends) > self._limit:
                raise WorkbookTooLarge(what="the number of its texts", limit=f"{self._limit:,}")
        elif name.endswith("rPh"):
            self._keep = True

    def __getitem__(self, index: int) -> str:
        if not 0 <= index < len(self._ends) - 1:
            raise WorkbookDamaged(problem=f"a cell names the text {index}, which does not exist")
        return self._block[self._ends[index] : self._ends[index + 1]].decode("utf-8", "surrogatepass")
