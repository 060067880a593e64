"""Marks in an answer, and the sources they stand for: one source a document, numbered as first cited."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from flags import Source

_MARK = re.compile(r"\[(\d{1,3}(?:\s?[,;]\s?\d{1,3})*)\]")


def cite(text: str, passages: Sequence[Source]) -> tuple[str, tuple[Source, ...], tuple[int, ...]]:
    """Return the text with its marks renumbered by document, the sources cited, and marks that lead nowhere.

    A mark `[n]` means the n-th passage, counted from 1. Passages of one document become one source with all their
    pages and texts; marks that lead nowhere stay as they are.
    """
    cited: dict[str, list[int]] = {}
    lost: list[int] = []
    for number in (int(part) for match in _MARK.finditer(text) for part in re.split(r"\D+", match[1])):
        if 1 <= number <= len(passages):
            cited.setdefault(_document(passages[number - 1]), []).append(number)
        else:
            lost.append(number)
    order = {document: at for at, document in enumerate(cited, start=1)}

    def renumbered(match: "re.Match[str]") -> str:
        numbers = [int(part) for part in re.split(r"\D+", match[1])]
        known = [order[_document(passages[n - 1])] if 1 <= n <= len(passages) else n for n in numbers]
        return "[" + ", ".join(map(str, dict.fromkeys(known))) + "]"

    sources = tuple(merged(passages[n - 1] for n in dict.fromkeys(numbers)) for numbers in cited.values())
    return _MARK.sub(renumbered, text), sources, tuple(dict.fromkeys(lost))


def merged(passages: Iterable[Source]) -> Source:
    """Return one source for passages of one document."""
    found = list(passages)
    pages = sorted({page for one in found for page in re.findall(r"\d+", one.pages)}, key=int)
    texts = dict.fromkeys(one.text for one in found if one.text)
    return replace(found[0], pages=", ".join(pages), text="\n\n".join(texts))


def _document(source: Source) -> str:
    return source.identity or source.name
