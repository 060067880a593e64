"""The records of a CSV file, parsed anew by whoever goes through them: only a few are in memory at a time."""

import codecs
import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final, TextIO

from service.errors import CsvBroken, CsvUndecodable, WorkbookTooLarge
from service.workbook._header import HEADER_ROWS, named_headers
from service.workbook._recognise import wide_encoding

_DELIMITERS: Final = (",", ";", "\t")
_FIELD_LIMIT: Final = 10_000_000
_PIECE: Final = 1 << 20
_STATED: Final = 100
"""A line that states the delimiter is no longer."""
_MARKS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
Record = Sequence[str]


class Records:
    """The records of a file in the encoding and with the delimiter that fit; all are looked at once when it is made.

    `top` holds the first ones, among which the header row is looked for.
    """

    def __init__(self, content: bytes, most: int) -> None:
        csv.field_size_limit(_FIELD_LIMIT)
        self._content = content
        self._encoding = find_encoding(content)
        stated = self._stated()
        self._lines_above = 1 if stated else 0
        self._delimiter = stated or max(_DELIMITERS, key=self._score)
        self.count = sum(1 for _ in self.after(0))
        if self.count > most:
            raise WorkbookTooLarge(what="the number of rows", limit=f"{most:,}")
        self.top = list(islice(self.after(0), HEADER_ROWS))

    def after(self, number: int) -> Iterator[Record]:
        """Yield the records after the first so many."""
        return islice(self._parse(self._delimiter), number, None)

    def _open(self) -> TextIO:
        text = io.TextIOWrapper(io.BytesIO(self._content), self._encoding, newline="")
        if self._lines_above:
            text.readline()
        return text

    def _stated(self) -> str:
        """Return the delimiter that Excel's line `sep=` states, nothing when there is none."""
        self._lines_above = 0
        line = self._open().readline(_STATED).strip(" \r\n").strip('"')
        return line[4] if line[:4].lower() == "sep=" and len(line) == 5 else ""

    def _parse(self, delimiter: str) -> Iterator[Record]:
        reader = csv.reader(self._open(), delimiter=delimiter, strict=True)
        try:
            yield from reader
        except csv.Error as error:
            raise CsvBroken(problem=f"line {reader.line_num + self._lines_above}: {error}") from error

    def _score(self, delimiter: str) -> tuple[int, int]:
        """Return how many headers of the table a delimiter finds in the first rows, then how often it divides them.

        Rows before a broken one count: the delimiter is right, and the quotation marks are what must be told.
        """
        top: list[Record] = []
        with suppress(CsvBroken):
            top.extend(islice(self._parse(delimiter), HEADER_ROWS))
        return max((len(named_headers(texts_of(record))) for record in top), default=0), sum(map(len, top))


def texts_of(record: Record) -> dict[int, str]:
    """Return what stands in the columns of a record that hold something."""
    return {column: text.strip() for column, text in enumerate(record, start=1) if text.strip()}


def find_encoding(content: bytes) -> str:
    """Return the first encoding that fits the whole file: its BOM's, UTF-16, UTF-8, Windows-1252."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            _check(content, encoding.removesuffix("-sig"))  # without a mark places are counted from the beginning
            return encoding
    wide = wide_encoding(content)
    if wide:
        _check(content, wide)
        return wide
    try:
        _check(content, "utf-8")
    except CsvUndecodable:
        _check(content, "cp1252")
        return "cp1252"
    return "utf-8"


def _check(content: bytes, encoding: str) -> None:
    """Raise `CsvUndecodable` with the place unless all of it can be decoded."""
    decoder = codecs.getincrementaldecoder(encoding)()
    for start in range(0, len(content), _PIECE):
        waiting = len(decoder.getstate()[0])
        try:
            decoder.decode(content[start : start + _PIECE], final=start + _PIECE >= len(content))
        except UnicodeDecodeError as error:
            place = start - waiting + error.start
            raise CsvUndecodable(problem=f"{encoding}: {error.reason} at byte {place}") from error
