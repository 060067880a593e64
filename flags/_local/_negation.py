"""Words that turn a clause round, and phrases that only look like it."""

import re
from functools import cache

from flags._local import _lexicon
from flags._local._language import Language
from flags._local._words import plain

_CONTRACTED = re.compile(r"n['’]t\b", re.IGNORECASE)
_IDIOMATIC = re.compile(r"\b(?:not?|nicht|keine?|pas|non|nessun|erst)\b", re.IGNORECASE)
"""Every idiom begins with one of these; most texts have none."""


def negates(word: str, language: Language) -> bool:
    """Tell whether a lower-case word negates."""
    return word in _negations(language)


def unidiomatic(text: str) -> str:
    """Return the text with `not only`, `no later than`, `pas plus de` … replaced by what they mean, and n't by not."""
    text = _CONTRACTED.sub(" not", text)
    if not _IDIOMATIC.search(text):
        return text
    return _idioms()[0].sub(lambda match: _idioms()[1][" ".join(plain(match[0]).split())], text)


@cache
def _negations(language: Language) -> frozenset[str]:
    return frozenset(_lexicon.words("negations")[language])


@cache
def _idioms() -> tuple["re.Pattern[str]", dict[str, str]]:
    meanings = {
        plain(phrase): meaning for meaning, phrases in _lexicon.phrases("idioms", "=").items() for phrase in phrases
    }
    spoken = {phrase for phrases in _lexicon.phrases("idioms", "=").values() for phrase in phrases}
    pattern = "|".join(re.escape(phrase).replace(r"\ ", r"\s{1,3}") for phrase in sorted(spoken))
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), meanings
