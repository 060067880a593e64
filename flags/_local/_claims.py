"""An answer as the rules read it: claims with their words, facts and clauses."""

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

from flags._local._extract import facts_of
from flags._local._facts import Fact, Name, Quantity, found_in
from flags._local._language import Language, language_of, shows
from flags._local._negation import negates, unidiomatic
from flags._local._segment import sentences
from flags._local._sides import Side, sides_of
from flags._local._words import plain, stems, words

_CLAUSE = re.compile(
    r"[,;:()–—]\s(?!\d)|\s[–-]\s|\b(?:but|while|whereas|aber|sondern|während|mais|tandis|ma|mentre)\b", re.I
)
_CLAUSES, _SIDES = 40, 40
"""So many of a claim are read: sentences have few, and what has more is a list or an attack."""
_COMPARED = 200
"""So many facts of a text are compared one by one, with rounding; those beyond must be equal as written."""


@dataclass(frozen=True, kw_only=True)
class Clause:
    """A part of a claim within which a negation reaches; `sides` are its words that have an opposite."""

    text: str
    words: frozenset[str]
    stems: frozenset[str]
    negated: bool
    sides: tuple[Side, ...]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One sentence: its content stems, the facts it states, its clauses."""

    text: str
    stems: frozenset[str]
    facts: tuple[Fact, ...]
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, kw_only=True)
class Text:
    """A whole text, read once; `is_clear` tells whether it clearly shows its language."""

    language: Language
    is_clear: bool
    claims: tuple[Claim, ...]
    words: frozenset[str]

    @cached_property
    def stems(self) -> frozenset[str]:
        """Return the content stems of all claims."""
        return frozenset().union(*(claim.stems for claim in self.claims))

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Return the facts of all claims, equal ones once."""
        return tuple({(type(fact), fact.keys): fact for claim in self.claims for fact in claim.facts}.values())

    def states(self, fact: Fact, *, exact: bool = False, loose: bool = False) -> bool:
        """Tell whether the text contains the fact; a name by its words, an acronym by words with its initials.

        `loose` lets a number stand without its scale: 1,577 for 1,577 million.
        """
        named = isinstance(fact, Name) and fact.kind == "name" and self._names(fact)
        if named or not self._keys.isdisjoint(fact.keys) or found_in(fact, self.facts[:_COMPARED], exact=exact):
            return True
        return loose and isinstance(fact, Quantity) and any(map(fact.scaled, self.facts[:_COMPARED]))

    def _names(self, name: Name) -> bool:
        return self.words.issuperset(name.key.split()) or name.key.replace("&", "") in self._initials

    @cached_property
    def _initials(self) -> frozenset[str]:
        """Return the initials of two to five words in a row: what an acronym may stand for."""
        found = set()
        for claim in self.claims:
            letters = "".join(word[0] for word in map(plain, words(claim.text.replace("-", " "))))
            found |= {letters[place : place + size] for place in range(len(letters)) for size in range(2, 6)}
        return frozenset(found)

    @cached_property
    def _keys(self) -> frozenset[Hashable]:
        return frozenset(key for fact in self.facts for key in fact.keys)


@lru_cache(maxsize=128)
def read(text: str, otherwise: Language = "en") -> Text:
    """Read a text; `otherwise` is the language assumed where the text does not show its own."""
    found = words(text)
    language = language_of(found, otherwise)
    return Text(
        language=language,
        is_clear=shows(found, language),
        claims=tuple(_claim(sentence, language) for sentence in sentences(text)),
        words=frozenset(plain(word) for word in found),
    )


def _claim(text: str, language: Language) -> Claim:
    return Claim(
        text=text,
        stems=frozenset(stems(words(text), language)),
        facts=facts_of(text, language),
        clauses=tuple(islice(_clauses(text, language), _CLAUSES)),
    )


def _clauses(text: str, language: Language) -> Iterator[Clause]:
    for part in _CLAUSE.split(unidiomatic(text)):
        found = words(part)
        if found:
            yield Clause(
                text=part.strip(),
                words=frozenset(found),
                stems=frozenset(stems((word for word in found if not negates(word, language)), language)),
                negated=any(negates(word, language) for word in found),
                sides=tuple(islice(sides_of(found, language), _SIDES)),
            )
