"""Conflicting: two facts that cannot both be true, and which of them the response believes."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from flags.niah import _literal
from flags.niah._corpus import Corpus
from flags.niah._entities import ATTRIBUTES, ValueKind, entity, value
from flags.niah._errors import ExpectedRefused
from flags.niah._facts import ONLY_VALUE, fact
from flags.niah._hide import Hidden, hide, luck
from flags.niah._match import candidates, check_expected, is_within, match_text
from flags.niah._numbers import plain_number
from flags.niah._reading import Reading, read, unanswered
from flags.niah._task import Borrowed, Score, Spec, Tokenizer, Trial

_Chosen = Literal["first", "last", "both", "neither"]
_SCORER = "categorical"
_SAYS = {
    "first": "The response gives the first of the two values (primacy).",
    "last": "The response gives the last of the two values (recency).",
    "both": "The response gives both values.",
    "neither": "The response gives neither value, or not only one answer.",
}


@dataclass(frozen=True, kw_only=True)
class Conflicting(Hidden):
    """Two values of one entity at two depths; the category is the one chosen.

    The score is 1 for the one that `answer` names. Only the scorer `categorical` can tell them apart.
    """

    title: ClassVar[str] = "Conflicting"
    counts: ClassVar[tuple[int, int, int]] = (2, 2, 2)

    answer: Literal["first", "last"] = "last"
    value: ValueKind = "integer"
    scorer: Literal["", "categorical"] = ""  # type: ignore[assignment]

    def make(self, spec: Spec, corpus: Corpus | None, tokenizer: Tokenizer) -> Trial:
        """Return a document with two values for the same question; `expected` holds them as they stand."""
        rng = luck(spec)
        self.count(spec)
        name, attribute, taken = entity(rng, set()), rng.choice(ATTRIBUTES), set[str]()
        kind = rng.choice(("integer", "float", "code")) if self.value == "any" else self.value
        facts = [fact(name, attribute, value(rng, kind, taken)) for _ in range(2)]
        trial = Trial(
            question=f"{facts[0].question} {ONLY_VALUE}",
            expected=tuple(each.value for each in facts),
            needles=self.placed(spec, facts),
            known=(name, attribute),
        )
        return hide(spec, trial, corpus, tokenizer)

    async def score(self, trial: Trial, response: str, borrowed: Borrowed) -> Score:
        """Return 1 for the value named in `answer`, with the category first, last, both or neither."""
        check_expected(trial.expected)
        if len(trial.expected) != 2:
            raise ExpectedRefused("Conflicting needs two expected answers: the first and the last of the document.")
        if self.literal:
            found = [_literal.contains(expected, response).score == 1.0 for expected in trial.expected]
            return self._scored(_named(*found), "categorical (literal)")
        reading = read(trial, response)
        early = unanswered(reading, _SCORER, " or ".join(trial.expected))
        if early and early.category == "empty":
            return early
        return self._scored(_chosen(reading, trial.expected), _SCORER)

    def _scored(self, chosen: _Chosen, scorer: str) -> Score:
        return Score(score=float(chosen == self.answer), category=chosen, scorer=scorer, explanation=_SAYS[chosen])


def _named(is_first: bool, is_last: bool) -> _Chosen:
    if is_first and is_last:
        return "both"
    return "first" if is_first else "last" if is_last else "neither"


def _chosen(reading: Reading, expected: tuple[str, ...]) -> _Chosen:
    values = [plain_number(value) for value in expected]
    if None in values:
        found = [match_text(reading, value, (), scorer="substring").score == 1.0 for value in expected]
        return _named(*found)
    stated = candidates(reading.text)
    hits = [[number for number in stated if is_within(number, value or 0.0, 0.0)] for value in values]
    others = {number.value for number in stated if number not in hits[0] and number not in hits[1]}
    chosen = _named(bool(hits[0]), bool(hits[1]))
    # one of the two among other numbers is no choice
    return "neither" if others and chosen != "both" else chosen
