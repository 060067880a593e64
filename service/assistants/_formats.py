"""One reader a file format; what cannot be read raises `Unreadable` with the reason."""

from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

from service.assistants._markup import html, markdown
from service.assistants._pieces import Piece, table_rows, tidy
from service.assistants._plain_text import paragraphs, without_running_heads


class Unreadable(Exception):
    """A file that holds no text flagbook can take."""


def read_pieces(suffix: str, content: bytes) -> tuple[Piece, ...]:
    """Return the pieces of a file's content; raise `Unreadable` when there are none."""
    try:
        pieces = tuple(piece for piece in READERS[suffix](content) if piece.text)
    except Unreadable:
        raise
    except Exception as error:
        raise Unreadable(f"it is damaged or no {suffix[1:]} file ({type(error).__name__})") from error
    if not pieces:
        raise Unreadable("it holds no text" + (" (a scan?)" if suffix == ".pdf" else ""))
    return pieces


def _decoded(content: bytes) -> str:
    for encoding in ("utf-8-sig", "utf-16") if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig",):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    from charset_normalizer import from_bytes

    best = from_bytes(content).best()
    if best is None:
        raise Unreadable("its encoding is unknown; save it as UTF-8")
    return str(best)


def _text(content: bytes) -> Iterator[Piece]:
    return paragraphs(_decoded(content).splitlines())


def _markdown(content: bytes) -> Iterator[Piece]:
    return markdown(_decoded(content))


def _html(content: bytes) -> Iterator[Piece]:
    return html(_decoded(content))


def _pdf(content: bytes) -> Iterator[Piece]:
    import pypdf

    reader = pypdf.PdfReader(BytesIO(content))
    if reader.is_encrypted and not reader.decrypt(""):
        raise Unreadable("it is protected by a password")
    pages = [page.extract_text().splitlines() for page in reader.pages]
    for number, lines in enumerate(without_running_heads(pages), start=1):
        yield from paragraphs(lines, number)


def _docx(content: bytes) -> Iterator[Piece]:
    import docx
    from docx.table import Table

    for element in docx.Document(BytesIO(content)).iter_inner_content():
        if isinstance(element, Table):
            yield from table_rows([[tidy(cell.text) for cell in row.cells] for row in element.rows])
        elif element.text.strip():
            yield _paragraph(element)


def _paragraph(paragraph: Any) -> Piece:
    style = (paragraph.style.name or "") if paragraph.style is not None else ""
    if style == "Title" or style.startswith("Heading"):
        level = style.removeprefix("Heading").strip()
        return Piece("heading", tidy(paragraph.text), level=int(level) if level.isdigit() else 1)
    return Piece("item" if style.startswith("List") else "text", tidy(paragraph.text))


READERS: dict[str, Callable[[bytes], Iterator[Piece]]] = {
    ".txt": _text,
    ".md": _markdown,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
    ".docx": _docx,
}
