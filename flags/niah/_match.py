"""Does a response state the expected answer, and nothing else of its kind? As text, and as a number."""

import re
from collections.abc import Iterable

from flags.niah._bounds import occurrences
from flags.niah._errors import ExpectedRefused
from flags.niah._numbers import Number, numbers, plain_number
from flags.niah._reading import MANY, Reading, listed, lower, missing, unanswered
from flags.niah._region import bare, unkeyed
from flags.niah._task import Score

_CODE = re.compile(r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]+|(?<![\w-])[A-Z]{2,}(?:-[A-Z0-9]+)+(?!\w)")
_OR = r"(?:or|oder|ou|o|/|\|)"
_TINY = 1e-12


def check_expected(expected: Iterable[str]) -> None:
    """Raise `ExpectedRefused` for no answer, or one without letter or digit, which any response would contain."""
    found = tuple(expected)
    for value in found:
        if not any(character.isalnum() for character in value):
            raise ExpectedRefused(f"The expected answer “{value}” holds no letter or digit; any response would match.")
    if not found:
        raise ExpectedRefused("No expected answer is given.")


def match_text(reading: Reading, expected: str, decoys: Iterable[str], *, scorer: str) -> Score:
    """Score by the text of the expected answer.

    The scorer `exact` wants it to be the region, or to stand there with no other candidate of its kind; `substring`
    wants it to stand there as a whole word.
    """
    early = unanswered(reading, scorer, expected)
    if early:
        return early
    # also where the expected answer itself reads like a refusal (“not found”)
    if bare(expected) in (bare(unkeyed(reading.text)), bare(reading.whole)):
        return Score(score=1.0, category="correct", scorer=scorer, explanation=f"The response is “{expected}”.")
    found, rest = _stated(reading.text, {expected, *decoys})
    codes = {lower(code) for code in _CODE.findall(rest)} if _CODE.fullmatch(expected) else set()
    others = (found - {lower(expected)}) | codes
    if lower(expected) not in found:
        is_denied = any(occurrences(lower(expected), lower(reading.denied)))
        return missing(reading, scorer, expected, listed(sorted(others)), is_denied=is_denied)
    if len(others) >= MANY:
        return _several(scorer, expected, sorted(others))
    if scorer == "exact" and (others or _is_alternative(expected, reading.text)):
        return _several(scorer, expected, sorted(others) or ["an alternative"])
    return Score(score=1.0, category="correct", scorer=scorer, explanation=f"The response states “{expected}”.")


def _stated(text: str, phrases: Iterable[str]) -> tuple[set[str], str]:
    # the longest first, so that a name that is part of a longer one is not found inside it
    rest, found = lower(text), set()
    for phrase in sorted({lower(phrase) for phrase in phrases}, key=lambda phrase: (-len(phrase), phrase)):
        for start, end in list(occurrences(phrase, rest)):
            found.add(phrase)
            text = text[:start] + " " * (end - start) + text[end:]
            rest = rest[:start] + " " * (end - start) + rest[end:]
    return found, text


def _is_alternative(expected: str, text: str) -> bool:
    said = re.escape(lower(expected))
    return bool(re.search(rf"{said}\W*\s{_OR}\s+\w|\w\W*\s{_OR}\s+\W*{said}", lower(text)))


def match_number(reading: Reading, expected: str, tolerance: float, *, scorer: str = "numeric") -> Score:
    """Score by value: the one number stated is within `tolerance` (a share of the expected value)."""
    early = unanswered(reading, scorer, expected)
    if early:
        return early
    value = plain_number(expected)
    if value is None:
        raise ExpectedRefused(f"The expected answer “{expected}” is no number and cannot be scored as one.")
    stated = candidates(reading.text)
    hits = [number for number in stated if is_within(number, value, tolerance)]
    others = list(dict.fromkeys(number.value for number in stated if number not in hits))
    written = [number.written for number in stated if number not in hits]
    if len(others) + bool(hits) >= MANY or (hits and others):
        return _several(scorer, expected, written)
    if not hits:
        is_denied = any(is_within(number, value, tolerance) for number in numbers(reading.denied))
        return missing(reading, scorer, expected, listed(written), is_denied=is_denied)
    says = f"The response states {listed(number.written for number in hits)}, which is {expected}"
    return Score(score=1.0, category="correct", scorer=scorer, explanation=f"{says} within {tolerance:.3g}.")


def candidates(text: str) -> tuple[Number, ...]:
    """Return the numbers a text states as its result: after the last `=`, after the `key:`, else all."""
    parts = (text.rpartition("=")[2] if "=" in text else "", unkeyed(text))
    return next((found for part in parts if part and (found := numbers(part))), ()) or numbers(text)


def is_within(number: Number, expected: float, tolerance: float) -> bool:
    """Tell whether one of a number's readings is the expected value, within a share of it."""
    room = max(tolerance, _TINY) * max(abs(expected), _TINY)
    return any(abs(reading - expected) <= room for reading in number.readings)


def _several(scorer: str, expected: str, others: Iterable[str]) -> Score:
    found = list(dict.fromkeys(others))
    says = f"Beside “{expected}” the response states {listed(found)}; more than one candidate is no answer."
    return Score(score=0.0, category="dump" if len(found) + 1 >= MANY else "ambiguous", scorer=scorer, explanation=says)
