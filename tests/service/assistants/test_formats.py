"""One reader a file format."""

import io
from collections.abc import Iterable

import docx
import pypdf
import pytest
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from service.assistants._formats import Unreadable, read_pieces


def pdf(pages: Iterable[Iterable[str]], password: str = "") -> bytes:
    """Return a PDF with a line of text each."""
    writer = pypdf.PdfWriter()
    for lines in pages:
        page = writer.add_blank_page(595, 842)
        font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
        fonts = DictionaryObject({NameObject(key): NameObject(value) for key, value in font.items()})
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): fonts})}
        )
        stream = DecodedStreamObject()
        shown = " ".join(f"({line}) Tj T*" for line in lines)
        stream.set_data(f"BT /F1 11 Tf 50 780 Td 14 TL {shown} ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(stream)
    if password:
        writer.encrypt(password)
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def word_file() -> bytes:
    """Return a docx with headings, a list and a table."""
    document = docx.Document()
    document.add_heading("Staff handbook", level=0)
    document.add_heading("Leave", level=2)
    document.add_paragraph("Leave is 28 days.")
    document.add_paragraph("passport", style="List Bullet")
    document.add_paragraph("")
    table = document.add_table(rows=2, cols=2)
    for row, cells in zip(table.rows, (("Grade", "Days"), ("Senior", "30")), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def test_a_pdf_keeps_its_pages_and_loses_its_running_heads() -> None:
    """What stands at the edge of every page is no part of the text."""
    pages = [["Handbook 2027", f"Rule {at} says something of its own.", f"Page {at} of 3"] for at in (1, 2, 3)]
    pieces = read_pieces(".pdf", pdf(pages))
    assert [(piece.text, piece.page) for piece in pieces] == [
        (f"Rule {at} says something of its own.", at) for at in (1, 2, 3)
    ]


def test_a_pdf_without_blank_lines_still_has_headings() -> None:
    """A short line between others is one; a line broken by the page's width is not."""
    lines = [
        "Reporting a claim",
        "Time limits",
        "Damage must be reported within thirty days of the day on which it was noticed by the",
        "Member or by somebody else.",
        "What to send",
        "A claim needs photos.",
    ]
    pieces = read_pieces(".pdf", pdf([lines]))
    assert [(piece.kind, piece.level) for piece in pieces if piece.kind == "heading"] == [
        ("heading", 1),
        ("heading", 2),
        ("heading", 2),
    ]
    assert [piece.text for piece in pieces if piece.kind == "text"] == [" ".join(lines[2:4]), "A claim needs photos."]


def test_a_word_file_keeps_headings_lists_and_tables() -> None:
    """A table row is a sentence that can stand alone."""
    pieces = read_pieces(".docx", word_file())
    assert [(piece.kind, piece.text, piece.level) for piece in pieces] == [
        ("heading", "Staff handbook", 1),
        ("heading", "Leave", 2),
        ("text", "Leave is 28 days.", 0),
        ("item", "passport", 0),
        ("row", "Grade: Senior; Days: 30", 0),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_text_is_read_in_the_encoding_it_was_saved_in(encoding: str) -> None:
    """Editors on Windows save as they like."""
    text = "Die Kündigungsfrist beträgt für alle Angestellten drei Monate. Überstunden müssen gemeldet werden."
    assert read_pieces(".txt", text.encode(encoding))[0].text == text


BROKEN = [
    (".pdf", b"no pdf at all", "damaged or no pdf file"),
    (".docx", b"PK\x03\x04 no zip", "damaged or no docx file"),
    (".pdf", pdf([["secret"]], password="x"), "protected by a password"),
    (".pdf", pdf([[]]), r"holds no text \(a scan\?\)"),
    (".txt", b"  \n ", "holds no text"),
    (".txt", bytes(range(128, 256)) * 3 + b"\x00\x01\x02", "encoding is unknown"),
]


@pytest.mark.parametrize(("suffix", "content", "problem"), BROKEN, ids=lambda value: str(value)[:20])
def test_what_cannot_be_read_says_why(suffix: str, content: bytes, problem: str) -> None:
    """The person can mend the file."""
    with pytest.raises(Unreadable, match=problem):
        read_pieces(suffix, content)
