"""Words, and the stems by which inflected forms are compared."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from flags._local import _lexicon
from flags._local._language import Language, stopwords

WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_ELIDED = re.compile(r"\b(?:[cdjlmnst]|qu|jusqu|lorsqu|dell|nell|all|dall|sull|un|quest)['’](?=\w)", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?<=[^\W\d_])['’]s\b")
_CONTRACTED = re.compile(r"n['’]t\b", re.IGNORECASE)
_SHORTEST = 4


def words(text: str) -> list[str]:
    """Return the lower-case words of a text, without numbers; French and Italian elisions are cut off."""
    return [word.casefold() for word in WORD.findall(unelided(text))]


def unelided(text: str) -> str:
    """Return the text, at the same length, without elided articles (l', d', dell' …), possessives and n't."""
    if "'" not in text and "’" not in text:
        return text
    text = _ELIDED.sub(lambda match: " " * len(match[0]), text)
    text = _CONTRACTED.sub("   ", text)
    return _POSSESSIVE.sub("  ", text)


@lru_cache(maxsize=50_000)
def plain(word: str) -> str:
    """Return a word in lower case without accents; ß is ss."""
    return "".join(char for char in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(char))


@lru_cache(maxsize=50_000)
def stem(word: str, language: Language) -> str:
    """Return what a word shares with its inflected forms: endings are cut off, three or four letters stay."""
    word = plain(word[:60])
    for _ in range(2):
        word = _shortened(word, language)
    return word


def stems(found: Iterable[str], language: Language) -> Iterator[str]:
    """Yield the stems of the lower-case words that have content of their own."""
    common = stopwords(language)
    return (stem(word, language) for word in found if word not in common and len(word) > 1)


def _shortened(word: str, language: Language) -> str:
    for ending in _endings(language):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST - (len(ending) == 1):
            return word[: -len(ending)]
    return word


@cache
def _endings(language: Language) -> tuple[str, ...]:
    return tuple(plain(ending) for ending in _lexicon.words("endings")[language])
