"""Writes pages as people keep them: txt, md, html, docx, pdf. The same page gives the same bytes."""

import html
import io
import textwrap
import zipfile
from collections.abc import Callable
from pathlib import Path

from examples.generator.page import Page

LINES_A_PAGE = 46
EPOCH = (2027, 1, 4, 8, 0, 0)


def write_page(folder: Path, page: Page) -> None:
    """Write the page below the folder, in the format its ending names."""
    path = folder / page.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(FORMATS[path.suffix](page))


def _txt(page: Page) -> bytes:
    parts = [page.title.upper()]
    parts += [f"{section.heading}\n\n{textwrap.fill(' '.join(section.sentences), 88)}" for section in page.sections]
    return ("\n\n".join(parts) + "\n").encode()


def _md(page: Page) -> bytes:
    parts = [f"# {page.title}"]
    for section in page.sections:
        parts += [f"## {section.heading}", "\n".join(f"- {sentence}" for sentence in section.sentences)]
    return ("\n\n".join(parts) + "\n").encode()


def _html(page: Page) -> bytes:
    body = "\n".join(
        f"<h2>{html.escape(section.heading)}</h2>\n<p>{html.escape(' '.join(section.sentences), quote=False)}</p>"
        for section in page.sections
    )
    title = html.escape(page.title)
    head = f'<!doctype html>\n<html>\n<head><meta charset="utf-8"><title>{title}</title></head>'
    return f"{head}\n<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n".encode()


def _docx(page: Page) -> bytes:
    from docx import Document

    document = Document()
    document.add_heading(page.title, level=1)
    for section in page.sections:
        document.add_heading(section.heading, level=2)
        document.add_paragraph(" ".join(section.sentences))
    made = io.BytesIO()
    document.save(made)
    return without_clock(made.getvalue())


def without_clock(content: bytes) -> bytes:
    """Return a zip whose members carry one fixed time, so that the same content has the same bytes."""
    fixed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(fixed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name, EPOCH), old.read(name), zipfile.ZIP_DEFLATED)
    return fixed.getvalue()


def _pdf(page: Page) -> bytes:
    """Return a plain PDF in Helvetica; one content stream a page."""
    lines = [page.title, ""]
    for section in page.sections:
        lines += [section.heading, *textwrap.wrap(" ".join(section.sentences), 84), ""]
    sheets = [lines[start : start + LINES_A_PAGE] for start in range(0, len(lines), LINES_A_PAGE)]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(sheets)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, sheet in enumerate(sheets):
        stream = _pdf_stream(sheet)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
            b"/Contents %d 0 R >>" % (5 + 2 * number)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    return _pdf_file(objects)


def _pdf_stream(lines: list[str]) -> bytes:
    shown = b"\n".join(b"(%s) Tj T*" % _pdf_text(line) for line in lines)
    return b"BT /F1 11 Tf 16 TL 60 780 Td\n%s\nET" % shown


def _pdf_text(line: str) -> bytes:
    raw = line.encode("cp1252")
    return raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _pdf_file(objects: list[bytes]) -> bytes:
    made = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    made += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    made += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(made)


FORMATS: dict[str, Callable[[Page], bytes]] = {".txt": _txt, ".md": _md, ".html": _html, ".docx": _docx, ".pdf": _pdf}
