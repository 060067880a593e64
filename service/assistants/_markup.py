"""Markdown and HTML into pieces."""

import re
from collections.abc import Iterator

from service.assistants._pieces import Piece, table_rows, tidy
from service.assistants._plain_text import paragraphs

_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-{2,})\s*$")
_TABLE = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_INLINE = (
    (re.compile(r"!\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<!\w)_(?=\S)([^_]+?)(?<=\S)_(?!\w)"), r"\1"),
    (re.compile(r"`([^`]*)`"), r"\1"),
    (re.compile(r"^\s*>\s?"), ""),
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = (*_HEADINGS, "p", "li", "dt", "dd", "tr", "pre", "blockquote", "div", "section", "td")
_UNSEEN = ("script", "style", "noscript", "template", "nav", "head", "svg", "button")


def markdown(text: str) -> Iterator[Piece]:
    """Yield the pieces of a Markdown text, without its marks."""
    lines = _COMMENT.sub("", _FRONT_MATTER.sub("", text.replace("\r\n", "\n"))).split("\n")
    plain: list[str] = []
    at = 0
    while at < len(lines):
        special, after = _special(lines, at)
        if special:
            yield from paragraphs(plain, titles=False)
            yield from special
            plain = []
        elif not lines[at].lstrip().startswith("```"):
            plain.append(_without_marks(lines[at]))
        at = after
    yield from paragraphs(plain, titles=False)


def html(text: str) -> Iterator[Piece]:
    """Yield the pieces of an HTML page: what a reader sees, without navigation."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(text, "html.parser")
    for unseen in soup(_UNSEEN):
        unseen.decompose()
    for line_break in soup("br"):
        line_break.replace_with(" ")
    for table in soup("table"):
        rows = [[tidy(cell.get_text(" ")) for cell in row(("th", "td"))] for row in table("tr")]
        table.replace_with(soup.new_string("\n".join(f"\x00{piece.text}" for piece in table_rows(rows))))
    for block in soup(_BLOCKS):
        mark = f"\x01{block.name[1]}" if block.name in _HEADINGS else "\x02" if block.name == "li" else ""
        block.insert_before("\n\n" + mark)
        block.insert_after("\n\n")
    for part in soup.get_text("").replace("\x00", "\n\n\x00").split("\n\n"):
        if piece := _marked(part):
            yield piece


def _marked(part: str) -> Piece | None:
    """Return the piece of one block of text; the first character says what it was in the page."""
    text = part.strip("\n\r\t ")
    mark, rest = text[:1], tidy(text[1:])
    if mark == "\x01":
        return Piece("heading", tidy(text[2:]), level=int(text[1])) if tidy(text[2:]) else None
    if mark in ("\x00", "\x02"):
        return Piece("row" if mark == "\x00" else "item", rest) if rest else None
    return Piece("text", tidy(text)) if text else None


def _special(lines: list[str], at: int) -> tuple[list[Piece], int]:
    """Return the heading or table that begins at a line (none: []), and the line after it."""
    line, after = lines[at], lines[at + 1] if at + 1 < len(lines) else ""
    if match := _HEADING.match(line):
        return [Piece("heading", tidy(_without_marks(match[2])), level=len(match[1]))], at + 1
    if line.strip() and _UNDERLINE.match(after) and not _TABLE.match(line) and not line.startswith(("-", ">")):
        return [Piece("heading", tidy(_without_marks(line)), level=1 if "=" in after else 2)], at + 2
    if _TABLE.match(line) and _RULE.match(after):
        end = next((no for no in range(at, len(lines)) if not _TABLE.match(lines[no])), len(lines))
        rows = [_cells(lines[no]) for no in range(at, end) if not _RULE.match(lines[no])]
        return list(table_rows(rows)), end
    return [], at + 1


def _cells(line: str) -> list[str]:
    return [tidy(_without_marks(cell)) for cell in line.strip().strip("|").split("|")]


def _without_marks(line: str) -> str:
    for pattern, kept in _INLINE:
        line = pattern.sub(kept, line)
    return line
