"""Distractor: the fact asked for among others whose entity differs in its number only."""

from dataclasses import dataclass
from typing import ClassVar

from flags.niah._corpus import Corpus
from flags.niah._entities import ATTRIBUTES, neighbours, value
from flags.niah._errors import SpecRefused
from flags.niah._facts import ONLY_VALUE, fact
from flags.niah._hide import MOST, Hidden, hide, luck, needles_of
from flags.niah._task import Borrowed, Distribution, Score, Spec, Tokenizer, Trial


@dataclass(frozen=True, kw_only=True)
class Distractor(Hidden):
    """Retrieve the value of exactly the right entity, which stands at the cell's depth.

    The `distractors` surround it (`centered`) or are spread by another distribution. Scored by `exact`.
    """

    title: ClassVar[str] = "Distractor"
    distribution: ClassVar[Distribution | None] = "centered"
    is_swept: ClassVar[bool] = True

    distractors: int = 4

    def __post_init__(self) -> None:
        """Refuse a number of distractors no document can hold."""
        if not 1 <= self.distractors < MOST:
            raise SpecRefused(f"`distractors` must be 1 to {MOST - 1}, not {self.distractors}.")

    def make(self, spec: Spec, corpus: Corpus | None, tokenizer: Tokenizer) -> Trial:
        """Return a document with the fact and its neighbours, and the question for its value."""
        self.count(spec)
        rng = luck(spec)
        names = neighbours(rng, self.distractors + 1)
        attribute = rng.choice(ATTRIBUTES)
        taken: set[str] = set()
        facts = tuple(fact(name, attribute, value(rng, "float", taken)) for name in names)
        trial = Trial(
            question=f"{facts[0].question} {ONLY_VALUE}",
            expected=(facts[0].value,),
            needles=needles_of(facts, (spec.depth, *self.depths(spec, self.distractors))),
            known=(*names, attribute),
            decoys=tuple(other.value for other in facts[1:]),
        )
        return hide(spec, trial, corpus, tokenizer)

    async def score(self, trial: Trial, response: str, borrowed: Borrowed) -> Score:
        """Return 1 for the value of the entity asked for, else 0."""
        return await self.one(trial, response, borrowed, "exact")
