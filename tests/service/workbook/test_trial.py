"""What is read can be written: harmless oddities run right, all else is refused before anything is asked."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from service.errors import WorkbookDamaged, WorkbookForbiddenXml, WorkbookRefused, WorkbookTooLarge
from service.workbook import Section
from service.workbook._xml import check_form
from service.workbook.columns import column_index

SHEET = "xl/worksheets/sheet1.xml"
BOOK = "xl/workbook.xml"
STYLES = "xl/styles.xml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
Change = Callable[[bytes], bytes]


def put(old: bytes, new: bytes, count: int = -1) -> Change:
    """Return the change that puts one text in the place of another, which must stand there."""

    def change(content: bytes) -> bytes:
        assert old in content
        return content.replace(old, new, count)

    return change


def changed(room: Any, part: str, change: Change) -> bytes:
    """Return a usual workbook with one part changed, or added."""
    parts = room.parts(room.case("baseline_5q.xlsx"))
    return bytes(room.packed(parts | {part: change(parts.get(part, b""))}))


def with_chain(room: Any, chain: bytes) -> bytes:
    """Return a workbook with a calculation chain."""
    relation = f'<Relationship Id="rId99" Type="{RELATIONS}/calcChain" Target="calcChain.xml"/></Relationships>'
    parts = room.parts(room.case("baseline_5q.xlsx"))
    name = "xl/_rels/workbook.xml.rels"
    parts[name] = parts[name].replace(b"</Relationships>", relation.encode())
    return bytes(room.packed(parts | {"xl/calcChain.xml": chain}))


def round_trip(room: Any, content: bytes) -> bytes:
    """Read, fill, filter and adopt a workbook, and look at it each time; return it filled."""
    reading = room.read(content)
    filled = room.write(content, room.answered(reading), Section("Run", ()), flagged=True)
    assert [answer.text for answer in room.read(filled).given.values()] == ["The new answer."] * len(reading.rows)
    adopted = room.adopt(filled, every=True)
    assert len(adopted.adopted) == len(reading.rows)
    for made in (filled, adopted.content):
        for name, part in room.parts(made).items():
            if name.endswith((".xml", ".rels")):
                check_form([part])
    return bytes(filled)


HARMLESS: dict[str, tuple[str, Change]] = {
    "cells out of order": (SHEET, lambda xml: re.sub(rb"(<row [^>]*>)(<c .*?</c>)(<c .*?</c>)", rb"\1\3\2", xml)),
    "a cell twice": (SHEET, lambda xml: re.sub(rb"(<c r=\"B\d.*?</c>)", rb"\1\1", xml)),
    "an empty cell after one that holds something": (
        SHEET,
        lambda xml: re.sub(rb"(<c r=\"(B\d+)\".*?</c>)", rb'\1<c r="\2"/>', xml),
    ),
    "rows in a comment before the rows": (SHEET, put(b"<sheetData>", b"<!-- <sheetData> --><sheetData>")),
    "an instruction after the root": (SHEET, lambda xml: xml + b"<?end of=it?>"),
    "a comment after the root": (SHEET, lambda xml: xml + b"<!-- </sheetData> -->"),
    "> in an attribute of each row": (SHEET, put(b"<row ", b'<row note="a > b" ')),
    "> in an attribute of each cell": (SHEET, put(b"<c ", b"<c note='a \"> b' ")),
    "> in a text": (
        SHEET,
        lambda xml: re.sub(rb"(<c r=\"B2\").*?</c>", rb'\1 t="inlineStr"><is><t>a > b</t></is></c>', xml),
    ),
    "numbers of rows as entities": (SHEET, lambda xml: re.sub(rb'<row r="(\d)"', rb'<row r="&#x3\1;"', xml)),
    "references of cells as entities": (SHEET, lambda xml: re.sub(rb' r="([A-Z]+)(\d)"', rb" r='\1&#x3\2;'", xml)),
    "widths of columns that have no number": (
        SHEET,
        put(b"<sheetData>", b'<cols><col min="x" max=""/></cols><sheetData>'),
    ),
    "a filter over a column that has no number": (
        SHEET,
        put(b"</sheetData>", b'</sheetData><autoFilter ref="A1:AA6"><filterColumn colId="first"/></autoFilter>'),
    ),
    "a number format that has no number": (
        STYLES,
        lambda xml: re.sub(
            rb"(<styleSheet[^>]*>)(?:<numFmts.*?</numFmts>)?",
            rb'\1<numFmts count="1"><numFmt numFmtId="x" formatCode="0.000"/></numFmts>',
            xml,
        ),
    ),
    "empty styles": (STYLES, lambda _: f'<styleSheet xmlns="{MAIN}"/>'.encode()),
    "empty styles with a prefix": (STYLES, lambda _: f'<x:styleSheet xmlns:x="{MAIN}"></x:styleSheet>'.encode()),
    "sheet numbers that are none": (BOOK, lambda xml: re.sub(rb'sheetId="\d+"', b'sheetId="one"', xml)),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_odd_and_harmless_runs_right(room: Any, name: str) -> None:
    """Such a file is read, filled, filtered and adopted, and each of its parts is well-formed afterwards."""
    content = round_trip(room, changed(room, *HARMLESS[name]))
    xml = room.parts(content)[SHEET].decode()
    for row in re.findall("<row .*?</row>", xml, re.DOTALL):
        letters = [column_index(found) for found in re.findall(r"""<c [^<]*?\br=["']([A-Z]+)""", row)]
        assert letters == sorted(set(letters))


CHAIN = f'<calcChain xmlns="{MAIN}">'.encode()


@pytest.mark.parametrize(
    ("chain", "kept"),
    [
        (CHAIN + b'<c r="AD2" i="1"/>' * 1_200_000 + b"</calcChain>", True),
        (CHAIN + b'<c r="J2" i="1"/></calcChain>', False),
        (CHAIN + b'<c r="AD2"', False),
    ],
    ids=["larger than any other part", "names a written cell", "broken"],
)
def test_any_calculation_chain_will_do(room: Any, chain: bytes, kept: bool) -> None:
    """It stays when no written cell stands in it, however large it is; Excel makes a dropped one anew."""
    content = with_chain(room, chain)
    reading = room.read(content)
    parts = room.parts(room.write(content, room.answered(reading)))
    assert ("xl/calcChain.xml" in parts) is kept


REFUSED: dict[str, tuple[str, Change, type[WorkbookRefused], str]] = {
    "styles cut off": (STYLES, lambda xml: xml[:-20], WorkbookDamaged, "xl/styles.xml"),
    "styles with a DTD": (STYLES, put(b"<styleSheet", b"<!DOCTYPE a><styleSheet", 1), WorkbookForbiddenXml, "DTD"),
    "properties with a DTD": ("docProps/app.xml", lambda _: b"<!DOCTYPE a><a/>", WorkbookForbiddenXml, "DTD"),
    "own properties with a DTD": ("docProps/custom.xml", lambda _: b"<!DOCTYPE a><a/>", WorkbookForbiddenXml, "DTD"),
    "own properties cut off": (
        "docProps/custom.xml",
        lambda _: b"<Properties>",
        WorkbookDamaged,
        "docProps/custom.xml",
    ),
    "content types cut off": ("[Content_Types].xml", lambda xml: xml[:-5], WorkbookDamaged, "[Content_Types].xml"),
    "relations cut off": ("_rels/.rels", lambda xml: xml[:-5], WorkbookDamaged, "_rels/.rels"),
    "the workbook nested deeply": (
        BOOK,
        put(b"</workbook>", b"<a>" * 300_000 + b"</a>" * 300_000 + b"</workbook>"),
        WorkbookDamaged,
        "more than 200 times",
    ),
    "a row of 17 MB": (
        SHEET,
        put(b"</row>", b"<ext>" + b"x" * 17_000_000 + b"</ext></row>", 1),
        WorkbookTooLarge,
        "row 1",
    ),
    "a row in a row": (SHEET, put(b"<row ", b'<row r="1"><row ', 1), WorkbookDamaged, "row 1 holds another row"),
    "rows twice": (SHEET, put(b"</sheetData>", b"</sheetData><sheetData></sheetData>"), WorkbookDamaged, "rows twice"),
    "rows within the rows": (SHEET, put(b"</sheetData>", b"<sheetData/></sheetData>"), WorkbookDamaged, "rows twice"),
    "a row that holds a row": (
        SHEET,
        lambda xml: re.sub(rb"(<row .*?</row>)(<row .*?)</row>", rb"\2\1</row>", xml, count=1),
        WorkbookDamaged,
        "holds another row",
    ),
    "a cell that holds a cell": (SHEET, put(b"</c>", b"<c/></c>", 1), WorkbookDamaged, "by itself"),
    "an empty cell in a column no sheet has": (
        SHEET,
        put(b"</row>", b'<c r="ZZZ1"/></row>', 1),
        WorkbookDamaged,
        "ZZZ",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_written_is_refused_when_it_is_read(room: Any, name: str) -> None:
    """Before anything is asked, one sentence names the part or the row."""
    part, change, kind, said = REFUSED[name]
    with pytest.raises(kind) as refused:
        room.read(changed(room, part, change))
    assert said in refused.value.message


def test_a_table_cut_off_is_refused_when_it_is_read(room: Any) -> None:
    """The filtered download would have to change it."""
    content = room.case("excel_table_A1_AA5.xlsx")
    part = next(name for name in room.parts(content) if "tables/" in name)
    parts = room.parts(content)
    parts[part] = parts[part][:-9]
    with pytest.raises(WorkbookDamaged, match="tables/"):
        room.read(room.packed(parts))


def test_columns_find_room_in_a_sheet_that_is_used_to_its_end(room: Any) -> None:
    """With something in the last column there is, what has no free letter fills the gaps; nothing is overwritten."""
    content = room.sheet(["Question", "Assistant", *[""] * 7, "owner"], ["Why?", "HR", *[""] * 7, "Kim"])
    content = room.changed(content, SHEET, "</row></sheetData>", '<c r="XFD2"><v>7</v></c></row></sheetData>')
    sheet = room.opened(round_trip(room, content))["Set"]
    assert (sheet["J2"].value, sheet["XFD2"].value) == ("Kim", 7)
    assert (sheet["C1"].value, sheet["C2"].value) == ("answer", "The new answer.")


def test_sheets_are_counted_anew_when_run_is_removed(room: Any) -> None:
    """The view names the sheets that were shown, though `Run` stood before them."""
    content = room.sheet(["Question", "Assistant"], ["Why?", "HR"])
    filled = room.write(content, room.answered(room.read(content)), Section("Run", ()))
    parts = room.parts(filled)
    sheets = re.findall(rb"<sheet .*?/>", parts[BOOK])
    other = re.sub(rb"<sheets>.*</sheets>", b"<sheets>" + b"".join(reversed(sheets)) + b"</sheets>", parts[BOOK])
    parts[BOOK] = re.sub(rb"<workbookView[^>]*>", b'<workbookView firstSheet="1" activeTab="1"/>', other)
    views = re.findall(rb"<workbookView.*?>", room.parts(room.adopt(room.packed(parts)).content)[BOOK])
    assert views == [b'<workbookView activeTab="0" firstSheet="0"/>']
