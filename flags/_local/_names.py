"""Proper names, acronyms, codes and addresses."""

import re
from collections.abc import Iterator

from flags._local._dates import month_of
from flags._local._facts import Name
from flags._local._language import Language, stopwords
from flags._local._words import plain

_ADDRESSES = (
    ("email", re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")),
    ("url", re.compile(r"\b(?:https?://|www\.)[^\s<>()\[\]\"']{1,2000}")),
)
_PHONE = re.compile(r"(?<![\w+])(?:\+|00?(?=[1-9]))\d{1,4}(?:[\s/.()-]{1,2}\d{2,4}){2,6}(?!\d)")
_VERSION = re.compile(r"(?<![\w.,])v?\d{1,4}(?:\.\d{1,4}){2,5}(?![\w.]\w|\w)", re.IGNORECASE)
_CODES = re.compile(
    r"(?<![\w-])(?!(?:CHF|SFr|Fr|EUR|USD|US|GBP|JPY)\d)"
    r"(?:[A-Z][A-Za-z]{0,9}[-/]?\d\w{0,30}|[a-z]{1,6}\d\w{0,30}|\d{1,9}[A-Za-z]\w{0,30})(?:[-/]\w{1,30}){0,6}(?!\w)"
)
_ACRONYM = re.compile(r"(?<![\w-])[A-ZÄÖÜ]{1,8}&?[A-ZÄÖÜ]{1,8}s?(?![\w-])")
_CAPITALISED = re.compile(r"(?<![\w’'-])[A-ZÀ-ÖØ-Þ][\w’'-]*[a-zà-ÿ][\w’-]*")
_JOINED = re.compile(r"\s(?:(?:de|di|of|von|van|du|della|del|la|le)\s)?")
_TITLES = frozenset(
    {"frau", "herr", "herrn", "mr", "mrs", "ms", "dr", "prof", "monsieur", "madame", "signor", "signora"}
)
_HEADING = 0.6
"""A line with so large a share of capitals is a heading, and they say nothing about names."""


def addresses(text: str) -> Iterator[Name]:
    """Yield e-mail addresses and URLs."""
    for kind, pattern in _ADDRESSES:
        for match in pattern.finditer(text):
            said = match[0].rstrip(".,;:!?")
            yield Name(text=said, start=match.start(), kind=kind, key=said.casefold().rstrip("/"))


def phones(text: str) -> Iterator[Name]:
    """Yield telephone numbers that begin with + or 0."""
    for match in _PHONE.finditer(text):
        yield Name(text=match[0], start=match.start(), kind="phone", key=re.sub(r"\D", "", match[0]))


def versions(text: str) -> Iterator[Name]:
    """Yield version numbers and numbered paragraphs: 1.2.3."""
    for match in _VERSION.finditer(text):
        yield Name(text=match[0], start=match.start(), kind="version", key=match[0].casefold().lstrip("v"))


def codes(text: str) -> Iterator[Name]:
    """Yield what mixes letters and digits: ISO27001, A4, XK-7."""
    for match in _CODES.finditer(text):
        yield Name(text=match[0], start=match.start(), kind="code", key=re.sub(r"[-/.\s]", "", match[0]).casefold())


def names(text: str, language: Language) -> Iterator[Name]:
    """Yield acronyms and capitalised names; in German, where nouns are too, two in a row or after Frau and Herr."""
    if text.isupper():
        return
    for match in _ACRONYM.finditer(text):
        yield Name(text=match[0], start=match.start(), kind="name", key=plain(match[0].rstrip("s")))
    if language != "de" and _is_heading(text.split()):
        return
    for run in _runs(text):
        yield from _name_of(run, text, language)


def _is_heading(words: list[str]) -> bool:
    return len(words) > 3 and sum(word[:1].isupper() for word in words) > _HEADING * len(words)


def _runs(text: str) -> Iterator[list["re.Match[str]"]]:
    """Yield capitalised words that follow each other, as `Banca della Svizzera`."""
    run: list[re.Match[str]] = []
    for match in _CAPITALISED.finditer(text):
        if run and not _JOINED.fullmatch(text[run[-1].end() : match.start()][:20]):
            yield run
            run = []
        run.append(match)
    if run:
        yield run


def _name_of(run: list["re.Match[str]"], text: str, language: Language) -> Iterator[Name]:
    if run[0].start() < 8 and not text[: run[0].start()].strip(' “"«(•–:'):
        run = run[1:]  # a sentence begins with a capital whatever its first word is
    run = [word for word in run if word[0].casefold() not in stopwords(language) and not month_of(word[0])]
    bare = [word for word in run if word[0].casefold() not in _TITLES]
    least = 2 if language == "de" and len(bare) == len(run) else 1
    if len(bare) >= least:
        said = text[bare[0].start() : bare[-1].end()]
        yield Name(text=said, start=bare[0].start(), kind="name", key=" ".join(plain(word[0]) for word in bare))
