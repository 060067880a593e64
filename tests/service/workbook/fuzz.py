"""Mutates the handed workbooks and handles each: `fuzz.py ROOT SEED COUNT` prints what was unexpected, as JSON.

Run by test_fuzz.py in a process of its own, because a file that takes too much must be seen to do so.
"""

import io
import json
import random
import re
import resource
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, sys.argv[1])

from service.errors import WorkbookRefused
from service.workbook._adopt import adopt_xlsx
from service.workbook._child import limit_process
from service.workbook._limits import Limits
from service.workbook._package import Package
from service.workbook._read import read_rows
from service.workbook._recognise import recognise
from service.workbook._records import RowRecord, Section, Terms
from service.workbook._sheet import SheetReader
from service.workbook._write import write_xlsx
from service.workbook.columns import OUTPUT

HEAVY = {"zip_bomb_300MB_of_spaces.xlsx": 0.05, "blank_styled_rows_20000.xlsx": 0.05}
SLOW = 10.0


def flip(content: bytes, chance: random.Random) -> bytes:
    """Flip up to 20 bits."""
    mutated = bytearray(content)
    for _ in range(chance.randint(1, 20)):
        mutated[chance.randrange(len(mutated))] ^= 1 << chance.randrange(8)
    return bytes(mutated)


def truncate(content: bytes, chance: random.Random) -> bytes:
    """Cut the end off, or a piece out."""
    start = chance.randrange(len(content))
    return content[:start] if chance.random() < 0.5 else content[:start] + content[start + chance.randint(1, 200) :]


def inside(content: bytes, chance: random.Random) -> bytes:
    """Damage one part and pack it again with a right checksum."""
    parts = unpacked(content)
    name = chance.choice([name for name in parts if parts[name]] or [""])
    if name:
        damage = chance.choice((flip, truncate, splice))
        parts[name] = damage(parts[name], chance)
    return packed(parts)


def splice(content: bytes, chance: random.Random) -> bytes:
    """Put in markup that means something to somebody."""
    at = chance.randrange(len(content))
    words = (
        b"<!--",
        b"]]>",
        b"<![CDATA[",
        b"<row>",
        b"</row>",
        b"</c>",
        b"<c/>",
        b"&#0;",
        b"&x;",
        b'"',
        b"<!DOCTYPE a>",
    )
    words += (b"</sheetData>", b"<sheetData/>", b'r="ZZZ9"', b"<v>", b'<mergeCell ref="A1:XFD1048576"/>', b"\xff\xfe")
    return content[:at] + chance.choice(words) + content[at:]


def rewrite(content: bytes, chance: random.Random) -> bytes:
    """Write one part in another way that means nearly the same: quotes, comments, order, entities."""
    parts = unpacked(content)
    names = [name for name in parts if name.endswith((".xml", ".rels"))]
    sheets = [name for name in names if "worksheets/sheet" in name]
    for _ in range(chance.randint(1, 3) if names else 0):
        name = chance.choice(sheets if sheets and chance.random() < 0.5 else names)
        old, new = chance.choice(REWRITINGS)
        parts[name] = re.sub(old, new, parts[name], count=chance.choice((0, 1, 1, 3)))
    return packed(parts)


REWRITINGS: list[tuple[bytes, bytes]] = [
    (rb'"([^"<>]*)"', rb"'\1'"),
    (rb' r="([A-Z]+)(\d+)"', rb' r="\1&#x3\2;"'),
    (rb' (\w+)="', rb' \1 = "'),
    (rb"><", rb"><!-- <sheetData> </row> --><"),
    (rb"><", b">\n<"),
    (rb"/>", rb" />"),
    (rb"(</[^<>]+>)$", rb"\1<?after the=end?>"),
    (rb"(<c [^<>]*/>|<c [^<>]*>.*?</c>)", rb"\1\1"),
    (rb"(<c [^<>]*/>|<c [^<>]*>.*?</c>)(<c [^<>]*/>|<c [^<>]*>.*?</c>)", rb"\2\1"),
    (rb"<(row|c|sheetData|cols|xf|sheet|table) ", rb'<\1 note="a &lt; b > c" '),
    (rb"<(row|c|sheetData|cols|xf|sheet|table) ", rb'<\1 other="x" '),
    (rb' (r|min|max|colId|numFmtId|sheetId|count|s|si|ref|id|localSheetId)="[^"]*"', rb' \1="many"'),
    (rb' (r|min|max|colId|numFmtId|sheetId|count|s|t|ref|id|localSheetId)="[^"]*"', b""),
    (rb' (r|min|max|colId|numFmtId|sheetId|count|s|t|ref|id|localSheetId)="[^"]*"', rb' \1=""'),
    (rb"<(\w+)([ />])", rb"<x:\1\2"),
    (rb"<row ", rb"<row><row "),
    (rb"<c ", rb"<c><c "),
    (rb"<(\w+)/>", rb"<\1></\1>"),
    (rb"<(\w+)[^<>]*>[^<>]*</\1>", rb""),
    (rb"^", b"\xef\xbb\xbf"),
    (rb"<v>([^<>]*)</v>", rb"<f>1</f><v>\1</v>"),
    (rb"<v>([^<>]*)</v>", rb'<f t="shared" si="0">A1</f><v>\1</v>'),
    (rb"<v>([^<>]*)</v>", rb'<f t="array" ref="A1:AB9">A1</f><v>\1</v>'),
    (rb"</sheetData>", rb"</sheetData><sheetData/>"),
    (rb"</sheetData>", rb'</sheetData><mergeCells><mergeCell ref="A1:XFD9"/></mergeCells>'),
    (rb"<sheetData>", rb'<cols><col min="x" max="" style="9"/></cols><sheetData>'),
]


def swap(content: bytes, chance: random.Random) -> bytes:
    """Exchange two parts, drop one, or put one under another name."""
    parts = unpacked(content)
    one, other = chance.choice(list(parts)), chance.choice(list(parts))
    kind = chance.randrange(3)
    if kind == 0:
        parts[one], parts[other] = parts[other], parts[one]
    elif kind == 1:
        del parts[one]
    else:
        parts[one.swapcase()] = parts.pop(one)
    return packed(parts)


def unpacked(content: bytes) -> dict[str, bytes]:
    """Return the parts of a file."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: dict[str, bytes]) -> bytes:
    """Return a file made of parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def parsed_alone(content: bytes) -> list[Any]:
    """Return what the parser says of rows, without the way taken for usual ones."""
    usual = SheetReader.__iter__

    def only_parsed(reader: SheetReader) -> Any:
        reader._fast.split = iter  # type: ignore[assignment,method-assign]
        return usual(reader)

    SheetReader.__iter__ = only_parsed  # type: ignore[method-assign]
    try:
        return list(read_rows(Package(content, Limits())))
    finally:
        SheetReader.__iter__ = usual  # type: ignore[method-assign]


def handle(content: bytes) -> str:
    """Read a file, write into it and adopt it as the service does; return how it ended.

    Only reading may refuse it: what was read is asked, and must then be written.
    """
    try:
        recognise(content, "x.xlsx")
        records = list(read_rows(Package(content, Limits())))
        assert records == parsed_alone(content), "rows taken from the bytes differ from those parsed"
    except WorkbookRefused as refused:
        return refused.code
    numbers = sorted(record.number for record in records if isinstance(record, RowRecord))
    rows = ((number, ["=1+1"] * len(OUTPUT)) for number in numbers)
    limits = Limits().for_results()
    out = io.BytesIO()
    write_xlsx(Package(content, limits), rows, [Section("Run", ())], Terms(flagged=True), out)
    adopt_xlsx(Package(out, limits), Terms(every=True, lineage={"run": "r"}), io.BytesIO())
    return "filled"


def main() -> None:
    """Handle COUNT mutants and print what was unexpected."""
    chance = random.Random(int(sys.argv[2]))
    limit_process(Limits(seconds=900))
    handed = {path.name: path.read_bytes() for path in sorted((Path(__file__).parent / "cases").glob("*.xls[xm]"))}
    whole = [name for name in handed if zipfile.is_zipfile(io.BytesIO(handed[name]))]
    ways: list[Callable[[bytes, random.Random], bytes]] = [flip, truncate, inside, inside, rewrite, rewrite, swap]
    ends: Counter[str] = Counter()
    unexpected: list[str] = []
    while sum(ends.values()) < int(sys.argv[3]):
        name = chance.choice(whole)
        if chance.random() > HEAVY.get(name, 1):
            continue
        way = chance.choice(ways[:2] if name in HEAVY else ways)
        mutant = way(handed[name], chance)
        started = time.monotonic()
        try:
            end = handle(mutant)
        except Exception as error:  # noqa: BLE001 - any of them is what this looks for
            end = "unnamed"
            unexpected.append(f"{name} {way.__name__} {type(error).__name__}: {error}"[:300])
        if time.monotonic() - started > SLOW:
            unexpected.append(f"{name} {way.__name__} took {time.monotonic() - started:.0f} s")
        ends[end] += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(json.dumps({"ends": ends, "unexpected": unexpected, "peak_mb": peak}))


if __name__ == "__main__":
    main()
