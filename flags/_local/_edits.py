"""What was changed between two sentences of which one is nearly a copy of the other."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

from flags._local import _lexicon
from flags._local._claims import Claim, Text
from flags._local._dates import month_of
from flags._local._facts import Fact, Name, found_in
from flags._local._language import Language, stopwords
from flags._local._negation import negates, unidiomatic
from flags._local._sides import ends_of
from flags._local._words import plain, stem, unelided

_TOKEN = re.compile(r"[^\W_]+(?:[.,'’/-][^\W_]+)*")
_MOST = 400
"""So many words of a sentence are compared: comparing takes their product at worst."""
LEAST_ALIKE = 0.6
"""Sentences that share so many words in the same order are copies."""
_LEAST_WORDS = 3
# How surely an edit changes the meaning, by what was edited: chosen by hand, as copies of one kind fit no other.
FACT, OPPOSITE, DENIAL, ROLES = 0.97, 0.95, 0.95, 0.9
CHOICE, REUSED = 0.6, 0.6
ADDED, WORD, WORDS_ADDED = 0.2, 0.06, 0.03
_STYLE = 0.01
_DENIED_IN = 6
"""A denial of what the sentence says takes no more words than these."""
_AROUND = 2
"""Words quoted on either side of an insertion."""


@dataclass(frozen=True, kw_only=True)
class Edit:
    """Words of the one sentence and what the other has in their place; `strength` in [0, 1]."""

    one: str
    other: str
    strength: float


@dataclass(frozen=True)
class _Word:
    text: str
    start: int
    end: int

    @property
    def key(self) -> str:
        return plain(self.text)


@dataclass(frozen=True)
class _Side:
    """One of the sentences: its words, its text, and the whole text it stands in."""

    claim: Claim
    whole: Text
    text: str
    words: tuple[_Word, ...]

    @classmethod
    def of(cls, claim: Claim, whole: Text) -> "_Side":
        text = unidiomatic(claim.text)
        found = (_Word(match[0], *match.span()) for match in _TOKEN.finditer(unelided(text)))
        return cls(claim, whole, text, tuple(found)[:_MOST])

    @property
    def telling(self) -> list[tuple[str, int]]:
        """Return the stems of its words with content, with their places."""
        language, common = self.whole.language, stopwords(self.whole.language)
        kept = ((word, place) for place, word in enumerate(self.words) if word.text.casefold() not in common)
        return [(stem(word.key, language), place) for word, place in kept]

    def said(self, start: int, end: int) -> str:
        """Return the words from one place to another as written; those around the place where there are none."""
        if start == end:
            start, end = max(0, start - _AROUND), min(len(self.words), end + _AROUND)
        return self.text[self.words[start].start : self.words[end - 1].end] if start < end else ""


@dataclass(frozen=True)
class _Span:
    """Some words of a side."""

    side: _Side
    start: int
    end: int

    @property
    def words(self) -> tuple[_Word, ...]:
        return self.side.words[self.start : self.end]

    @property
    def language(self) -> Language:
        return self.side.whole.language

    @property
    def content(self) -> list[str]:
        """Return the stems of its words that have content."""
        common = stopwords(self.language)
        return [stem(word.key, self.language) for word in self.words if word.text.casefold() not in common]

    def turns(self) -> int:
        """Count the words that deny or narrow."""
        narrowing = _limiters()
        return sum(
            negates(part, self.language) or part in narrowing
            for word in self.words
            for part in word.text.casefold().split("-")
        )

    @property
    def facts(self) -> list[Fact]:
        """Return the facts of which one of its words is a part."""
        words = {word.key for word in self.words}
        return [fact for fact in self.side.claim.facts if not words.isdisjoint(map(plain, _TOKEN.findall(fact.text)))]


def edits(one: Claim, other: Claim, texts: tuple[Text, Text]) -> tuple[Edit, ...] | None:
    """Return what was changed from one sentence to the other, None where they are no near copies."""
    mine, theirs = _Side.of(one, texts[0]), _Side.of(other, texts[1])
    if min(len(mine.words), len(theirs.words)) < _LEAST_WORDS:
        return None
    if (exchanged := _exchanged(mine, theirs)) is not None:
        return (exchanged,)
    matcher = SequenceMatcher(
        None, [word.key for word in mine.words], [word.key for word in theirs.words], autojunk=False
    )
    if matcher.real_quick_ratio() < LEAST_ALIKE or matcher.ratio() < LEAST_ALIKE:
        return None
    changed = [(_Span(mine, a, b), _Span(theirs, c, d)) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
    return tuple(
        Edit(
            one=before.side.said(before.start, before.end),
            other=after.side.said(after.start, after.end),
            strength=_strength(before, after),
        )
        for before, after in changed
    )


def _strength(before: _Span, after: _Span) -> float:
    """Return how surely the change of some words changes the meaning."""
    if _other_facts(before, after):
        return FACT
    opposed, denied = _opposed(before, after), _denied(before, after)
    if opposed or denied:
        # not illegal is legal
        return WORD if opposed and denied else OPPOSITE if opposed else DENIAL
    added = [fact for fact in before.facts if not after.side.whole.states(fact, exact=True)]
    if added or any(not before.side.whole.states(fact, exact=True) for fact in after.facts):
        return ADDED
    return _of_words(before, after)


def _denied(before: _Span, after: _Span) -> bool:
    """Tell whether the one denies or narrows what the other says; in many new words that is said of something else."""
    few = max(len(before.words), len(after.words)) <= _DENIED_IN
    return few and before.turns() % 2 != after.turns() % 2


def _other_facts(before: _Span, after: _Span) -> bool:
    """Tell whether facts stand in place of others; names only such as the other text does not have at all."""
    old = [fact for fact in before.facts if not _stands(fact, after)]
    new = [fact for fact in after.facts if not _stands(fact, before)]
    return bool(old) and bool(new)


def _stands(fact: Fact, there: _Span) -> bool:
    if isinstance(fact, Name):
        return there.side.whole.states(fact, exact=True)
    # that a number stands elsewhere too is no excuse
    return found_in(fact, there.facts, exact=True)


def _of_words(before: _Span, after: _Span) -> float:
    old, new = before.content, after.content
    if not old and not new:
        return CHOICE if _junction(before) and _junction(after) and _junction(before) != _junction(after) else _STYLE
    if set(old) == set(new):
        return _STYLE
    if not old or not new:
        # what was only moved stands elsewhere in the other text
        moved = set(new or old) <= (before if new else after).side.whole.stems
        return _STYLE if moved else WORDS_ADDED
    # who rephrases looks for another word; one that the text already uses for something else says something else
    if len(new) == len(old) == 1 and _reused(before, after) and not _share_a_side(before, after):
        return REUSED
    return WORD


def _reused(before: _Span, after: _Span) -> bool:
    """Tell whether the new word stands in the old text too, and the old one is gone."""
    return set(after.content) <= before.side.whole.stems and not set(before.content) <= after.side.whole.stems


def _share_a_side(before: _Span, after: _Span) -> bool:
    mine, theirs = _ends(before), _ends(after)
    return any(axis in theirs and ends & theirs[axis] for axis, ends in mine.items())


def _opposed(before: _Span, after: _Span) -> bool:
    mine, theirs = _ends(before), _ends(after)
    opposite = any(axis in theirs and ends.isdisjoint(theirs[axis]) for axis, ends in mine.items())
    return opposite or _turned_by_beginning(before, after) or _turned_by_beginning(after, before)


def _ends(span: _Span) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for word in span.words:
        for axis, end in (*ends_of(word.key, span.language), *_ranks(word.key)):
            found.setdefault(axis, set()).add(end)
    return found


def _turned_by_beginning(one: _Span, other: _Span) -> bool:
    """Tell whether a word of the one is a word of the other with `un-`, `non-` … before it."""
    beginnings = _lexicon.words("prefixes")[one.language]
    there = {word.key for word in other.words}
    return any(
        word.key.startswith(beginning) and word.key.removeprefix(beginning).lstrip("-") in there
        for word in one.words
        for beginning in beginnings
    )


def _exchanged(mine: _Side, theirs: _Side) -> Edit | None:
    """Return the two words that have changed places, as in `A pays B` and `B pays A`; None where that is not all.

    Words in a list, or joined by `and`, may change places.
    """
    one, other = mine.telling, theirs.telling
    if len(one) != len(other) or sorted(root for root, _ in one) != sorted(root for root, _ in other):
        return None
    moved = [place for place, ((root, _), (became, _)) in enumerate(zip(one, other, strict=True)) if root != became]
    if len(moved) != 2 or moved[1] - moved[0] < 2:  # two words, and a word between them
        return None
    first, last = (one[place][1] for place in moved)
    between = _Span(mine, first + 1, last)
    if _junction(between) or "," in mine.text[mine.words[first].end : mine.words[last].start]:
        return None
    return Edit(one=mine.said(first, last + 1), other=theirs.said(*_ends_of(theirs, moved)), strength=ROLES)


def _ends_of(side: _Side, moved: Sequence[int]) -> tuple[int, int]:
    return side.telling[moved[0]][1], side.telling[moved[1]][1] + 1


def _junction(span: _Span) -> frozenset[str]:
    """Return which of `and` and `or` stand among the words."""
    words = {word.key for word in span.words}
    return frozenset(name for name, said in _junctions().items() if not words.isdisjoint(said))


@cache
def _junctions() -> dict[str, tuple[str, ...]]:
    return {name: tuple(map(plain, said)) for name, said in _lexicon.words("junctions").items()}


@cache
def _limiters() -> frozenset[str]:
    return frozenset(word for said in _lexicon.words("limiters").values() for word in said)


def _ranks(word: str) -> Iterator[tuple[str, int]]:
    """Yield which place in a row, and which month of the year, a word names."""
    yield from (("rank", rank) for rank in (_ordinals().get(word),) if rank)
    yield from (("month", month) for month in (month_of(word),) if month)


@cache
def _ordinals() -> dict[str, int]:
    return {plain(word): int(rank) for rank, said in _lexicon.words("ordinals").items() for word in said}
