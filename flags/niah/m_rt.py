"""M-RT: N facts at N depths, and the questions for all their values."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from flags.niah._assigned import by_name, in_order
from flags.niah._corpus import Corpus
from flags.niah._facts import Fact, NeedleSource
from flags.niah._hide import MOST, Hidden, hide, luck
from flags.niah._match import check_expected, is_within, match_number, match_text
from flags.niah._numbers import numbers, plain_number
from flags.niah._reading import Reading, blanked, listed, read, unanswered
from flags.niah._task import Borrowed, Score, Spec, Tokenizer, Trial

_SCORER: Literal["substring"] = "substring"


@dataclass(frozen=True, kw_only=True)
class MultiNeedle(Hidden):
    """Retrieve N values; the score is the share found. Scored by `substring` for each needle."""

    title: ClassVar[str] = "M-RT"
    counts: ClassVar[tuple[int, int, int]] = (1, 3, MOST)

    needles: NeedleSource = field(default_factory=NeedleSource)

    def make(self, spec: Spec, corpus: Corpus | None, tokenizer: Tokenizer) -> Trial:
        """Return a document with N facts, and the question for each of their values."""
        facts = self.needles.draw(self.count(spec), luck(spec))
        trial = Trial(
            question=_question(facts),
            expected=tuple(fact.value for fact in facts),
            needles=self.placed(spec, facts),
            known=tuple(dict.fromkeys(name for fact in facts for name in (fact.entity, fact.attribute) if name)),
            details={"entities": tuple(fact.entity for fact in facts)},
        )
        return hide(spec, trial, corpus, tokenizer)

    async def score(self, trial: Trial, response: str, borrowed: Borrowed) -> Score:
        """Return the share of the values that the response gives, each for its own entity."""
        check_expected(trial.expected)
        if self.literal or self.scorer in ("semantic", "llm_judge"):
            each = [dataclasses.replace(trial, expected=(value,)) for value in trial.expected]
            return _shared([await self.one(one, response, borrowed, _SCORER) for one in each])
        reading = read(trial, response, lines=True)
        early = unanswered(reading, _SCORER, ", ".join(trial.expected)) or self._dumped(trial, reading)
        return early or _shared(list(self._each(trial, reading)))

    def _each(self, trial: Trial, reading: Reading) -> Iterator[Score]:
        entities: Sequence[str] = trial.details.get("entities", ())
        named = by_name(reading.names, [name for name in entities if name])
        listing = () if named or not entities else in_order(reading.text, len(trial.expected))
        for index, expected in enumerate(trial.expected):
            said = reading.text
            if listing:
                said = listing[index]
            elif named and entities[index]:
                said = blanked(named.get(entities[index], ""), trial.known)
            yield self._matched(dataclasses.replace(reading, text=said), expected)

    def _matched(self, reading: Reading, expected: str) -> Score:
        scorer = self.scorer or _SCORER
        value = plain_number(expected)
        if value is None:
            return match_text(reading, expected, (), scorer="exact" if scorer == "exact" else _SCORER)
        is_numeric = scorer in ("auto", "numeric")
        tolerance = self.tolerance_of(expected) if is_numeric else 0.0
        said = next((number for number in numbers(reading.text) if is_within(number, value, tolerance)), None)
        # in a list of values the one asked for may stand among the others
        alone = dataclasses.replace(reading, text=said.written if said else reading.text)
        return match_number(alone, expected, tolerance, scorer="numeric" if is_numeric else scorer)

    def _dumped(self, trial: Trial, reading: Reading) -> Score | None:
        values = [value for value in map(plain_number, trial.expected) if value is not None]
        strange = {
            number.value
            for number in numbers(blanked(reading.text, trial.expected))
            if not any(is_within(number, value, self.tolerance) for value in values)
        }
        if len(strange) <= max(len(trial.expected), 3):
            return None
        says = f"Beside the values asked for the response states {listed(f'{value:g}' for value in sorted(strange))}."
        return Score(score=0.0, category="dump", scorer=_SCORER, explanation=says)


def _question(facts: Sequence[Fact]) -> str:
    asked = "\n".join(f"- {fact.question}" for fact in facts)
    return f"{asked}\nProvide only the values, one a line, in the order of the questions."


def _shared(scores: Sequence[Score]) -> Score:
    unscored = next((score for score in scores if score.score is None), None)
    if unscored:
        return unscored
    found = [score.score or 0.0 for score in scores]
    share = sum(found) / len(found)
    missed = next((score for score in scores if not score.score), None)
    says = f"{sum(map(bool, found))} of {len(found)} values are given." + (f" {missed.explanation}" if missed else "")
    first = scores[0]
    if missed is None:
        return Score(score=1.0, category="correct", scorer=first.scorer, explanation=says)
    category = "partial" if share > 0 else missed.category
    return Score(score=share, category=category, scorer=first.scorer, explanation=says)
