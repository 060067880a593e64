"""Sources as people write them in one cell, and which of them are the same document."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from sys import intern
from urllib.parse import unquote

from flags._case import Source

_EXTENSION = r"\.(?:pdf|docx?|xls[xm]?|pptx?|txt|md|html?|csv|json|xml|eml|msg|od[tsp]|rtf)"
_PAGE_WORD = r"(?:pages?|pp?\.|pg\.?|seiten?|s\.|pagin[ae]|pagg?\.)"
_RANGE = r"\d{1,5}(?:\s?[-–]\s?\d{1,5})?"
_PAGE_LIST = rf"{_RANGE}(?:\s?[,/+&]\s?{_RANGE})*"
_PAGES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\s:\s?(?:{_PAGE_WORD}\s?)?(?P<pages>{_PAGE_LIST})$",
        rf"(?:[,\s]\s?\(?|\(){_PAGE_WORD}\s?(?P<pages>{_PAGE_LIST})\s?\)?$",
        rf"(?:(?<=\.[a-z]{{2}})|(?<=\.[a-z]{{3}})|(?<=\.[a-z]{{4}})):\s?(?P<pages>{_PAGE_LIST})$",
        r"#page=(?P<pages>\d{1,5})$",
    )
)
_PAGES_ALONE = re.compile(rf"(?:{_PAGE_WORD}\s?)?({_PAGE_LIST})", re.IGNORECASE)
_ENDS_IN_EXTENSION = re.compile(rf"{_EXTENSION}$", re.IGNORECASE)
_COMMA_AFTER_EXTENSION = re.compile(rf"({_EXTENSION}),\s", re.IGNORECASE)
_BREAK = re.compile(r";(?!\w{1,30}=)")
_LINK = re.compile(r"\[([^\[\]]{1,1000})\]\(\s?<?([^\s()<>]{1,2000})>?\s?\)")
_MARK = re.compile(r"^(?:\[\*{0,2}(?:source:?\s?)?\d{1,4}\*{0,2}\](?!\()|<sup>\d{1,4}</sup>|[-*•–](?=\s))\s?")
_NUMBERED = re.compile(r"^(\d{1,3})[.)]\s(?=\S)")
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,20}://\S+", re.IGNORECASE)
_CONTENT = re.compile(r"(?:unique://content/)?(cont_[a-z0-9]+)(?:_.*)?|unique://content/([^/?#\s]+).*", re.IGNORECASE)
_USUAL = re.compile(r"(?:\[\d{1,4}\] )?+(\w[\w .-]*+)(?:: (\d{1,5}(?:, ?\d{1,5})*+))?+")
_PUNCTUATION = re.compile(r"[\s_\-–—.,;:'\"’“”()\[\]]+")
_NOTHING = frozenset({"-", "–", "n/a", "none", "keine", "aucune", "nessuna"})
_TAIL = 300
"""Pages stand at the end of a line: only so many characters are looked at."""


def parse_sources(text: str) -> tuple[Source, ...]:
    """Return the sources named in one cell, in order: one a line; `;` and markdown links are understood too."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    lines = [line for line in lines if line and line.casefold() not in _NOTHING]
    return tuple(source for line in _without_numbers(lines) for source in _sources_of(line))


def format_sources(sources: Iterable[Source]) -> str:
    """Return the sources as one cell: `[1] name : pages`, one a line, readable by `parse_sources`."""
    return "\n".join(f"[{number}] {_written(source)}" for number, source in enumerate(sources, start=1))


def documents(sources: Iterable[Source]) -> frozenset[str]:
    """Return what tells the sources' documents apart: content id, else URL, else name without pages and extension."""
    return frozenset(_identity(source) or _name_key(source.name) for source in sources)


def missing_sources(reference: Iterable[Source], new: Iterable[Source]) -> tuple[Source, ...]:
    """Return the reference's documents that are not among the new ones, each once.

    A cell holds names, an assistant may know identities: identities decide where both sides know one of the same
    kind (content id, URL, other), names where they do not.
    """
    known = {_fingerprint(source) for source in new}
    wanted: dict[tuple[str, str, str], Source] = {}
    for source in reference:
        wanted.setdefault(_fingerprint(source), source)
    return tuple(source for one, source in wanted.items() if not any(_same(one, other) for other in known))


def _without_numbers(lines: list[str]) -> list[str]:
    """Take the list numbers off a cell whose lines count 1., 2., 3.; a single `1.` may belong to a name."""
    if len(lines) < 2 or not lines[0][0].isdecimal():
        return lines
    numbers = [match and int(match[1]) for match in map(_NUMBERED.match, lines)]
    counted = numbers == list(range(1, len(lines) + 1))
    return [_NUMBERED.sub("", line) for line in lines] if counted else lines


def _sources_of(line: str) -> list[Source]:
    usual = _USUAL.fullmatch(line) if len(line) < _TAIL else None
    if usual:  # a name, and pages after ` : `; nothing else can be meant, and nearly every line is like this
        name, pages = usual.groups()
        if name[-1] == " " if pages else name[-1].isalpha():
            # the same few documents stand in many rows
            return [Source(name=intern(name.rstrip()), pages=intern(pages or ""))]
    found: list[Source] = []
    for entry in _entries(line):
        alone = _PAGES_ALONE.fullmatch(entry)
        if alone and found:
            found[-1] = replace(found[-1], pages=", ".join(filter(None, (found[-1].pages, alone[1]))))
        else:
            found.append(_source(entry))
    return [source for source in found if source.name]


def _entries(line: str) -> Iterator[str]:
    """Yield the parts of a line that name one source each; markdown links stay whole."""
    start = 0
    for link in _LINK.finditer(line):
        yield from _split(line[start : link.start()])
        yield link[0]
        start = link.end()
    yield from _split(line[start:])


def _split(text: str) -> Iterator[str]:
    for part in _BREAK.split(_COMMA_AFTER_EXTENSION.sub(r"\1;", text)):
        entry = _MARK.sub("", part.strip(" ,"))
        if entry.strip(" ,.:;"):
            yield entry


def _source(entry: str) -> Source:
    link = _LINK.fullmatch(entry)
    label = link[2] if link and link[1].isdigit() else link[1] if link else entry
    name, pages = _name_and_pages(label)
    if link:
        return Source(name=name, pages=pages, identity=link[2])
    return Source(name=name, pages=pages, identity=name if _URL.fullmatch(name) else "")


def _name_and_pages(text: str) -> tuple[str, str]:
    head, tail = text[:-_TAIL], text[-_TAIL:]
    for pattern in _PAGES:
        if match := pattern.search(tail):
            return (head + tail[: match.start()]).rstrip(" ,"), " ".join(match["pages"].split())
    return text, ""


def _written(source: Source) -> str:
    """Return one line that reads back as this source alone."""
    name = " ".join((source.name or source.identity).split())
    name = name if _URL.fullmatch(name) else name.replace(";", ",")
    name = _COMMA_AFTER_EXTENSION.sub(r"\1 - ", name)
    return f"{name} : {source.pages}" if source.pages else name


def _identity(source: Source) -> str:
    """Return the normal form of a content id or URL, empty when the source knows none."""
    identity = source.identity.strip() or (source.name.strip() if _URL.fullmatch(source.name.strip()) else "")
    if match := _CONTENT.fullmatch(identity):
        return (match[1] or match[2]).casefold()
    if _URL.match(identity):
        address, _, _ = identity.partition("#")
        return unquote(address).partition("://")[2].rstrip("/").casefold()
    return identity.casefold()


def _name_key(name: str) -> str:
    """Return a name as it is compared: no pages, extension, case, accents' spelling or punctuation."""
    name, _ = _name_and_pages(" ".join(name.split()))
    if _URL.fullmatch(name):
        name = unquote(name.partition("#")[0].partition("?")[0].rstrip("/").rpartition("/")[2])
    name = _ENDS_IN_EXTENSION.sub("", unicodedata.normalize("NFKC", name).casefold())
    return _PUNCTUATION.sub(" ", name).strip() or name


def _kind(source: Source) -> str:
    identity = source.identity.strip() or source.name.strip()
    if _CONTENT.fullmatch(identity):
        return "content"
    if _URL.match(identity):
        return "url"
    return "other" if source.identity.strip() else ""


def _fingerprint(source: Source) -> tuple[str, str, str]:
    return _kind(source), _identity(source), _name_key(source.name)


def _same(one: tuple[str, str, str], other: tuple[str, str, str]) -> bool:
    if one[0] and one[0] == other[0]:
        return one[1] == other[1]
    return one[2] == other[2]
