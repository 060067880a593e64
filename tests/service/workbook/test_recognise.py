"""What a file is is told by its content, and each kind that cannot run has a sentence of its own."""

import io
import struct
import zipfile
from typing import Any

import pytest

from service.errors import WorkbookRefused

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 100


def ole(name: str) -> bytes:
    return OLE + name.encode("utf-16-le") + b"\x00\x00" + b"\x00" * 100


def archive(*names: str, **texts: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name in names:
            packed.writestr(name, texts.get(name.replace(".", "_"), ""))
    return out.getvalue()


def with_types(text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("[Content_Types].xml", text)
        packed.writestr("xl/workbook.bin", "")
    return out.getvalue()


KINDS = [
    (b"", "workbook_empty_file"),
    (ole("Workbook"), "workbook_old_xls"),
    (ole("EncryptedPackage"), "workbook_encrypted"),
    (ole("WordDocument"), "workbook_other_document"),
    (ole("PowerPoint Document"), "workbook_other_document"),
    (OLE, "workbook_damaged"),
    (archive("mimetype", mimetype="application/vnd.oasis.opendocument.spreadsheet"), "workbook_ods"),
    (archive("mimetype", mimetype="application/vnd.oasis.opendocument.text"), "workbook_other_document"),
    (archive("word/document.xml"), "workbook_other_document"),
    (archive("ppt/presentation.xml"), "workbook_other_document"),
    (archive("Index/Tables/x.iwa"), "workbook_other_document"),
    (archive("readme.txt"), "workbook_other_document"),
    (archive("xl/workbook.xml"), "workbook_damaged"),
    (with_types("application/vnd.ms-excel.sheet.binary.macroEnabled.main"), "workbook_xlsb"),
    (with_types("application/vnd.ms-excel.sheet.macroEnabled.main+xml"), "workbook_macros"),
    (b"PK\x03\x04 and nothing more", "workbook_damaged"),
    (b"PK\x05\x06" + bytes(18), "workbook_other_document"),
    (b"%PDF-1.7", "workbook_other_document"),
    (b"\x89PNG\r\n", "workbook_other_document"),
    (b"<html><table>", "workbook_html"),
    (b"\xef\xbb\xbf  <!DOCTYPE html>", "workbook_html"),
    (b'<?xml version="1.0"?><Workbook/>', "workbook_xml"),
    (b'<?xml version="1.0"?><html/>', "workbook_html"),
    (b"\x00\x01\x02\x03", "workbook_unrecognised"),
    (b"   \n", "workbook_unrecognised"),
]


@pytest.mark.parametrize(("content", "code"), KINDS, ids=[f"{code}-{place}" for place, (_, code) in enumerate(KINDS)])
def test_each_kind_of_file_is_named(room: Any, content: bytes, code: str) -> None:
    """The code tells a program, the sentence tells a person what to do."""
    with pytest.raises(WorkbookRefused) as refused:
        room.read(content, "set.xlsx")
    assert refused.value.code == code


def test_text_is_csv_unless_its_name_claims_a_workbook() -> None:
    """A CSV named .xlsx is believed to be a workbook by the person who sends it: they are told."""
    from service.workbook._recognise import recognise

    assert recognise(b"Question,Assistant\n", "set.csv") == "csv"
    assert recognise("Frage;Assistent\n".encode("utf-16"), "") == "csv"
    assert recognise(b"PKW;Frage;Assistent\n", "set.csv") == "csv"
    with pytest.raises(WorkbookRefused, match="CSV or text"):
        recognise(b"Question,Assistant\n", "set.XLSX")


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"file_mb": 0}, "the file exceeds 0 MB"),
        ({"entries": 3}, "number of its parts exceeds 3"),
        ({"part_mb": 0}, "unpacked exceeds 0 MB"),
        ({"total_mb": 0}, "unpacked workbook exceeds 0 MB"),
        ({"strings": 5}, "number of its texts exceeds 5"),
    ],
)
def test_limits_are_counted_on_real_bytes(room: Any, limits: dict[str, int], words: str) -> None:
    """Each limit is a setting, and the sentence names the one that was met."""
    with pytest.raises(WorkbookRefused, match=words):
        room.read(room.case("baseline_5q.xlsx"), **limits)


def test_a_lie_about_size_or_checksum_is_found(room: Any) -> None:
    """The directory of the zip is not believed."""
    content = room.packed(room.parts(room.case("baseline_5q.xlsx")))
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        crc = packed.getinfo("xl/worksheets/sheet1.xml").CRC
    lying = content.replace(struct.pack("<I", crc), struct.pack("<I", crc ^ 1))
    with pytest.raises(WorkbookRefused, match="checksum"):
        room.read(lying)


def test_two_parts_of_one_name_are_refused(room: Any) -> None:
    """Which of them counts would be a matter of taste, and a way to hide one."""
    parts = room.parts(room.case("baseline_5q.xlsx"))
    parts["XL/Workbook.xml"] = b""
    with pytest.raises(WorkbookRefused, match="two parts named"):
        room.read(room.packed(parts))


def test_a_workbook_that_does_not_say_where_its_sheets_stand_is_damaged(room: Any) -> None:
    """Nobody is told to unhide a sheet that is visible."""
    parts = room.parts(room.case("baseline_5q.xlsx"))
    del parts["xl/_rels/workbook.xml.rels"]
    with pytest.raises(WorkbookRefused, match="does not say where its sheets stand"):
        room.read(room.packed(parts))


SHEETS = [
    ('<row r="2"/><row r="2"/>', "row 2 stands after row 2"),
    ('<row r="9999999"/>', "beyond the last one a sheet has"),
    ('<row r="x"/>', "impossible number"),
    ('<row r="2"><c r="ZZZ2"><v>1</v></c></row>', "beyond the last one"),
    ('<row r="2"><c r="é2"><v>1</v></c></row>', "impossible column"),
    ('<row r="2"><c r="B2" t="s"><v>99999</v></c></row>', "names the text “99999”"),
    ('<row r="2"><c r="B2" t="s"><v>x</v></c></row>', "names the text “x”"),
    ('<row r="2"><c r="B2"><v>&nope;</v></c></row>', "not well-formed"),
    ('<row r="2"><c r="B2"><v>&#0;</v></c></row>', "not well-formed"),
    ('<row r="2"><c r="B2"><v>\x01</v></c></row>', "not well-formed"),
]


@pytest.mark.parametrize(("rows", "words"), SHEETS)
def test_impossible_rows_and_cells_are_named(room: Any, rows: str, words: str) -> None:
    """A sheet no program writes is refused with what is wrong in it."""
    parts = room.parts(room.sheet(["Question", "Assistant"]))
    name = "xl/worksheets/sheet1.xml"
    parts[name] = parts[name].replace(b"</sheetData>", rows.encode() + b"</sheetData>")
    with pytest.raises(WorkbookRefused, match=words):
        room.read(room.packed(parts))
