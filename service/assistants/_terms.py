"""The words by which a question is looked up: stems, numbers and the parts of compounds."""

import re
from collections.abc import Iterable

from flags import Language, language_of, stems, words

_NUMBER = re.compile(r"\d+(?:[.,'’]\d+)*")
_PART = 5
"""Letters a part of a compound must have."""


def language_of_text(text: str) -> Language:
    """Return the language a text is written in, English where nothing tells."""
    return language_of(words(text))


def terms(text: str, language: Language) -> list[str]:
    """Return the stems and numbers of a text, in order, with repetitions."""
    parts = [part for word in words(text) for part in (word.split("-") if "-" in word else [word])]
    return [*stems(parts, language), *_NUMBER.findall(text)]


class Compounds:
    """The words of a vocabulary that are part of a term, or have it as their part, as compounds do.

    They share their first or their last letters, so only such words are looked at: a vocabulary may have 100,000.
    """

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._beginning: dict[str, list[str]] = {}
        self._ending: dict[str, list[str]] = {}
        for word in vocabulary:
            if len(word) >= _PART:
                self._beginning.setdefault(word[:_PART], []).append(word)
                self._ending.setdefault(word[-_PART:], []).append(word)

    def of(self, term: str) -> list[str]:
        """Return the term's relatives, sorted."""
        near = {*self._beginning.get(term[:_PART], ()), *self._ending.get(term[-_PART:], ())}
        return sorted(other for other in near if related(term, other))


def related(one: str, other: str) -> bool:
    """Return whether one of two words is a part of the other, as in a compound."""
    return _part_of(one, other) or _part_of(other, one)


def _part_of(part: str, whole: str) -> bool:
    return _PART <= len(part) <= len(whole) - 3 and (whole.startswith(part) or whole.endswith(part))
