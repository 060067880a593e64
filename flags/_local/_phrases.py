"""The sentences of the reasons, in the language of the answer."""

from collections.abc import Iterable

from flags._local import _lexicon
from flags._local._language import Language

_LONGEST = 160
_MOST_OF_IT = 0.5
"""Words that are so much of their sentence are quoted without it."""


def phrase(key: str, language: Language, **words: str) -> str:
    """Return the sentence of a key with its words filled in."""
    return _lexicon.sentences("phrases")[f"{key} {language}"].format(**words)


def quoted(text: str) -> str:
    """Return a text in quotation marks, long ones cut with a mark."""
    text = " ".join(text.split())
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST].rsplit(' ', 1)[0]} …"
    return f"“{text}”"


def listed(texts: Iterable[str], most: int = 3) -> str:
    """Return quoted texts after each other; those beyond `most` are counted."""
    found = list(dict.fromkeys(texts))
    more = f" (+{len(found) - most})" if len(found) > most else ""
    return ", ".join(quoted(text) for text in found[:most]) + more


def with_sentence(words: str, claim: str, language: Language) -> str:
    """Return quoted words with the sentence they stand in, where they are not most of it."""
    if len(words) > _MOST_OF_IT * len(claim):
        return quoted(words)
    return f"{quoted(words)} ({phrase('within', language, quotes=quoted(claim))})"
