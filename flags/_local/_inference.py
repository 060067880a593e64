"""What a borrowed model of inference says of two answers: does one follow from the other, or contradict it?"""

from dataclasses import replace

import numpy as np

from flags._flag import Entailment
from flags._local._conflicts import Conflict
from flags._local._pairs import Pairs
from flags._local._verdicts import LIKELY, Difference

_ALIKE = 0.3
"""Sentences at least so alike are put to the model: a pair that speaks of two things contradicts nothing."""
_PAIRS = 12
_SURE = 0.8
"""From this probability on a contradiction counts as found: models of inference are seldom unsure."""


async def inferred(found: Difference, pairs: Pairs, model: Entailment) -> Difference:
    """Return the difference with what the model says of the sentences most alike.

    Each pair of sentences is read in both directions. What was edited in a copy is decided without the model.
    """
    places = sorted(pairs.best(_ALIKE), key=lambda place: -pairs.likeness[place])[:_PAIRS]
    if not places or (found.is_copy and found.score >= LIKELY):
        return found
    said = [(pairs.one.claims[row].text, pairs.other.claims[column].text) for row, column in places]
    there_and_back = [*((other, one) for one, other in said), *said]
    weighed = np.asarray(await model.weigh(there_and_back), dtype=np.float64)
    entails, contradicts = weighed[: len(said), 0], (weighed[: len(said), 1] + weighed[len(said) :, 1]) / 2
    new = tuple(
        Conflict(one=one, other=other, one_claim=one, other_claim=other, strength=float(surely))
        for (one, other), surely in zip(said, contradicts, strict=True)
        if surely >= _SURE
    )
    doubt = max(float(contradicts.max()), 1 - float(entails.mean()))
    return replace(found, score=(found.score + doubt) / 2, conflicts=(*found.conflicts, *new))
