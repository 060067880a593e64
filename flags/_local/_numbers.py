"""Numbers with their units, in the notations of en, de, fr, it and ch."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import zip_longest

from flags._local import _lexicon
from flags._local._facts import Quantity
from flags._local._language import Language
from flags._local._units import NUMBER, Unit, scale_of, unit_of
from flags._local._words import WORD, unelided

_NUMBER = re.compile(
    r"(?:(?<![^\W\d_])|(?<=CHF)|(?<=EUR)|(?<=USD)|(?<=GBP))(?<!\d)(?<!\d[.,'’])"
    r"(?:\d{1,3}(?:[.,'’ \u2009\u00a0\u202f]\d{3})+(?![\d])(?:[.,]\d{1,6}(?!\d))?|\d{1,18}(?:[.,]\d{1,9})?)(?!\d)"
)
_AFTER = re.compile(r"[\s\u00a0\u202f-]{0,4}(%|‰|°[CF]|[€$£¥]|[^\W\d_]+[²³$]?)\.?")
_BEFORE = re.compile(
    r"(?:^|[\s(])(CHF|SFr|Fr|EUR|Euro|USD|US\$|GBP|JPY|[€$£¥])\.?[\s\u00a0\u202f]{0,2}[-+−–]?$", re.IGNORECASE
)
_SIGN = re.compile(r"(?:^|[\s(€$£])([-+−–])$")
_RANGE = re.compile(r"\s{0,2}(?:-|–|—|to|bis|and|und|à|a|et|e|up to)\s{0,2}", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:~|≈|\b(?:about|around|approx\.?|approximately|roughly|circa|ca\.?|rund|etwa|ungefähr|environ)\s?)$"
)
_SEPARATORS = re.compile(r"['’\s]")

_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "ère", "e", "ème", "te", "ten", "ter", "x"})
_ONES: Mapping[Language, frozenset[str]] = {
    "en": frozenset({"one"}),
    "de": frozenset({"ein", "eine", "einen", "einem", "einer"}),
    "fr": frozenset({"un", "une"}),
    "it": frozenset({"un", "uno", "una"}),
}
"""Articles too: numbers only where a unit follows."""


def quantities(text: str, language: Language) -> Iterator[Quantity]:
    """Yield the numbers of a text in order, in digits or small number words, each with its unit."""
    shadow = unelided(text)
    found = sorted((*_digits(shadow), *_spelled(shadow, language)), key=lambda one: one.start)
    for one, following in zip_longest(found, found[1:]):
        quoted = text[one.start : one.start + len(one.text)]
        yield replace(_unit_of_range(one, following, text), text=quoted)


def number_word(word: str, language: Language) -> int:
    """Return the value of a lower-case number word above one, 0 for other words."""
    return _number_words(language).get(word, 0)


def _digits(text: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(text):
        before = text[max(0, match.start() - 20) : match.start()]
        money = _BEFORE.search(before)
        unit, scale, end = _after(text, match.end(), bool(money))
        if end < 0:
            continue
        unit = unit_of(money[1]) if money and not unit.kind.startswith("money") else unit
        sign = _SIGN.search(before)
        start = match.start() - len(money[0].lstrip(" (")) if money else match.start()
        yield Quantity(
            text=text[start:end].strip(),
            start=start,
            kind=unit.kind,
            readings=tuple(value * scale for value in _readings(match[0])),
            factor=unit.factor,
            grain=_grain(match[0], before) * scale,
            sign=("+" if sign[1] == "+" else "-") if sign else "",
        )


def _spelled(text: str, language: Language) -> Iterator[Quantity]:
    for match in WORD.finditer(text):
        word = match[0].casefold()
        value = number_word(word, language)
        if not value and word not in _ONES[language]:
            continue
        unit, scale, end = _after(text, match.end(), False)
        if value or unit is not NUMBER:
            yield Quantity(
                text=text[match.start() : max(end, match.end())],
                start=match.start(),
                kind=unit.kind,
                readings=((value or 1) * scale,),
                factor=unit.factor,
            )


def _after(text: str, end: int, money: bool) -> tuple[Unit, float, int]:
    """Return unit, scale and end of what follows a number; the end is -1 where letters make it a code."""
    scale = 1.0
    match = _AFTER.match(text, end)
    if match and (factor := scale_of(match[1], money=money)):
        scale, end = factor, match.end(1)
        match = _AFTER.match(text, match.end())
    unit = unit_of(match[1]) if match else NUMBER
    if match and unit is not NUMBER:
        return unit, scale, match.end(1)
    attached = match is not None and scale == 1.0 and match.start(1) == end and match[1].casefold() not in _ORDINALS
    return NUMBER, scale, -1 if attached else end


def _readings(written: str) -> tuple[float, ...]:
    """Return the values a notation may stand for: its last separator may be a decimal sign or group thousands."""
    digits = _SEPARATORS.sub("", written)
    groups = re.split(r"[.,]", digits)
    marks = re.findall(r"[.,]", digits)
    if not marks:
        return (float(digits),)
    grouped, decimal = float("".join(groups)), float(f"{''.join(groups[:-1])}.{groups[-1]}")
    if marks.count(marks[-1]) > 1:
        return (grouped,)
    may_group = len(marks) == 1 and len(groups[1]) == 3 and 0 < len(groups[0]) <= 3 and groups[0] != "0"
    return (grouped, decimal) if may_group else (decimal,)


def _grain(written: str, before: str) -> float:
    """Return the value of the last digit that is meant: a decimal, or the last before trailing zeros after `about`."""
    digits = _SEPARATORS.sub("", written)
    decimals = re.search(r"[.,](\d+)$", digits)
    if decimals and len(decimals[1]) != 3:
        return float(10 ** -len(decimals[1]))
    if _ABOUT.search(before.rstrip().casefold()):
        return float(10 ** (len(digits) - len(digits.rstrip("0"))))
    return 1.0


def _unit_of_range(one: Quantity, following: Quantity | None, text: str) -> Quantity:
    """Give the first number of a range (`3–5 days`) the unit of the second."""
    if following is None or one.kind != "number" or following.kind == "number":
        return one
    between = text[one.start + len(one.text) : following.start]
    return replace(one, kind=following.kind, factor=following.factor) if _RANGE.fullmatch(between) else one


@cache
def _number_words(language: Language) -> Mapping[str, int]:
    listed = _lexicon.words("numbers")[language]
    return {word: int(value) for word, value in zip(listed[::2], listed[1::2], strict=True)}
