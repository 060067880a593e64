"""M-RS: N values that must be put together; no needle alone holds the answer."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Literal

from flags.niah._bounds import occurrences
from flags.niah._corpus import Corpus
from flags.niah._entities import ATTRIBUTES, entity
from flags.niah._errors import SpecRefused
from flags.niah._facts import Fact, fact
from flags.niah._hide import Hidden, hide, luck
from flags.niah._match import check_expected
from flags.niah._numbers import plain_number
from flags.niah._reading import Reading, blanked, listed, lower, missing, read, unanswered
from flags.niah._region import unkeyed
from flags.niah._task import Borrowed, Score, Spec, Tokenizer, Trial

Reasoning = Literal["sum", "max", "min", "mean", "conditional", "chain"]
_ONLY_NUMBER = "Provide only the number."
_ONLY_NAME = "Provide only its name."
_ONLY_NAMES = "Provide only their names, separated by commas."
Values = Mapping[str, int]
Asked = tuple[str, tuple[str, ...]]
"""A question and what is right."""


@dataclass(frozen=True, kw_only=True)
class MultiReasoning(Hidden):
    """Reason over N values: sum, max, min, mean, conditional (which lie above a threshold) or chain (a gift of half).

    A number is right within `tolerance`, whole or not. Names are compared as a set; `scorer: llm_judge` asks the judge.
    """

    title: ClassVar[str] = "M-RS"
    counts: ClassVar[tuple[int, int, int]] = (2, 3, 900)

    reasoning: Reasoning = "sum"

    def make(self, spec: Spec, corpus: Corpus | None, tokenizer: Tokenizer) -> Trial:
        """Return a document with N values of one attribute, and a question that needs them."""
        rng = luck(spec)
        taken: set[str] = set()
        attribute = rng.choice(ATTRIBUTES)
        names = [entity(rng, taken) for _ in range(self.count(spec))]
        values = dict(zip(names, rng.sample(range(1, 1000), len(names)), strict=True))
        question, expected = _ASK[self.reasoning](attribute, values, rng)
        facts: list[Fact] = [fact(name, attribute, str(value)) for name, value in values.items()]
        trial = Trial(
            question=question,
            expected=expected,
            needles=self.placed(spec, facts),
            known=self._known(attribute, values, expected),
            decoys=tuple(name for name in names if name not in expected) if self._names_answer else (),
        )
        return hide(spec, trial, corpus, tokenizer)

    def _known(self, attribute: str, values: Values, expected: Sequence[str]) -> tuple[str, ...]:
        if self._names_answer:
            return (attribute,)
        # the values put together may be shown beside the result
        operands = (str(value) for value in values.values())
        return (attribute, *values, *(operand for operand in operands if operand not in expected))

    @property
    def _names_answer(self) -> bool:
        return self.reasoning in ("max", "min", "conditional")

    async def score(self, trial: Trial, response: str, borrowed: Borrowed) -> Score:
        """Return 1 for the right number, or for exactly the right names."""
        check_expected(trial.expected)
        is_number = len(trial.expected) == 1 and plain_number(trial.expected[0]) is not None
        if self.literal or self.scorer or is_number:
            return await self._whole().one(trial, response, borrowed, "numeric" if is_number else "exact")
        reading = read(trial, response, lines=True)
        early = unanswered(reading, "exact", ", ".join(trial.expected))
        return early or _set_of_names(reading, trial)

    def _whole(self) -> Hidden:
        # results are computed, so that whole ones may be rounded like others
        return Hidden(
            scorer=self.scorer, literal=self.literal, tolerance=self.tolerance,
            integer_tolerance=max(self.tolerance, self.integer_tolerance),
        )  # fmt: skip


def _set_of_names(reading: Reading, trial: Trial) -> Score:
    rest, found = lower(unkeyed(reading.names)), set()
    for name in sorted({*trial.expected, *trial.decoys}, key=lambda name: (-len(name), name)):
        if any(occurrences(lower(name), rest)):
            found.add(name)
            rest = blanked(rest, [name])
    expected = set(trial.expected)
    if found == expected and (trial.decoys or not _more_items(rest)):
        return Score(score=1.0, category="correct", scorer="exact", explanation="Exactly the right names are given.")
    if not found & expected:
        is_denied = any(any(occurrences(lower(name), lower(reading.denied))) for name in expected)
        return missing(reading, "exact", ", ".join(trial.expected), listed(sorted(found)), is_denied=is_denied)
    lacking, extra = listed(sorted(expected - found)), listed(sorted(found - expected))
    says = "; ".join(part for part in (lacking and f"missing {lacking}", extra and f"too many {extra}") if part)
    is_all = len(found) > 2 and found == {*trial.expected, *trial.decoys}
    return Score(
        score=0.0, category="dump" if is_all else "wrong", scorer="exact",
        explanation=f"The names are not exactly the right ones: {says or 'others stand beside them'}.",
    )  # fmt: skip


def _more_items(rest: str) -> bool:
    # without the document's other names, a list entry beside the expected ones is one of them
    return any(part.strip(" .\n") for part in rest.replace(" and ", ",").split(",")) and "," in rest


def _sum(attribute: str, values: Values, rng: random.Random) -> Asked:
    return f"What is the total {attribute} across all entities? {_ONLY_NUMBER}", (str(sum(values.values())),)


def _mean(attribute: str, values: Values, rng: random.Random) -> Asked:
    mean = sum(values.values()) / len(values)
    return f"What is the average {attribute} of all entities? {_ONLY_NUMBER}", (f"{mean:.6g}",)


def _max(attribute: str, values: Values, rng: random.Random) -> Asked:
    return f"Which entity has the highest {attribute}? {_ONLY_NAME}", (max(values, key=values.__getitem__),)


def _min(attribute: str, values: Values, rng: random.Random) -> Asked:
    return f"Which entity has the lowest {attribute}? {_ONLY_NAME}", (min(values, key=values.__getitem__),)


def _conditional(attribute: str, values: Values, rng: random.Random) -> Asked:
    ordered = sorted(values.values())
    gaps = [(low, high) for low, high in pairwise(ordered) if high - low > 1]
    if not gaps:
        raise SpecRefused("No threshold lies between these values; take another seed or fewer needles.")
    low, high = rng.choice(gaps)
    threshold = (low + high) // 2
    above = tuple(name for name, value in values.items() if value > threshold)
    return f"Which entities have {_article(attribute)} above {threshold}? {_ONLY_NAMES}", above


def _chain(attribute: str, values: Values, rng: random.Random) -> Asked:
    giver, taker = rng.sample(list(values), 2)
    result = values[taker] + values[giver] / 2
    gift = f"{giver} gives half of its {attribute} to {taker}."
    return f"{gift} What is the {attribute} of {taker} after that? {_ONLY_NUMBER}", (f"{result:g}",)


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


_ASK: Mapping[Reasoning, Callable[[str, Values, random.Random], Asked]] = {
    "sum": _sum, "max": _max, "min": _min, "mean": _mean, "conditional": _conditional, "chain": _chain,
}  # fmt: skip
