"""What one text says that the other does not, weighed by what was asked."""

from dataclasses import dataclass

from flags._local._claims import Claim, Text
from flags._local._facts import Fact
from flags._local._kinds import asks, is_courtesy, refuses
from flags._local._pairs import Pairs

_FACT = 2.0
"""A fact weighs as much as two words."""
_NEAREST = 3
"""What a claim says may be spread over so many claims of the other text."""
_UNCOVERED, _COVERED = 0.25, 0.6
"""Up to the first share of its words a claim counts as not covered, from the second on as covered."""
_ASIDE = 0.5
"""Weight of a claim that shares no word with the question, where only what was asked matters."""


@dataclass(frozen=True, kw_only=True)
class Gap:
    """What one text says and the other does not: its weight, the weight of the whole text, the sentences."""

    weight: float
    total: float
    sentences: tuple[str, ...]

    @property
    def share(self) -> float:
        """Return the missing share of the text, in [0, 1]."""
        return self.weight / self.total if self.total else 0.0


def gap(pairs: Pairs, question: Text, *, excused: frozenset[str] = frozenset(), asked_only: bool = False) -> Gap:
    """Return what of `pairs.one` the other text lacks.

    Facts whose words are `excused` (they are in conflict, so both texts speak of them) count as covered. With
    `asked_only` claims that share no word with the question weigh less.
    """
    missing: list[tuple[float, str]] = []
    total = 0.0
    for place, claim in enumerate(pairs.one.claims):
        if asks(claim) or is_courtesy(claim, pairs.one.language) or refuses(claim, pairs.one.language, question):
            continue
        relevance = _ASIDE if asked_only and claim.stems.isdisjoint(question.stems) else 1.0
        told = _Told.of(claim, question)
        total += relevance * told.weight
        missing.append((relevance * told.missing(pairs, place, excused), claim.text))
    sentences = tuple(text for weight, text in sorted(missing, key=lambda one: -one[0]) if weight >= 1)
    return Gap(weight=sum(weight for weight, _ in missing), total=total, sentences=sentences)


@dataclass(frozen=True)
class _Told:
    """What a claim says beyond the question."""

    stems: frozenset[str]
    facts: tuple[Fact, ...]

    @classmethod
    def of(cls, claim: Claim, question: Text) -> "_Told":
        return cls(claim.stems - question.stems, tuple(fact for fact in claim.facts if not question.states(fact)))

    @property
    def weight(self) -> float:
        return len(self.stems) + _FACT * len(self.facts)

    def missing(self, pairs: Pairs, place: int, excused: frozenset[str]) -> float:
        lacking = [fact for fact in self.facts if fact.text not in excused and not pairs.other.states(fact)]
        uncovered = (_COVERED - self._covered(pairs, place)) / (_COVERED - _UNCOVERED)
        return len(self.stems) * min(1.0, max(0.0, uncovered)) + _FACT * len(lacking)

    def _covered(self, pairs: Pairs, place: int) -> float:
        if not self.stems or not pairs.other.claims:
            return 0.0
        nearest = pairs.likeness[place].argsort()[-_NEAREST:]
        found = frozenset[str]().union(*(pairs.other.claims[column].stems for column in nearest))
        return max(len(self.stems & found) / len(self.stems), float(pairs.meaning[place].max()))
