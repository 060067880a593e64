"""What a stored cell means: texts, numbers and dates as a person sees them, yes/no, errors."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from service.errors import WorkbookDamaged
from service.workbook._book import Book, read_tree
from service.workbook._cell import Cell
from service.workbook._strings import SharedStrings
from service.workbook._text import read_text
from service.workbook._xml import utf8

_BUILTIN: Final = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    **dict.fromkeys((14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56), "hh:mm"),
    22: "yyyy-mm-dd hh:mm",
}
_QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]')
_PLAIN = re.compile(r"(#,##)?0(?:\.(0+))?(%)?")
_LAST_SERIAL = 2_958_466
_SHORT, _KNOWN = 40, 10_000
"""So many texts of less than so many characters (names of spaces, yes, no) are remembered by their number."""


class Values:
    """Turns the cells of one workbook into texts; shared strings and formats are read when first needed."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._strings: SharedStrings | None = None
        self._formats: list[str] | None = None
        self._known: dict[str, str] = {}

    def text(self, cell: Cell | None) -> str:
        """Return what a person sees in the cell: ISO dates, TRUE/FALSE, numbers as formatted; error values too."""
        if cell is None:
            return ""
        kind, stored, _, style = cell
        if kind == "inlineStr":
            return read_text(stored)
        if kind == "s":
            return self._shared(stored)
        if kind == "n":
            return self._number(stored, style) if stored else ""
        if kind == "b":
            return "TRUE" if stored.strip() in ("1", "true") else "FALSE"
        if kind == "d":
            return stored.removesuffix("T00:00:00").replace("T", " ")
        return read_text(stored)

    def texts(self, cells: Mapping[int, Cell]) -> dict[int, str]:
        """Return what a person sees in each cell of a row."""
        known = self._known
        texts: dict[int, str] = {}
        for column, cell in cells.items():
            kind, stored, _, _ = cell
            if kind == "s":
                texts[column] = known.get(stored) or self._shared(stored)
            elif kind == "inlineStr":
                texts[column] = read_text(stored) if "_x" in stored or "\r" in stored else stored
            else:
                texts[column] = self.text(cell)
        return texts

    def _shared(self, stored: str) -> str:
        known = self._known.get(stored)
        if known is not None:
            return known
        if self._strings is None:
            part = self._book.related("sharedStrings")
            package = self._book.package
            self._strings = SharedStrings(utf8(package.stream(part)) if part else (), package.limits.strings)
        try:
            text = read_text(self._strings[int(stored)])
        except ValueError as error:
            raise WorkbookDamaged(problem=f"a cell names the impossible text “{stored[:20]}”") from error
        if len(text) < _SHORT and len(self._known) < _KNOWN:
            self._known[stored] = text
        return text

    def _number(self, stored: str, style: str) -> str:
        value = _float(stored)
        if value is None:
            return stored
        code = self._format(style)
        if _is_date(code):
            return _date(value, code, self._book.date1904) or _general(value)
        plain = _PLAIN.fullmatch(code)
        if plain is None:
            return _general(value)
        grouped, decimals, percent = plain.groups()
        scaled = value * 100 if percent else value
        return f"{scaled:{',' if grouped else ''}.{len(decimals or '')}f}{percent or ''}"

    def _format(self, style: str) -> str:
        if self._formats is None:
            part = self._book.related("styles")
            self._formats = _read_formats(self._book, part) if part else []
        number = int(style) if style.isascii() and style.isdigit() and len(style) < 8 else 0
        return self._formats[number] if number < len(self._formats) else ""


def _read_formats(book: Book, part: str) -> list[str]:
    _, root = read_tree(book.package, part)
    listed = root.first("numFmts")
    codes = {element.get("numFmtId"): element.get("formatCode") for element in (listed.all("numFmt") if listed else ())}
    cells = root.first("cellXfs")
    ids = [element.get("numFmtId") for element in (cells.all("xf") if cells else ())]
    builtin = {str(number): code for number, code in _BUILTIN.items()}
    return [codes.get(number, builtin.get(number, "")) for number in ids]


def _is_date(code: str) -> bool:
    letters = _QUOTED.sub("", code.split(";")[0]).lower()
    if "general" in letters:
        return False
    return any(letter in letters for letter in "ydhs") or letters.strip("[]- /.") in ("m", "mm", "mmm", "mmmm")


def _date(value: float, code: str, since_1904: bool) -> str:
    if not 0 <= value < _LAST_SERIAL:
        return ""
    letters = _QUOTED.sub("", code).lower()
    has_date = "y" in letters or "d" in letters
    has_time = "h" in letters or "s" in letters
    # Excel believes that 1900 was a leap year: serials below 61 lie one day later.
    start = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30 if value >= 60 else 31)  # noqa: DTZ001
    moment = start + timedelta(seconds=round(value * 86_400))
    if has_time and not has_date:
        return f"{moment:%H:%M:%S}" if moment.second else f"{moment:%H:%M}"
    if not has_time or not (moment.hour or moment.minute or moment.second):
        return moment.date().isoformat()
    return moment.isoformat(" ", "seconds" if moment.second else "minutes")


def _float(stored: str) -> float | None:
    try:
        value = float(stored)
    except ValueError:
        return None
    return value if value - value == 0 else None


def _general(value: float) -> str:
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.15g}"
