"""What a stored cell means: texts, numbers and dates as a person sees them, yes/no, errors."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import Final

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
    **dict.fromkeys((18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56), "hh:mm"),
    22: "yyyy-mm-dd hh:mm",
    46: "[h]:mm:ss",
}
_QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]')
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]")
_PLAIN = re.compile(r"(#,##)?0(?:\.(0+))?(%)?")
_WHOLE = re.compile(r"[1-9][0-9]{0,14}")
_GENERAL = ("", "0", "General", "@")
_LAST_SERIAL = 2_958_466


class Values:
    """Turns the cells of one workbook into texts; shared strings and formats are read when first needed."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def text(self, cell: Cell | None) -> str:
        """Return what a person sees in the cell: ISO dates, TRUE/FALSE, numbers as formatted; error values too."""
        if cell is None:
            return ""
        kind, stored, _, style = cell
        if kind == "inlineStr":
            return read_text(stored)
        if kind == "s":
            return self.shared.text(stored)
        if kind == "n":
            return self._number(stored, style) if stored else ""
        if kind == "b":
            return "TRUE" if stored.strip() in ("1", "true") else "FALSE"
        if kind == "d":
            return stored.removesuffix("T00:00:00").replace("T", " ")
        return read_text(stored)

    def texts(self, cells: Mapping[int, Cell]) -> dict[int, str]:
        """Return what a person sees in each cell of a row."""
        texts: dict[int, str] = {}
        for column, cell in cells.items():
            kind, stored, _, style = cell
            if kind == "s":
                texts[column] = self.shared.text(stored)
            elif kind == "inlineStr":
                texts[column] = read_text(stored) if "_x" in stored or "\r" in stored else stored
            elif kind == "n" and stored:
                texts[column] = self._number(stored, style)
            else:
                texts[column] = self.text(cell)
        return texts

    @cached_property
    def shared(self) -> SharedStrings:
        """Return the table of shared strings."""
        part = self._book.related("sharedStrings")
        package = self._book.package
        return SharedStrings(utf8(package.stream(part)) if part else (), package.limits.strings)

    def finish(self) -> None:
        """Read the rest of the shared strings if any were needed: what is damaged in them is refused."""
        if "shared" in vars(self):
            self.shared.finish()

    def _number(self, stored: str, style: str) -> str:
        code = self._format(style)
        if code in _GENERAL and _WHOLE.fullmatch(stored):
            return stored
        value = _float(stored)
        if value is None:
            return stored
        if _is_date(code):
            return _duration(value, code) or _date(value, code, self._book.date1904) or _general(value)
        plain = _PLAIN.fullmatch(code)
        if plain is None:
            return _general(value)
        grouped, decimals, percent = plain.groups()
        scaled = value * 100 if percent else value
        return f"{scaled:{',' if grouped else ''}.{len(decimals or '')}f}{percent or ''}"

    def _format(self, style: str) -> str:
        number = int(style) if style.isascii() and style.isdigit() and len(style) < 8 else 0
        return self._formats[number] if number < len(self._formats) else ""

    @cached_property
    def _formats(self) -> list[str]:
        part = self._book.related("styles")
        return _read_formats(self._book, part) if part else []


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


def _duration(value: float, code: str) -> str:
    """Return a time that may be longer than a day (`[h]:mm`) as it is displayed; empty when the code shows none."""
    letters = _QUOTED.sub("", code.split(";")[0]).lower()
    counted = _ELAPSED.search(letters)
    if counted is None:
        return ""
    seconds = round(abs(value) * 86_400)
    sign, unit = "-" if value < 0 else "", counted.group(1)[0]
    if unit == "s":
        return f"{sign}{seconds}"
    minutes, rest = divmod(seconds, 60)
    ending = f":{rest:02}" if "s" in letters or (unit == "m" and rest) else ""
    if unit == "m":
        return f"{sign}{minutes}{ending}"
    return f"{sign}{minutes // 60}:{minutes % 60:02}{ending}"


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
