"""Where two texts cannot both be true: numbers, dates, names, negations, opposites, yes and no."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from flags._local import _lexicon
from flags._local._claims import Claim, Clause, Text
from flags._local._copies import Changes, changes
from flags._local._facts import Fact, Name, Quantity
from flags._local._pairs import Pairs, dice
from flags._local._sides import turned
from flags._local._words import stems, words

_SAME_TOPIC = 0.4
"""Claims at least so alike speak of the same thing."""
_NEAR_COPY = 0.75
"""Claims at least so alike in words are copies: numbers must then agree exactly, and a name is not a synonym."""
_EXACT, _LIKELY = 0.95, 0.8
"""How sure a conflict is: of facts in copies and of yes against no; of all others."""
_COVERS = 0.6
_CHANGES = 0.6
"""Edits at least so strong are conflicts."""
_FACTS = 60
"""So many facts of a claim are compared with those of another."""
_CONTEXT = 40
"""Characters around a fact that tell what it is said of."""
_FIRST_WORD = re.compile(r"(\w+)(?=\s{0,3}(?:[,.;:!–-]|$))")


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """What the one text says and what the other says in its place, with the sentences they stand in.

    `strength` in [0, 1] is how sure it is that both cannot be true.
    """

    one: str
    other: str
    one_claim: str
    other_claim: str
    strength: float


def conflicts(pairs: Pairs, made: Changes | None = None, *, alike: float = _SAME_TOPIC) -> tuple[Conflict, ...]:
    """Return the conflicts of claims at least so `alike`: yes against no, then facts, words and edits, each once.

    `made` is what `changes` returns for the same texts, where it is known.
    """
    found: dict[tuple[str, str], Conflict] = {}
    aligned = [(pairs.one.claims[row], pairs.other.claims[column]) for row, column in pairs.best(alike)]
    for rule in (_of_facts, _of_negation, _of_opposites):
        for one, other in aligned:
            for conflict in rule(one, other, pairs):
                found.setdefault((conflict.one, conflict.other), conflict)
    told = {(conflict.one_claim, conflict.other_claim) for conflict in found.values()}
    for conflict in _of_edits(made or changes(pairs)):
        if (conflict.one_claim, conflict.other_claim) not in told:
            found.setdefault((conflict.one, conflict.other), conflict)
    return (*_of_yes_and_no(pairs), *found.values())


def _of_facts(one: Claim, other: Claim, pairs: Pairs) -> Iterator[Conflict]:
    """Yield facts of one sort that stand in the same place, each unknown to the whole other text."""
    exact = dice(_unnamed(one, pairs.one), _unnamed(other, pairs.other)) >= _NEAR_COPY
    here = [fact for fact in one.facts[:_FACTS] if not pairs.other.states(fact, exact=exact)]
    there = [fact for fact in other.facts[:_FACTS] if not pairs.one.states(fact, exact=exact)]
    for fact in here:
        rivals = [rival for rival in there if fact.rivals(rival)]
        near = [
            rival
            for rival in rivals
            if _same_place(_Said(fact, one, pairs.one), _Said(rival, other, pairs.other), exact)
        ]
        if near:
            strength = _EXACT if exact else _LIKELY
            yield Conflict(
                one=fact.text, other=near[0].text, one_claim=one.text, other_claim=other.text, strength=strength
            )


def _of_edits(made: Changes) -> Iterator[Conflict]:
    """Yield what copies changed so that they say something else."""
    for one, other, edits in made.found:
        for edit in edits:
            if edit.strength >= _CHANGES:
                yield Conflict(
                    one=edit.one, other=edit.other, one_claim=one.text, other_claim=other.text, strength=edit.strength
                )


def _unnamed(claim: Claim, text: Text) -> frozenset[str]:
    """Return the stems of a claim without those of its facts: what is left when names and units are other ones."""
    said = (word for fact in claim.facts for word in stems(words(fact.text), text.language))
    return claim.stems.difference(said)


@dataclass(frozen=True)
class _Said:
    """A fact in the claim and text that state it."""

    fact: Fact
    claim: Claim
    text: Text

    @property
    def alone(self) -> bool:
        """Tell whether the claim states no other fact of this sort, and the sort says what it is about."""
        plain_number = isinstance(self.fact, Quantity) and self.fact.kind == "number"
        return not plain_number and sum(self.fact.rivals(another) for another in self.claim.facts) == 1

    @property
    def context(self) -> frozenset[str]:
        """Return the content stems close to the fact."""
        end = self.fact.start + len(self.fact.text)
        before = self.claim.text[max(0, self.fact.start - _CONTEXT) : self.fact.start]
        after = self.claim.text[end : end + _CONTEXT]
        return frozenset(stems(words(f"{before} {after}"), self.text.language))


def _same_place(one: _Said, other: _Said, exact: bool) -> bool:
    """Tell whether the facts are said of the same thing; names differ only in copies, elsewhere they are new."""
    if exact or (isinstance(one.fact, Name) and one.fact.kind == "name"):
        return exact
    return (one.alone and other.alone) or not one.context.isdisjoint(other.context)


def _of_negation(one: Claim, other: Claim, pairs: Pairs) -> Iterator[Conflict]:
    """Yield clauses of which one denies what the other states, unless the other text denies it too."""
    for mine in one.clauses:
        for theirs in other.clauses:
            if mine.negated == theirs.negated or not _denies(mine, theirs, pairs):
                continue
            yield _between(mine.text, theirs.text, one, other)


def _denies(mine: Clause, theirs: Clause, pairs: Pairs) -> bool:
    denied, stated = (mine, theirs) if mine.negated else (theirs, mine)
    stating = pairs.other if mine.negated else pairs.one
    least = 1 if len(pairs.one.claims) <= 2 and len(pairs.other.claims) <= 2 else 2
    common = denied.stems & stated.stems
    if len(common) < min(least, len(stated.stems) or 1) or not common:
        return False
    if len(common) < _COVERS * len(denied.stems) or len(common) < _COVERS * len(stated.stems):
        return False
    return not _turned_twice(denied, stated, stating) and not any(
        clause.negated and len(clause.stems & denied.stems) >= _COVERS * len(denied.stems)
        for claim in stating.claims
        for clause in claim.clauses
    )


def _turned_twice(denied: Clause, stated: Clause, stating: Text) -> bool:
    """Tell whether the denial is of the opposite: `not optional` says what `mandatory` says."""
    opposite = any(a.axis == b.axis and a.end != b.end for a in denied.sides for b in stated.sides)
    return opposite or _inverse(denied, stated, stating)


def _inverse(one: Clause, other: Clause, text: Text) -> bool:
    """Tell whether a word of one clause is a word of the other turned round by its beginning: legal, illegal."""
    ours, theirs = turned(one.words, text.language), turned(other.words, text.language)
    return not ours.isdisjoint(other.stems) or not theirs.isdisjoint(one.stems)


def _of_opposites(one: Claim, other: Claim, pairs: Pairs) -> Iterator[Conflict]:
    """Yield words on opposite sides of an axis, unless either claim names both sides."""
    for mine in _affirmed(one):
        for theirs in _affirmed(other):
            sides = [
                (side, opposite)
                for side in mine.sides
                for opposite in theirs.sides
                if side.opposes(opposite) and not _both(one, side.axis) and not _both(other, side.axis)
            ]
            if not sides and _inverse(mine, theirs, pairs.other) and mine.stems & theirs.stems:
                yield _between(mine.text, theirs.text, one, other)
            for side, opposite in sides:
                yield _between(side.word, opposite.word, one, other)


def _between(mine: str, theirs: str, one: Claim, other: Claim) -> Conflict:
    return Conflict(one=mine, other=theirs, one_claim=one.text, other_claim=other.text, strength=_LIKELY)


def _affirmed(claim: Claim) -> list[Clause]:
    return [clause for clause in claim.clauses if not clause.negated]


def _both(claim: Claim, axis: str) -> bool:
    return len({side.end for clause in claim.clauses for side in clause.sides if side.axis == axis}) > 1


def _of_yes_and_no(pairs: Pairs) -> Iterator[Conflict]:
    mine, theirs = opening(pairs.one), opening(pairs.other)
    if mine and theirs and mine != theirs:
        one, other = pairs.one.claims[0].text, pairs.other.claims[0].text
        yield Conflict(
            one=one.split()[0].strip(",.;:!"),
            other=other.split()[0].strip(",.;:!"),
            one_claim=one,
            other_claim=other,
            strength=_EXACT,
        )


def opening(text: Text) -> str:
    """Return `yes` or `no` where the text begins with such a word alone, else nothing."""
    match = _FIRST_WORD.match(text.claims[0].text) if text.claims else None
    return next((side for side, said in _yes_and_no().items() if match and match[1].casefold() in said), "")


@cache
def _yes_and_no() -> dict[str, tuple[str, ...]]:
    return dict(_lexicon.words("yesno"))
