"""The numbers a text states, in the formats of four languages; digits of names, units and years are none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from flags._local._language import language_of
from flags._local._words import words

_GROUP = "['’\u00a0\u202f\u2009]"
_TIMES = r"\s?(?:×|x|X|\*|·|⋅|\\times|\\cdot)\s?"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_POWER = r"10\s?(?:\^\s?[{(]?\s?(?P<NAME>[-−+]?\d{1,4}(?!\d))[)}]?|(?P<NAME_up>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}))"
_NUMBER = re.compile(
    r"(?<![\w^.])(?<![^\W\d_][-‑−])"
    r"(?P<sign>(?<![\w)\]])[-−+])?"
    r"(?:"
    + _POWER.replace("NAME", "bare")
    + r"|(?P<version>\d+(?:\.\d+){2,}(?<!\.\d{3})(?![\d,]))"
    + r"|(?P<clock>\d{1,2}:\d{2}(?::\d{2})?(?!\d)|\d{4}-\d{2}-\d{2}(?!\d))"
    + r"|(?P<mantissa>"
    + rf"\d{{1,3}}(?:(?P<mark>,|{_GROUP})\d{{3}})(?:(?P=mark)\d{{3}})*(?![\d])(?:\.\d+|(?<!,\d{{3}}),\d+)?"
    + r"|\d{1,3}(?:\.\d{3})+,\d+"
    + r"|\d{1,3}(?:\.\d{3}){2,}(?!\d)"
    + r"|(?<!\d,)\d+,\d+(?![,'’]?\d)"
    + r"|\d+\.\d+|\d+|\.\d+"
    + r")"
    + rf"(?:[eE](?P<exponent>[-−+]?\d{{1,4}})(?!\w)|{_TIMES}{_POWER.replace('NAME', 'power')})?"
    + r")"
    + r"(?P<percent>\s?(?:%|percent\b|per cent\b|Prozent\b|pour ?cent\b|per cento\b))?",
    re.IGNORECASE,
)
_CODE_AFTER = re.compile(r"[^\W\d_]+\d|(?:st|nd|rd|th|er|ère|ème|e|º|ª)(?!\w)|_", re.IGNORECASE)

_YEAR = r"\b(?:in|since|until|im|seit|bis|en|depuis|jusqu['’]en|nel|dal|fino al)"
_NOUNS = (
    "tokens?|words?|entries|characters?|wörtern?|wörter|einträgen?|einträge|zeichen|jetons?|mots?|entrées?|caractères?"
    "|parole|voci|caratteri"
)
_COUNT = r"\d[\d.,'’\u00a0\u202f\u2009]*"
_NO_CANDIDATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # s^-1, m^{2}: the digits belong to the unit
        r"(?<=[^\W\d_])\s?\^\s?[{(]?\s?[-−+]?\d+[)}]?",
        # in 2024, seit dem Jahr 2024
        rf"{_YEAR}(?:\s+(?:the\s+year|dem\s+jahr|jahre?|l['’]an(?:née)?|l['’]anno))?\s+[12]\d{{3}}(?![\d.,'’]*\d)",
        # the whole: out of 1000, 42 of 1000, 42 von 1000
        rf"\bout\s+of\s+(?:the\s+|all\s+)?{_COUNT}",
        rf"(?<=\d)\s+(?:of|von|sur|su)\s+(?:the\s+|all\s+|den\s+|les\s+)?{_COUNT}",
        # 1000 entries
        rf"(?<![\w.,]){_COUNT}\s+(?:{_NOUNS})\b",
        # page 3, line 12
        r"\b(?:page|line|paragraph|section|chapter|seite|zeile|absatz|abschnitt|ligne|paragraphe|riga|pagina|paragrafo)"
        r"\s+\d+\b(?![.,]\d)",
    )
)
_SPELLED = {
    word: number
    for number, same in enumerate(
        (
            "zero null zéro", "one eins un une uno una", "two zwei deux due", "three drei trois tre",
            "four vier quatre quattro", "five fünf cinq cinque", "six sechs sei", "seven sieben sept sette",
            "eight acht huit otto", "nine neun neuf nove", "ten zehn dix dieci", "eleven elf onze undici",
            "twelve zwölf douze dodici",
        )
    )
    for word in same.split()
}  # fmt: skip
_SPELLED_ALONE = re.compile(r"\W*(?P<word>[^\W\d_]+)(?:\s+(?:times|mal|fois|volte))?\W*")


@dataclass(frozen=True, kw_only=True)
class Number:
    """A number as it stands in a text; `readings` are the values it may mean, the likeliest first."""

    written: str
    readings: tuple[float, ...]

    @property
    def value(self) -> float:
        """Return the likeliest value."""
        return self.readings[0]


def numbers(text: str) -> tuple[Number, ...]:
    """Return the numbers that may be an answer, in the order they stand."""
    for pattern in _NO_CANDIDATES:
        text = pattern.sub(" ", text)
    found = tuple(_found(text, language_of(words(text[:2000]), "en") != "en"))
    alone = None if found else _SPELLED_ALONE.fullmatch(text)
    if alone and alone["word"].lower() in _SPELLED:
        value = float(_SPELLED[alone["word"].lower()])
        return (Number(written=alone["word"], readings=(value,)),)
    return found


def plain_number(text: str) -> float | None:
    """Return the value of a text that is nothing but a number (with or without %), else None; `007` is a code."""
    text = text.strip()
    found = _NUMBER.fullmatch(text)
    if not found or found["version"] or found["clock"] or re.match(r"0\d", text):
        return None
    return _readings(found, False)[0]


def _found(text: str, is_comma_decimal: bool) -> Iterator[Number]:
    for found in _NUMBER.finditer(text):
        if found["version"] or found["clock"] or _CODE_AFTER.match(text, found.end()):
            continue
        yield Number(written=found.group().strip(), readings=_readings(found, is_comma_decimal))


def _readings(found: re.Match[str], is_comma_decimal: bool) -> tuple[float, ...]:
    sign = -1.0 if (found["sign"] or "") in ("-", "−") else 1.0
    power = _power(found, "bare")
    mantissas = (1.0,) if power is not None else _mantissas(found["mantissa"], is_comma_decimal)
    exponent = power if power is not None else _power(found, "power")
    if found["exponent"]:
        exponent = int(found["exponent"].replace("−", "-"))
    values = [sign * _scaled(mantissa, exponent or 0) for mantissa in mantissas]
    if found["percent"]:
        values = [reading for value in values for reading in (value / 100, value)]
    return tuple(values)


def _scaled(mantissa: float, exponent: int) -> float:
    # through text, so that 3e5 is 300000 and not its neighbour; what no float holds is infinite
    return float(f"{mantissa!r}e{exponent}") if "e" not in repr(mantissa) else mantissa * 10.0 ** min(exponent, 300)


def _power(found: re.Match[str], name: str) -> int | None:
    text = found[name] or (found[f"{name}_up"] or "").translate(_SUPERSCRIPTS)
    return int(text.replace("−", "-")) if text else None


def _mantissas(text: str, is_comma_decimal: bool) -> tuple[float, ...]:
    text = re.sub(_GROUP, "", text)
    dots, commas = text.count("."), text.count(",")
    if dots and commas:
        is_last_comma = text.rindex(",") > text.rindex(".")
        return (_float(text, ",") if is_last_comma else _float(text, "."),)
    if dots > 1 or commas > 1:
        return (_float(text, ""),)
    if commas == 1:
        whole, rest = text.split(",")
        is_grouped = len(rest) == 3 and len(whole) <= 3 and whole.lstrip("0") == whole and whole != ""
        grouped, decimal = _float(text, ""), _float(text, ",")
        return ((grouped, decimal) if is_comma_decimal else (grouped,)) if is_grouped else (decimal,)
    if dots == 1 and is_comma_decimal and re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", text):
        return (_float(text, ""), _float(text, "."))
    return (_float(text, "."),)


def _float(text: str, decimal: str) -> float:
    for mark in ".,":
        text = text.replace(mark, "." if mark == decimal else "")
    return float(text)
