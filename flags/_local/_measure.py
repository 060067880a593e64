"""What tells whether two answers say the same, in numbers from 0 (nothing speaks against it) to 1."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flags._local._claims import Text
from flags._local._conflicts import Conflict, opening
from flags._local._facts import Clock, Day, Fact, Quantity
from flags._local._kinds import is_refusal
from flags._local._pairs import Pairs
from flags._local._stock import Stock
from flags._local._words import stems, words

_OPTIONS = re.compile(r"\s/\s|\n\s*(?:or|oder|ou|oppure|o)\s*\n")
_OPTION = 6
"""An option is a name or a date: what has more words than this is a sentence with a stroke in it."""
_FEW = 3
"""A reference with so few facts of its own is about them."""
_CLEAR = 2
"""In answers of so few sentences a conflict is surely about the same thing; in longer ones less surely."""


@dataclass(frozen=True, kw_only=True)
class Measures:
    """What speaks against two answers being the same, each in [0, 1] but `polarity` in [-1, 1].

    `lacking`: words of the reference, beyond the question's, that the answer lacks; `far`: how far the sentences of the
    reference are from the nearest of the answer, in what they say beyond the question; `apart`: the same of the
    reference as a whole; `conflict`: how sure the surest conflict is; `polarity`: yes against no (1), or the same (-1);
    `facts`: share of the reference's numbers and dates that the answer lacks; `clash`: the answer gives others instead;
    `refusal`: one of them declines.
    """

    lacking: float
    far: float
    apart: float
    conflict: float
    polarity: float
    facts: float
    clash: float
    refusal: float


def measure(pairs: Pairs, question: Text, found: Sequence[Conflict]) -> Measures:
    """Return the measures of reference (`pairs.one`) and answer (`pairs.other`), given the conflicts `found`."""
    key = [fact for fact in pairs.one.facts if _is_number(fact) and not question.states(fact)]
    lost = [fact for fact in key if not pairs.other.states(fact, loose=True)]
    longest = max(len(pairs.one.claims), len(pairs.other.claims), 1)
    surest = max((conflict.strength for conflict in found), default=0.0)
    return Measures(
        lacking=_lacking(pairs, question),
        far=pairs.far,
        apart=pairs.apart,
        conflict=surest * min(1.0, _CLEAR / longest),
        polarity=_polarity(pairs),
        facts=len(lost) / len(key) if key else 0.0,
        clash=float(len(key) <= _FEW and bool(lost) and len(lost) == len(key) and _gives_others(pairs, question, lost)),
        refusal=float(is_refusal(pairs.one, question) != is_refusal(pairs.other, question)),
    )


def _lacking(pairs: Pairs, question: Text) -> float:
    """Return the share of words the answer lacks of the reference, or of its best option where it lists some."""
    stock = Stock(pairs.other.stems)
    return min(1 - stock.share(option - question.stems) for option in _options(pairs.one))


def _options(text: Text) -> Iterator[frozenset[str]]:
    """Yield the stems of each option of a reference like `June 1971 / the summer of 1971`, else those of the text."""
    whole = " ".join(claim.text for claim in text.claims)
    options = _OPTIONS.split(whole)
    found = [frozenset(stems(words(option), text.language)) for option in options]
    if len(options) > 1 and all(len(option) <= _OPTION for option in found):
        yield from filter(None, found)
    yield text.stems


def _polarity(pairs: Pairs) -> float:
    mine, theirs = opening(pairs.one), opening(pairs.other)
    return 0.0 if not mine or not theirs else -1.0 if mine == theirs else 1.0


def _is_number(fact: Fact) -> bool:
    return isinstance(fact, Quantity | Day | Clock)


def _gives_others(pairs: Pairs, question: Text, lost: Sequence[Fact]) -> bool:
    """Tell whether the answer states facts of the same sorts that neither reference nor question has."""
    return any(
        fact.rivals(other)
        for fact in lost
        for other in pairs.other.facts[:60]
        if _is_number(other) and not question.states(other) and not pairs.one.states(other, loose=True)
    )
