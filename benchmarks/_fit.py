"""The weights of the local judge, fitted to labelled answers.

A logistic regression with an intercept for each origin, every origin weighing the same, drawn towards the weights the
judge starts from and kept from turning negative; copies take no part, since the judge decides them by their edits.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks._labelled import Item
from flags import Embedder, LocalJudge
from flags._local._score import FITTED_ON, PRIOR, Blend

LABEL = "equivalent"
_STRENGTH = 5.0
"""How many items' worth of pull the prior has."""
_STEPS = 4000
_AT_ONCE = 32
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """What the judge measured on an item, and whether a person says that the answers differ."""

    origin: str
    values: tuple[float, ...]
    differs: bool


async def measured(items: Sequence[Item], embedder: Embedder) -> list[Measured]:
    """Return the measures of the labelled items that are no copies."""
    judge, free = LocalJudge(embedder), asyncio.Semaphore(_AT_ONCE)

    async def one(item: Item) -> list[Measured]:
        async with free:
            found = await judge.difference(item.case)
        values = asdict(found.measures)
        return [] if found.is_copy else [Measured(item.origin, tuple(map(values.get, PRIOR)), item.deviates[LABEL])]

    labelled = [one(item) for item in items if LABEL in item.deviates and item.case.question.reference.strip()]
    return [found for made in await asyncio.gather(*labelled) for found in made]


def fitted(seen: Sequence[Measured]) -> Blend:
    """Return the weights for what was measured."""
    origins = sorted({one.origin for one in seen})
    values = np.array([one.values for one in seen])
    belongs = np.array([[one.origin == origin for origin in origins] for one in seen], dtype=np.float64)
    weight = belongs @ (1 / belongs.sum(axis=0)) / len(origins)
    wanted = np.array([one.differs for one in seen], dtype=np.float64)
    weights, intercepts = _descend(values, belongs, weight, wanted)
    return Blend(weights=dict(zip(PRIOR, weights.tolist(), strict=True)), offset=float(intercepts.mean()))


def _descend(values: Numbers, belongs: Numbers, weight: Numbers, wanted: Numbers) -> tuple[Numbers, Numbers]:
    """Return the weights and intercepts of the least loss, by projected gradient steps of safe length."""
    prior = np.array(list(PRIOR.values()))
    weights, intercepts, pull = prior.copy(), np.zeros(belongs.shape[1]), _STRENGTH / len(wanted)
    steepest = float(np.linalg.norm(np.hstack([values, belongs]) * np.sqrt(weight)[:, None], 2) ** 2 / 4 + pull)
    for _ in range(_STEPS):
        wrong = weight * (1 / (1 + np.exp(-(values @ weights + belongs @ intercepts))) - wanted)
        weights = np.maximum(weights - (values.T @ wrong + pull * (weights - prior)) / steepest, 0)
        intercepts = intercepts - belongs.T @ wrong / steepest
    return weights, intercepts


def blends(seen: Sequence[Measured], origins: Collection[str]) -> Mapping[str, Blend]:
    """Return for each origin the weights to measure it with: never such that were fitted on it.

    The shipped weights for origins they have not seen; for others weights fitted on what else of the file they were
    fitted on. Origins for which the file holds nothing else are left out: the figures say that their weights saw them.
    """
    found = {}
    for origin in origins:
        others = [one for one in seen if one.origin in FITTED_ON and one.origin != origin]
        if origin not in FITTED_ON:
            found[origin] = Blend()
        elif others:
            found[origin] = fitted(others)
    return found
