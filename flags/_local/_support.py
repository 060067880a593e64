"""What an answer says that its sources do not."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from flags._local._claims import Claim, Text
from flags._local._conflicts import Conflict, conflicts
from flags._local._facts import Fact, Name
from flags._local._kinds import asks, is_courtesy, refuses
from flags._local._pairs import Pairs
from flags._local._stock import Stock

_LEAST_WORDS = 4
_SUPPORTED = 0.5
"""A claim is supported when at least this share of its words stands in the passage nearest to it."""
_NEAREST = 4
_OFFSET, _WORDS, _MISSING_FACTS, _CONFLICT = -3.0, 5.0, 2.0, 3.0
"""How doubt grows with the share of words and of facts a claim has alone, and with a conflict: chosen by hand."""
_COPY = 0.65
"""Only claims that follow a source so closely are searched for conflicts with it: sources say much."""


class Support(Enum):
    """How far sources carry an answer."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """How far an answer is supported, and what is not: words of claims, and conflicts with the sources.

    `score` in [0, 1] is how surely something is not supported, one half and more where something is found.
    """

    support: Support
    unsupported: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    score: float = 0.0


def support(pairs: Pairs, question: Text) -> Ruling:
    """Return how far the sources (`pairs.one`) support the answer (`pairs.other`)."""
    told = [place for place, claim in enumerate(pairs.other.claims) if _tells(claim, pairs.other, question)]
    against = conflicts(pairs, alike=_COPY)
    loose = {place: list(_unsupported(place, pairs, question)) for place in told}
    contested = {conflict.other_claim for conflict in against}
    bad = [place for place in told if loose[place] or pairs.other.claims[place].text in contested]
    degree = Support.NONE if bad and len(bad) == len(told) else Support.PARTIAL if bad or against else Support.FULL
    doubts = [_doubt(place, pairs, question, against) for place in told]
    doubt = (max(doubts) + sum(doubts) / len(doubts)) / 2 if doubts else 0.0
    return Ruling(
        support=degree,
        unsupported=tuple(words for place in bad for words in loose[place]),
        conflicts=against,
        score=(doubt + (degree is not Support.FULL)) / 2,
    )


def _tells(claim: Claim, answer: Text, question: Text) -> bool:
    """Tell whether a claim needs support: it says something, and not only what the question said."""
    empty = asks(claim) or is_courtesy(claim, answer.language) or refuses(claim, answer.language, question)
    beyond = claim.stems - question.stems or any(not question.states(fact) for fact in claim.facts)
    return not empty and bool(beyond)


def _unsupported(place: int, pairs: Pairs, question: Text) -> Iterator[str]:
    """Yield the claim itself where its words are not in the sources, else its facts that no source states."""
    claim, sources = pairs.other.claims[place], pairs.one
    same_language = sources.language == pairs.other.language
    missing = [fact for fact in claim.facts if not sources.states(fact) and not question.states(fact)]
    missing = [fact for fact in missing if same_language or not _is_name(fact)]
    if same_language and _carried(place, pairs, question) < _SUPPORTED:
        yield claim.text
    else:
        yield from (fact.text for fact in missing)


def _doubt(place: int, pairs: Pairs, question: Text, against: Sequence[Conflict]) -> float:
    """Return how little of a claim stands in the passages nearest to it, in [0, 1]: words, facts, and no conflict."""
    claim, sources = pairs.other.claims[place], pairs.one
    nearest = pairs.likeness[:, place].argsort()[-_NEAREST:]
    stock = Stock(question.stems.union(*(sources.claims[row].stems for row in nearest)))
    facts = [fact for fact in claim.facts if not question.states(fact)]
    missing = sum(not sources.states(fact, loose=True) for fact in facts) / len(facts) if facts else 0.0
    surest = max((conflict.strength for conflict in against if conflict.other_claim == claim.text), default=0.0)
    total = _OFFSET + _WORDS * (1 - stock.share(claim.stems)) + _MISSING_FACTS * missing + _CONFLICT * surest
    return 1 / (1 + math.exp(-total))


def _is_name(fact: Fact) -> bool:
    return isinstance(fact, Name) and fact.kind == "name"


def _carried(place: int, pairs: Pairs, question: Text) -> float:
    """Return the share of a claim's words in the passages nearest to it, 1 for claims too short to tell."""
    stems = pairs.other.claims[place].stems
    if len(stems) < _LEAST_WORDS:
        return 1.0
    nearest = pairs.likeness[:, place].argsort()[-_NEAREST:]
    found = question.stems.union(*(pairs.one.claims[row].stems for row in nearest))
    return len(stems & found) / len(stems)
