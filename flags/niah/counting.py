"""Counting: a phrase that stands k times in the document, and the question how often."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from flags.niah import _literal
from flags.niah._corpus import Corpus
from flags.niah._errors import ExpectedRefused, SpecRefused
from flags.niah._facts import Fact
from flags.niah._hide import MOST, Hidden, hide
from flags.niah._match import candidates, check_expected
from flags.niah._numbers import numbers, plain_number
from flags.niah._reading import MANY, listed, missing, read, unanswered
from flags.niah._task import Borrowed, Category, Score, Spec, Tokenizer, Trial

_SCORER = "numeric"


@dataclass(frozen=True, kw_only=True)
class Counting(Hidden):
    """Count how often `phrase` stands in the document; num_needles is k. Near counts earn a part."""

    title: ClassVar[str] = "Counting"
    counts: ClassVar[tuple[int, int, int]] = (1, 5, MOST)

    phrase: str = "The secret password is ALPHA-7."

    def __post_init__(self) -> None:
        """Refuse a phrase without words."""
        if not any(character.isalnum() for character in self.phrase):
            raise SpecRefused("`phrase` must hold a word.")

    def make(self, spec: Spec, corpus: Corpus | None, tokenizer: Tokenizer) -> Trial:
        """Return a document with the phrase k times, and the question how often it appears."""
        count = self.count(spec)
        fact = Fact(text=self.phrase, value=self.phrase.rstrip(".!?"), question="")
        trial = Trial(
            question=f"How many times does the phrase “{fact.value}” appear in the document? Provide only the number.",
            expected=(str(count),),
            needles=self.placed(spec, [fact] * count),
            known=(fact.value,),
        )
        return hide(spec, trial, corpus, tokenizer)

    async def score(self, trial: Trial, response: str, borrowed: Borrowed) -> Score:
        """Return 1 for the right number x, else max(0, 1 − |x − k| / k)."""
        if self.scorer not in ("", _SCORER):
            return await self.one(trial, response, borrowed, "numeric")
        check_expected(trial.expected)
        expected = trial.expected[0]
        count = plain_number(expected)
        if count is None or count < 1 or count != int(count):
            raise ExpectedRefused(f"The expected count “{expected}” is no whole number above 0.")
        if self.literal:
            return _graded(_literal.first_number(response), int(count), "numeric (literal)")
        reading = read(trial, response)
        early = unanswered(reading, _SCORER, expected)
        if early:
            return early
        found = {number.value for number in candidates(reading.text)}
        if len(found) == 1:
            return _graded(found.pop(), int(count), _SCORER)
        if found:
            return _several(found)
        is_denied = any(number.value == count for number in numbers(reading.denied))
        return missing(reading, _SCORER, expected, is_denied=is_denied)


def _graded(said: float | None, count: int, scorer: str) -> Score:
    if said is None or said != int(said):
        return Score(score=0.0, category="wrong", scorer=scorer, explanation=f"No whole number is stated, not {count}.")
    share = max(0.0, 1.0 - abs(said - count) / count)
    says = f"The response counts {said:g}, there are {count}: max(0, 1 − |{said:g} − {count}| / {count})."
    category: Category = "correct" if said == count else "partial" if share > 0 else "wrong"
    return Score(score=share, category=category, scorer=scorer, explanation=says)


def _several(found: Iterable[float]) -> Score:
    stated = [f"{value:g}" for value in sorted(found)]
    says = f"The response states {listed(stated)}; more than one count is no answer."
    return Score(score=0.0, category="dump" if len(stated) >= MANY else "ambiguous", scorer=_SCORER, explanation=says)
