"""Words that have an opposite: rise and fall, before and after, Monday and Tuesday."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from flags._local import _lexicon
from flags._local._language import Language, stopwords
from flags._local._words import plain, stem

_LEAST_LEFT = 5
_IN_PLACE = "@"
"""Axes whose words exclude each other only where one stands in place of the other."""
_REACH = 5
"""How many words around a word tell what it is said of."""


@dataclass(frozen=True, kw_only=True)
class Side:
    """A word on one side of an axis; `near` are the content stems around it, `following` the first one after it."""

    axis: str
    end: int
    word: str
    near: frozenset[str]
    following: str

    def opposes(self, other: "Side") -> bool:
        """Tell whether the other word is on another side of the same axis and is said of the same thing."""
        if self.axis != other.axis or self.end == other.end:
            return False
        if self.axis.startswith("~"):
            return bool(self.following) and self.following == other.following
        return not self.near.isdisjoint(other.near)


def sides_of(words: Sequence[str], language: Language) -> Iterator[Side]:
    """Yield the words of a clause (lower case, in order) that have an opposite."""
    for place, word in enumerate(words):
        for axis, end in ends_of(plain(word), language):
            if axis.startswith(_IN_PLACE):
                continue
            after = list(_stems(words[place + 1 : place + 1 + _REACH], language))
            before = _stems(words[max(0, place - _REACH) : place], language)
            yield Side(
                axis=axis, end=end, word=word, near=frozenset((*before, *after)), following=after[0] if after else ""
            )


def turned(words: frozenset[str], language: Language) -> frozenset[str]:
    """Return the stems of what is left of words that begin with `un-`, `il-` …: legal of illegal.

    Short rests are left out: they are other words (`port` of `import`).
    """
    rests = (word.removeprefix(prefix) for word in words for prefix in _prefixes(language) if word.startswith(prefix))
    return frozenset(stem(rest, language) for rest in rests if len(rest) >= _LEAST_LEFT)


@cache
def _prefixes(language: Language) -> tuple[str, ...]:
    return _lexicon.words("prefixes")[language]


def _stems(words: Sequence[str], language: Language) -> Iterator[str]:
    common = stopwords(language)
    return (stem(word, language) for word in words if word not in common and not ends_of(plain(word), language))


def ends_of(word: str, language: Language) -> tuple[tuple[str, int], ...]:
    """Return the axes on which a plain word has a side, each with the side."""
    table = _table(language)
    beginnings = (word[:length] for length in range(3, min(len(word), 24) + 1))
    return (*table.get(f"{word}=", ()), *(end for beginning in beginnings for end in table.get(beginning, ())))


@cache
def _table(language: Language) -> Mapping[str, tuple[tuple[str, int], ...]]:
    """Return word → (axis, side) of one language; a key ending in `=` is a whole word, others are beginnings."""
    table: dict[str, tuple[tuple[str, int], ...]] = {}
    for axis, end, word in _entries(language):
        table[plain(word)] = (*table.get(plain(word), ()), (axis, end))
    return table


def _entries(language: Language) -> Iterator[tuple[str, int, str]]:
    for key, rest in _lexicon.lines("opposites"):
        axis, _, spoken = key.rpartition(" ")
        for end, words in enumerate(rest.split("/") if spoken == language else ()):
            yield from ((axis, end, word) for word in words.split())
