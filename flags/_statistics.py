"""How sure figures of a benchmark are: the only place of its statistics."""

import math

Z95 = 1.959964
"""Standard normal quantile of a two-sided 95 % interval."""


def wilson(passed: float, total: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate, in [0, 1]; total must be positive (E. B. Wilson, 1927).

    `passed` may be a sum of partial scores: these vary less, so that the interval is wide enough.
    """
    rate, spread = passed / total, Z95**2 / total
    middle = (rate + spread / 2) / (1 + spread)
    half = Z95 / (1 + spread) * math.sqrt(max(0.0, rate * (1 - rate)) / total + spread / (4 * total))
    return max(0.0, middle - half), min(1.0, middle + half)


def mcnemar(one: int, other: int) -> float:
    """Return the two-sided p of pairs that changed one way and the other: the exact test of Q. McNemar (1947).

    Pairs that did not change say nothing. 1.0 where none changed.
    """
    changed, fewer = one + other, min(one, other)
    tail: int = sum(math.comb(changed, count) for count in range(fewer + 1))
    p: float = 2 * tail / 2**changed
    return min(1.0, p)
