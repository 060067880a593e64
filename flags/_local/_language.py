"""Which of four languages a text is written in."""

from collections.abc import Iterable
from functools import cache
from typing import Literal

from flags._local import _lexicon

Language = Literal["en", "de", "fr", "it"]
LANGUAGES: tuple[Language, ...] = ("en", "de", "fr", "it")


@cache
def stopwords(language: Language) -> frozenset[str]:
    """Return the lower-case words without content of their own."""
    return frozenset(_lexicon.words("stopwords")[language])


def shows(words: Iterable[str], language: Language) -> bool:
    """Tell whether lower-case words are clearly of a language: several common ones, twice those of any other."""
    seen = list(words)[:2000]
    counts = {other: sum(word in stopwords(other) for word in seen) for other in LANGUAGES}
    return counts[language] >= max(3, *(2 * count for other, count in counts.items() if other != language))


def language_of(words: Iterable[str], otherwise: Language = "en") -> Language:
    """Return the language whose common words occur most among lower-case words; `otherwise` where it is not clear."""
    seen = list(words)[:2000]
    counts = {language: sum(word in stopwords(language) for word in seen) for language in LANGUAGES}
    best = max(LANGUAGES, key=lambda language: (counts[language], language == otherwise))
    return best if counts[best] > counts[otherwise] else otherwise
