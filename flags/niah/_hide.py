"""What the tasks that hide needles in filler share: draws by seed, depths, the document."""

import dataclasses
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from flags.niah._build import Document, build
from flags.niah._corpus import Corpus
from flags.niah._depths import depths
from flags.niah._errors import HaystackUnknown
from flags.niah._facts import Fact
from flags.niah._filler import draw
from flags.niah._scorers import Scoring
from flags.niah._task import Distribution, Needle, Spec, Tokenizer, Trial

MOST = 1000
"""So many needles a document may hold."""


@dataclass(frozen=True, kw_only=True)
class Hidden(Scoring):
    """Needles in filler: `delta` is how far the strategy `centered` reaches, `pad` allows a corpus to be repeated."""

    title: ClassVar[str] = ""
    counts: ClassVar[tuple[int, int, int]] = (1, 1, 1)
    distribution: ClassVar[Distribution | None] = "uniform"
    is_swept: ClassVar[bool] = False
    has_filler: ClassVar[bool] = True

    delta: float = 0.1
    pad: bool = False

    def placed(self, spec: Spec, facts: Sequence[Fact]) -> tuple[Needle, ...]:
        """Return the facts as needles at the depths of the cell's strategy."""
        return needles_of(facts, self.depths(spec, len(facts)))

    def depths(self, spec: Spec, count: int) -> tuple[float, ...]:
        """Return so many depths by the cell's strategy, or the task's own."""
        rng = random.Random(f"depths|{_place(spec)}")
        strategy = spec.distribution or self.distribution or "uniform"
        return depths(strategy, count, spec.depth, self.delta, rng)

    def count(self, spec: Spec) -> int:
        """Return the number of needles of a cell."""
        return self.counts[1] if spec.num_needles is None else spec.num_needles


def needles_of(facts: Sequence[Fact], at: Sequence[float]) -> tuple[Needle, ...]:
    """Return facts as needles at the given depths."""
    return tuple(
        Needle(text=fact.text, value=fact.value, entity=fact.entity, attribute=fact.attribute, wanted=depth)
        for fact, depth in zip(facts, at, strict=True)
    )


def luck(spec: Spec) -> random.Random:
    """Return the draws of a cell's needles: the same for every model, length, depth and haystack."""
    return random.Random(f"needles|{spec.seed}|{spec.trial}|{spec.task}")


def hide(spec: Spec, trial: Trial, corpus: Corpus | None, tokenizer: Tokenizer) -> Trial:
    """Return the trial with its document: its needles in filler that holds none of their values and names."""
    if corpus is None:
        raise HaystackUnknown(f"The task {spec.task} needs a haystack.")
    hidden = {phrase for needle in trial.needles for phrase in (needle.value, needle.entity) if phrase}
    filler = draw(corpus, f"filler|{_place(spec)}", sorted(hidden))
    document: Document = build(filler, trial.needles, spec.context_length, tokenizer)
    return dataclasses.replace(trial, document=document.text, tokens=document.tokens, needles=document.needles)


def _place(spec: Spec) -> str:
    return f"{spec.seed}|{spec.context_length}|{spec.depth:.6f}|{spec.trial}"
