"""S-RT: a single fact at a depth, and the question for its value."""

from dataclasses import dataclass, field
from typing import ClassVar

from flags.niah._corpus import Corpus
from flags.niah._facts import ONLY_VALUE, NeedleSource
from flags.niah._hide import Hidden, hide, luck
from flags.niah._task import Borrowed, Score, Spec, Tokenizer, Trial


@dataclass(frozen=True, kw_only=True)
class SingleNeedle(Hidden):
    """Retrieve one value; scored by `auto`."""

    title: ClassVar[str] = "S-RT"
    is_swept: ClassVar[bool] = True

    needles: NeedleSource = field(default_factory=NeedleSource)

    def make(self, spec: Spec, corpus: Corpus | None, tokenizer: Tokenizer) -> Trial:
        """Return a document with one fact, and the question for its value."""
        facts = self.needles.draw(self.count(spec), luck(spec))
        fact = facts[0]
        trial = Trial(
            question=f"{fact.question} {ONLY_VALUE}",
            expected=(fact.value,),
            needles=self.placed(spec, facts),
            known=tuple(name for name in (fact.entity, fact.attribute) if name),
        )
        return hide(spec, trial, corpus, tokenizer)

    async def score(self, trial: Trial, response: str, borrowed: Borrowed) -> Score:
        """Return 1 for the value, else 0."""
        return await self.one(trial, response, borrowed, "auto")
