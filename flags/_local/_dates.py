"""Dates and times of day, as written in four languages."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from flags._local import _lexicon
from flags._local._facts import Clock, Date, Day, Name
from flags._local._words import plain

_YEAR = r"(?:1[89]|20|21)\d\d"
_ISO = re.compile(rf"(?<![\d.-])(?P<y>{_YEAR})-(?P<m>\d\d)-(?P<d>\d\d)(?![\d-])")
_POINTS = re.compile(r"(?<![\d.,])(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4}|\d\d)(?!\d)")
_NO_YEAR = re.compile(r"\b(?:am|vom|bis|zum|ab|der|den|seit)\s(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.(?!\s?\d)")
_SLASHES = re.compile(r"(?<![\d/])(?P<one>\d{1,2})/(?P<two>\d{1,2})/(?P<y>\d{4}|\d\d)(?![\d/])")
_MONTH = r"(?P<month>[^\W\d_]{3,10})"
_DAY = r"(?P<d>\d{1,2})"
_NAMED = (
    re.compile(rf"(?<!\d){_DAY}(?:st|nd|rd|th|er|\.|º|°)?\s(?:of\s)?{_MONTH}\.?(?:,?\s(?P<y>{_YEAR}))?(?!\d)"),
    re.compile(rf"\b{_MONTH}\.?\s{_DAY}(?:st|nd|rd|th)?(?![\d.,:%]\d|\d)(?:,?\s(?P<y>{_YEAR}))?(?!\d)"),
    re.compile(rf"\b{_MONTH}\.?\s(?:of\s)?(?P<y>{_YEAR})(?!\d)"),
)
_BARE_YEAR = re.compile(rf"(?<![\w.,'’$€£-]){_YEAR}(?![\w'’%]|[.,]\d|\s\d{{3}}(?!\d))")
_UNIT_FOLLOWS = re.compile(
    r"[\s\u00a0]{0,2}(?:[€$£%]|CHF|EUR|USD|Fr\b|Franken|francs|franchi|Mitarbeit|employ|kg\b|km\b|m\b)"
)
_MONEY_BEFORE = re.compile(r"(?:CHF|EUR|USD|GBP|Fr\.?|SFr\.?|[€$£])\s?$")
_CLOCKS = (
    re.compile(
        r"(?<![\d.,:])(?P<h>\d{1,2}):(?P<min>[0-5]\d)(?::\d\d)?(?:\s?(?P<half>[ap]\.?m)\b)?(?![\d:])", re.IGNORECASE
    ),
    re.compile(r"(?<![\d.,:])(?P<h>\d{1,2})(?:\.(?P<min>[0-5]\d))?\s?(?P<half>[ap]\.?m)\b", re.IGNORECASE),
    re.compile(r"(?<![\d.,:])(?P<h>\d{1,2})(?:[.:](?P<min>[0-5]\d))?\s?Uhr\b(?:\s(?P<min2>[0-5]\d)\b)?"),
    re.compile(r"(?<![\d.,:])(?P<h>\d{1,2})\s?h\s?(?P<min>[0-5]\d)\b"),
    re.compile(r"\b(?:ore|alle|à)\s(?P<h>\d{1,2})(?:[.:](?P<min>[0-5]\d))?(?:\s?(?:h|heures?))?(?![\d%.,]\d|\d|\s?%)"),
)
_QUARTER = re.compile(
    r"\b(?:Q(?P<q>[1-4])|(?P<q2>[1-4])Q|T(?P<t>[1-4])(?=\s20)"
    r"|(?:(?P<number>[1-4])(?:st|nd|rd|th|\.|er|ème|e|º|°)|(?P<word>[^\W\d_]{5,10}))\s(?:quarter|Quartals?|trimestre))\b"
)
_SHARED = re.compile(r"(?<![\d.,:])(?P<h>\d{1,2})(?:[.:](?P<min>[0-5]\d))?\s?(?:-|–|to|bis|und|and|à)\s?$")


def clocks(text: str) -> Iterator[Clock]:
    """Yield the times of day; the first of a span (`9–17 Uhr`) is one too."""
    for pattern in _CLOCKS:
        for match in pattern.finditer(text):
            if int(match["h"]) > 24:
                continue
            yield _clock(match, text, match.groupdict().get("half"))
            if before := _SHARED.search(text[max(0, match.start() - 16) : match.start()]):
                start = match.start() - len(before[0])
                yield Clock(text=before[0].strip(), start=start, kind="clock", readings=_minutes(before, None))


def days(text: str) -> Iterator[Day]:
    """Yield the dates, complete or in part, and years that stand alone."""
    yield from (_day(match, _numeric(match)) for match in _ISO.finditer(text))
    for pattern in (_POINTS, _NO_YEAR):
        yield from (
            _day(match, _numeric(match)) for match in pattern.finditer(text) if _is_date(match["m"], match["d"])
        )
    yield from (_day(match, readings) for match in _SLASHES.finditer(text) if (readings := _either_way(match)))
    for pattern in _NAMED:
        for match in pattern.finditer(text):
            if month := month_of(match["month"]):
                said = match.groupdict()
                yield _day(match, ((_number(said["y"]), month, _number(said.get("d"))),))
    for match in _BARE_YEAR.finditer(text):
        if not _UNIT_FOLLOWS.match(text, match.end()) and not _MONEY_BEFORE.search(
            text[max(0, match.start() - 6) : match.start()]
        ):
            yield _day(match, ((int(match[0]), None, None),))


def month_of(word: str) -> int:
    """Return the number of a month's name in any of the languages, 0 for other words."""
    return _months().get(plain(word), 0)


def quarters(text: str) -> Iterator[Name]:
    """Yield quarters of a year: Q3, 3Q, the third quarter, 3. Quartal, T3."""
    for match in _QUARTER.finditer(text):
        number = match["q"] or match["q2"] or match["t"] or match["number"] or _quarters().get(plain(match["word"]))
        if number:
            yield Name(text=match[0], start=match.start(), kind="quarter", key=f"q{number}")


@cache
def _quarters() -> Mapping[str, str]:
    return {plain(word): number for number, words in _lexicon.words("quarters").items() for word in words}


@cache
def _months() -> Mapping[str, int]:
    return {plain(name): int(number) for number, names in _lexicon.words("months").items() for name in names}


def _day(match: "re.Match[str]", readings: tuple[Date, ...]) -> Day:
    return Day(text=match[0].strip(), start=match.start(), kind="date", readings=readings)


def _numeric(match: "re.Match[str]") -> tuple[Date, ...]:
    return ((_year(match.groupdict().get("y")), int(match["m"]), int(match["d"])),)


def _either_way(match: "re.Match[str]") -> tuple[Date, ...]:
    year, one, two = _year(match["y"]), match["one"], match["two"]
    ways = ((two, one), (one, two))
    return tuple(dict.fromkeys((year, int(month), int(day)) for month, day in ways if _is_date(month, day)))


def _is_date(month: str, day: str) -> bool:
    return 1 <= int(month) <= 12 and 1 <= int(day) <= 31


def _number(digits: str | None) -> int | None:
    return int(digits) if digits else None


def _year(digits: str | None) -> int | None:
    year = _number(digits)
    return year + (2000 if year < 70 else 1900) if year is not None and year < 100 else year


def _clock(match: "re.Match[str]", text: str, half: str | None) -> Clock:
    return Clock(text=match[0].strip(), start=match.start(), kind="clock", readings=_minutes(match, half))


def _minutes(match: "re.Match[str]", half: str | None) -> tuple[int, ...]:
    said = match.groupdict()
    minutes = int(said["h"]) * 60 + int(said.get("min") or said.get("min2") or 0)
    if half is None:
        return (minutes,)
    return (minutes % 720 + (720 if half[0] in "pP" else 0),)
