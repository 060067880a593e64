"""Key-Value: K pairs scattered in the document, and the question for the value of one key."""

import dataclasses
import random
import re
from dataclasses import dataclass
from typing import ClassVar

from flags.niah._corpus import Corpus
from flags.niah._entities import code
from flags.niah._facts import ONLY_VALUE, Fact
from flags.niah._hide import MOST, Hidden, hide, luck, needles_of
from flags.niah._task import Borrowed, Score, Spec, Tokenizer, Trial

_KEY = re.compile(r"\bkv_[0-9a-f]{6}\b")
_READ = 5000


@dataclass(frozen=True, kw_only=True)
class KeyValue(Hidden):
    """Retrieve the value of one of K keys; num_needles is K. The pair asked for stands at the cell's depth.

    The others are spread by the distribution. Scored by `exact`.
    """

    title: ClassVar[str] = "Key-Value"
    counts: ClassVar[tuple[int, int, int]] = (1, 10, MOST)
    is_swept: ClassVar[bool] = True

    def make(self, spec: Spec, corpus: Corpus | None, tokenizer: Tokenizer) -> Trial:
        """Return a document with K pairs `kv_7a3f2b: value`, and the question for one of them."""
        facts = _pairs(luck(spec), self.count(spec))
        wanted, others = facts[0], facts[1:]
        around = self.depths(spec, len(others)) if others else ()
        trial = Trial(
            question=f"{wanted.question} {ONLY_VALUE}",
            expected=(wanted.value,),
            needles=needles_of(facts, (spec.depth, *around)),
            known=tuple(fact.entity for fact in facts),
            decoys=tuple(fact.value for fact in others),
        )
        return hide(spec, trial, corpus, tokenizer)

    async def score(self, trial: Trial, response: str, borrowed: Borrowed) -> Score:
        """Return 1 for the value of the key asked for, else 0."""
        # a response may name keys; they are no candidates for a value
        named = dataclasses.replace(trial, known=(*trial.known, *_KEY.findall(response[:_READ])))
        return await self.one(named, response, borrowed, "exact")


def _pairs(rng: random.Random, count: int) -> tuple[Fact, ...]:
    keys: dict[str, None] = {}
    values: dict[str, None] = {}
    while len(keys) < count:
        keys[f"kv_{rng.getrandbits(24):06x}"] = None
    while len(values) < count:
        values[code(rng)] = None
    return tuple(
        Fact(text=f"{key}: {value}", value=value, question=f"What is the value of the key {key}?", entity=key)
        for key, value in zip(keys, values, strict=True)
    )
