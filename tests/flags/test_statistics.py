"""Figures and how sure they are, against values worked out by hand or published."""

import pytest

from flags import mcnemar, wilson


@pytest.mark.parametrize(
    ("passed", "total", "low", "high"),
    [
        (0, 10, 0.0, 0.278),
        (10, 10, 0.722, 1.0),
        (30, 30, 0.886, 1.0),
        (5, 10, 0.237, 0.763),
        (1, 1, 0.207, 1.0),
        (0.5, 1, 0.055, 0.945),
        (81, 263, 0.255, 0.366),
    ],
)
def test_the_interval_is_wilson_s(passed: float, total: int, low: float, high: float) -> None:
    """It never leaves [0, 1]; nothing bad in 30 rows still allows 11 % bad ones."""
    assert wilson(passed, total) == (pytest.approx(low, abs=5e-4), pytest.approx(high, abs=5e-4))


@pytest.mark.parametrize(
    ("one", "other", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (1, 1, 1.0),
        (5, 0, 2 / 32),
        (6, 0, 2 / 64),
        (0, 6, 2 / 64),
        (9, 1, 22 / 1024),
        (8, 2, 112 / 1024),
        (10, 2, 158 / 4096),
        (7, 7, 1.0),
        (2000, 1900, 0.113),
    ],
)
def test_changes_are_weighed_by_the_exact_test(one: int, other: int, p: float) -> None:
    """6:0 is evidence (.031), 9:1 as well (.021), 8:2 is none (.109); which way is which does not matter."""
    assert mcnemar(one, other) == pytest.approx(p, abs=5e-4)
    assert mcnemar(other, one) == mcnemar(one, other)
