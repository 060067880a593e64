"""Sentences of an answer: prose, lists and tables, in four languages."""

import re
import textwrap
from collections.abc import Iterator
from functools import cache

from flags._local import _lexicon

_END = re.compile(r"[.!?…]{1,3}[\"'”’»)\]]{0,2}(?=\s|$)|[。！？]")
_ITEM = re.compile(r"^\s{0,40}(?:[-*•–▪◦·]|\(?\d{1,3}[.)]|\(?[a-zA-Z]\)|#{1,6})\s+(?=\S)")
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|`{1,3}|<br\s{0,3}/?>", re.IGNORECASE)
_RULE = re.compile(r"[\s|:=_*-]+")
_LAST_WORD = re.compile(r"(\w+)\.$")
_ORDINAL = re.compile(r"\b(?:am|vom|bis|zum|zur|der|die|das|den|dem|des|im|seit|ab)\s\d{1,2}\.$", re.IGNORECASE)
_MONTH = re.compile(r"(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)[a-zä]{0,6}\b")
_MOST = 300
_LONGEST = 2000
"""Characters of a sentence; what goes on longer is a list, and is read in pieces."""


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, list items and table rows; at most 300, longer texts in larger pieces."""
    found = [sentence for line in text.splitlines() for sentence in _of_line(line)]
    if len(found) <= _MOST:
        return tuple(found)
    size = -(-len(found) // _MOST)
    return tuple(" ".join(found[start : start + size]) for start in range(0, len(found), size))


def _of_line(line: str) -> Iterator[str]:
    line = _EMPHASIS.sub("", _ITEM.sub("", line)).strip()
    if _RULE.fullmatch(line):
        return
    if line.startswith("|"):
        line = " – ".join(cell.strip() for cell in line.strip("|").split("|") if cell.strip())
    start = 0
    for match in _END.finditer(line):
        if _goes_on(line, match):
            continue
        yield from textwrap.wrap(line[start : match.end()].strip(), _LONGEST, break_on_hyphens=False)
        start = match.end()
    yield from textwrap.wrap(line[start:].strip(), _LONGEST, break_on_hyphens=False)


def _goes_on(line: str, end: "re.Match[str]") -> bool:
    """Tell whether a full stop belongs to an abbreviation, an ordinal (`12. Juli`) or initials."""
    following = line[end.end() : end.end() + 40].lstrip()
    if end[0][0] not in ".…" or not following:
        return False
    if following[0].islower():
        return True
    before = line[max(0, end.start() - 30) : end.end()]
    word = _LAST_WORD.search(before)
    if word is None:
        return False
    if word[1].isdigit():
        return bool(_ORDINAL.search(before)) or bool(re.match(r"\d{1,2}$", word[1]) and _MONTH.match(following))
    return word[1].casefold() in _abbreviations() or (len(word[1]) == 1 and word[1].isupper())


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(_lexicon.words("abbreviations")["all"])
