"""Where several needles stand."""

import random

import numpy as np

from flags.niah._task import Distribution

COLLAPSED: frozenset[str] = frozenset({"uniform", "bookends"})
"""Strategies that do not depend on the base depth: with several needles the depth axis says nothing."""


def depths(strategy: Distribution, count: int, base: float, delta: float, rng: random.Random) -> tuple[float, ...]:
    """Return the depth of each of `count` needles, ascending, in [0, 1]; a single one stands at the base depth."""
    if count == 1:
        return (base,)
    if strategy == "uniform":
        found = np.linspace(0.05, 0.95, count)
    elif strategy == "centered":
        found = np.clip(np.linspace(base - delta, base + delta, count), 0.0, 1.0)
    elif strategy == "random":
        found = np.array(sorted(rng.uniform(0.05, 0.95) for _ in range(count)))
    else:
        interior = np.linspace(0.15, 0.85, count - 2) if count > 3 else np.full(count - 2, 0.5)
        found = np.concatenate([[0.05], interior, [0.95]])
    return tuple(round(float(depth), 9) for depth in found)
