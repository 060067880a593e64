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


def relatives(term: str, vocabulary: Iterable[str]) -> list[str]:
    """Return the words of the vocabulary that are part of the term, or have it as their part, as compounds do."""
    if len(term) < _PART:
        return []
    return [other for other in vocabulary if other != term and (_part_of(other, term) or _part_of(term, other))]


def _part_of(part: str, whole: str) -> bool:
    if not _PART <= len(part) <= len(whole) - 3:
        return False
    return whole.startswith(part) or whole.endswith(part)
