"""ATC: relations between people and nothing else; the answer is some hops away."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from flags.niah._corpus import Corpus
from flags.niah._errors import DocumentImpossible, SpecRefused
from flags.niah._graphs import MAKE, Edge, Graph, Relation, Structure, question, sentence
from flags.niah._hide import luck
from flags.niah._people import people
from flags.niah._scorers import Scoring
from flags.niah._task import Borrowed, Distribution, Needle, Score, Spec, Tokenizer, Trial

FEWEST_HOPS, MOST_HOPS = 2, 10
_LEAST_TOKENS = 4
"""A relation has more tokens than this, so that a document never needs more names than it has such parts."""


@dataclass(frozen=True, kw_only=True)
class AncestralTrace(Scoring):
    """Follow `hops` relations of one `structure`; as many whole relations as fit into the length, shuffled.

    Scored by `exact`: the name is unambiguous.
    """

    title: ClassVar[str] = "ATC"
    counts: ClassVar[tuple[int, int, int]] = (1, 1, 1)
    distribution: ClassVar[Distribution | None] = None
    is_swept: ClassVar[bool] = False
    has_filler: ClassVar[bool] = False

    hops: int = 3
    structure: Structure = "chain"
    relation: Relation = "parent"

    def __post_init__(self) -> None:
        """Refuse a number of hops nobody could follow."""
        if not FEWEST_HOPS <= self.hops <= MOST_HOPS:
            raise SpecRefused(f"`hops` must be {FEWEST_HOPS} to {MOST_HOPS}, not {self.hops}.")

    def make(self, spec: Spec, corpus: Corpus | None, tokenizer: Tokenizer) -> Trial:
        """Return a document of relations, at most the cell's length long, and a question on them; reads no corpus."""
        rng = luck(spec)
        names = people(rng, spec.context_length // _LEAST_TOKENS)
        graph = MAKE[self.structure](names, self.hops, rng)
        told = list(self._fitting(graph, names, spec.context_length, (rng, tokenizer)))
        rng.shuffle(told)
        asked = set(graph.edges)
        lines = [sentence(edge, self.relation) for edge, _ in told]
        starts = [0, *accumulate(size for _, size in told)]
        document = "\n".join(lines)
        tokens = tokenizer.count(document)
        return Trial(
            question=f"{question(graph, self.structure, self.relation, self.hops)} Provide only the name.",
            expected=(graph.answer,),
            document=document,
            tokens=tokens,
            needles=tuple(
                Needle(text=line, value=graph.answer, wanted=start / tokens, position=start, depth=start / tokens)
                for line, start, (edge, _) in zip(lines, starts, told, strict=False)
                if edge in asked
            ),
            known=graph.asked,
            decoys=tuple(sorted({name for edge, _ in told for name in edge} - {*graph.asked, graph.answer})),
            details={"hops": self.hops, "structure": self.structure},
        )

    def _fitting(
        self, graph: Graph, names: Iterator[str], length: int, tools: tuple[random.Random, Tokenizer]
    ) -> Iterator[tuple[Edge, int]]:
        rng, tokenizer = tools
        is_first = True
        while True:
            for edge in graph.edges:
                size = tokenizer.count(sentence(edge, self.relation) + "\n")
                length -= size
                if length < 0 and is_first:
                    raise DocumentImpossible(
                        f"The {len(graph.edges)} relations of a {self.structure} of {self.hops} hops do not fit into "
                        "the context_length. Take a longer one, or fewer hops."
                    )
                if length < 0:
                    return
                yield edge, size
            graph, is_first = MAKE[self.structure](names, self.hops, rng), False

    async def score(self, trial: Trial, response: str, borrowed: Borrowed) -> Score:
        """Return 1 for the one right name, else 0."""
        return await self.one(trial, response, borrowed, "exact")
