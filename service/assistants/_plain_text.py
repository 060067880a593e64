"""Lines into paragraphs: plain text, and what comes out of a PDF's page."""

import re
from collections.abc import Iterable, Iterator, Sequence

from service.assistants._pieces import Piece, tidy

_BULLET = re.compile(r"^\s*(?:[-*•–▪◦·]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+(?=\S)")
_NUMBERED_HEADING = re.compile(r"^(?:§\s?\d+\w?|\d{1,2}(?:\.\d{1,2}){0,3}\.?|[A-Z]\.)\s+\S")
_END = re.compile(r"[.!?:;,…]['\"»”’)]?$")
_HYPHEN = re.compile(r"(?<=[a-zäöüßàèéìòù])-$")
_HEADING_AT_MOST = 80
_RUNNING_AT_MOST = 60
_SHORT = 0.6
"""Part of the longest line beyond which a line was broken by the page's width, and is no title."""


def paragraphs(lines: Sequence[str], page: int = 0, *, titles: bool = True) -> Iterator[Piece]:
    """Yield headings, paragraphs and list items; lines that a page width broke are joined again.

    With a page the lines come from a PDF, where blank lines are lost: a short line between others is a heading too.
    Without `titles` no line is taken for a heading.
    """
    width = max(map(len, lines), default=0) if page else 0
    kept: list[str] = []
    level = 1 if page <= 1 else 2
    for at, line in enumerate(lines):
        heading = titles and _is_heading(lines, at, width, after_heading=not kept)
        if not line.strip() or _BULLET.match(line) or heading:
            yield from _piece(kept, page)
            kept = []
        if heading:
            yield Piece("heading", tidy(line), page, level)
        elif line.strip():
            kept.append(line)
        if line.strip():
            level = 2
    yield from _piece(kept, page)


def without_running_heads(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the pages without the lines that stand at the edge of most of them: heads, feet, page numbers."""
    if len(pages) < 3:
        return [list(lines) for lines in pages]
    counts: dict[str, int] = {}
    for lines in pages:
        for edge in {_shape(line) for line in _edges(lines)}:
            counts[edge] = counts.get(edge, 0) + 1
    running = {edge for edge, count in counts.items() if edge and count > len(pages) / 2}
    return [[line for at, line in enumerate(lines) if not _runs(lines, at, running)] for lines in pages]


def _piece(lines: Iterable[str], page: int) -> Iterator[Piece]:
    text = ""
    bullet = False
    for line in lines:
        if not text:
            bullet = bool(_BULLET.match(line))
            text = _BULLET.sub("", line).strip()
        elif _HYPHEN.search(text) and line.strip()[:1].islower():
            text = text[:-1] + line.strip()
        else:
            text = f"{text} {line.strip()}"
    if text:
        yield Piece("item" if bullet else "text", tidy(text), page)


def _is_heading(lines: Sequence[str], at: int, width: int, *, after_heading: bool) -> bool:
    """Tell whether a line stands like a title: short, without a full stop, after a blank line or a finished one."""
    line = lines[at].strip()
    if not line or len(line) > _HEADING_AT_MOST or _END.search(line) or not any(map(str.isalpha, line)):
        return False
    before = lines[at - 1].strip() if at else ""
    after = lines[at + 1].strip() if at + 1 < len(lines) else ""
    if _BULLET.match(line) and not _NUMBERED_HEADING.match(line):
        return False
    if before and not _END.search(before) and not after_heading:
        return False
    numbered = bool(_NUMBERED_HEADING.match(line)) and not _goes_on(line, after)
    alone = not before and not after
    short = len(line) < width * _SHORT and bool(after) and not after[0].islower()
    return numbered or alone or short


def _goes_on(line: str, after: str) -> bool:
    return len(line) > _HEADING_AT_MOST * 2 / 3 and after[:1].islower()


def _edges(lines: Sequence[str]) -> list[str]:
    filled = [line for line in lines if line.strip()]
    return [*filled[:2], *filled[-2:]]


def _runs(lines: Sequence[str], at: int, running: set[str]) -> bool:
    return _shape(lines[at]) in running and lines[at] in _edges(lines)


def _shape(line: str) -> str:
    """Return what running lines share: their words, and for short ones no numbers, which count the pages."""
    text = tidy(line).casefold()
    counts = len(text) <= _RUNNING_AT_MOST and not text.endswith((".", "!", "?"))
    return re.sub(r"\d+", "#", text) if counts else text
