"""Which of four languages a text is written in."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Literal

from flags._local import _lexicon

Language = Literal["en", "de", "fr", "it"]
_SPELLING: Mapping[Language, "re.Pattern[str]"] = {
    "en": re.compile(r"th|w|ing$|[^aeiou]s$"),
    "de": re.compile(r"[äöüß]|sch|ung|en$"),
    "fr": re.compile(r"[çœêîâûùë]|eu|ou|ent$|ez$"),
    "it": re.compile(r"[^aeiou][aeiouàèìòù]$"),
}
LANGUAGES: tuple[Language, ...] = ("en", "de", "fr", "it")


@cache
def stopwords(language: Language) -> frozenset[str]:
    """Return the lower-case words without content of their own."""
    return frozenset(_lexicon.words("stopwords")[language])


def shows(words: Iterable[str], language: Language) -> bool:
    """Tell whether lower-case words are clearly of a language: several common ones, twice those of any other."""
    counts = _counts(words)
    return counts[language] >= max(3, *(2 * count for other, count in counts.items() if other != language))


def language_of(words: Iterable[str], otherwise: Language = "en") -> Language:
    """Return the language whose common words occur most among lower-case words; `otherwise` where it has as many.

    Spelling decides between others that have equally many.
    """
    counts = _counts(words)
    best = max(LANGUAGES, key=lambda language: counts[language])
    return best if int(counts[best]) > int(counts[otherwise]) else otherwise


def _counts(words: Iterable[str]) -> dict[Language, float]:
    """Return how many common words of each language there are; spelling decides between equals."""
    seen = list(words)[:2000]
    return {
        language: sum(word in stopwords(language) for word in seen)
        + sum(map(_typical(language), seen)) / (2 * len(seen) + 1)
        for language in LANGUAGES
    }


def _typical(language: Language) -> Callable[[str], bool]:
    pattern = _SPELLING[language]
    return lambda word: bool(pattern.search(word))
