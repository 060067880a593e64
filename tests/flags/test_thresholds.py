"""A threshold for similarity, from reviews."""

import random

import pytest

from flags import Checked, propose


def row(score: float | None, correct: bool | None, flagged: bool = True, audit: bool = False) -> Checked:
    """Return a row with its similarity."""
    return Checked(run="r", flags={"final": flagged}, correct=correct, score=score, audit=audit)


def test_the_threshold_that_tells_wrong_from_correct_is_proposed() -> None:
    """With what it would have changed, also in rows that nobody reviewed."""
    right = [row(0.80 + number / 200, True) for number in range(12)]
    wrong = [row(0.60 - number / 200, False) for number in range(12)]
    unread = [row(0.75, None), row(0.95, None, flagged=False)]
    found = propose([*right, *wrong, *unread, row(None, True)], 0.92)
    assert found.threshold == pytest.approx(0.7)
    assert (found.accuracy, found.accuracy_now) == (1.0, 0.5)
    assert (found.correct, found.wrong, found.gained, found.lost) == (12, 12, 0, 13)
    assert (found.mended, found.broken, found.why) == (12, 0, "")


def test_a_higher_threshold_finds_what_the_audit_sample_showed() -> None:
    """Wrong answers above the threshold in use are known from rows without a flag, which stand for many."""
    wrong = [row(0.94, False, flagged=False, audit=True) for _ in range(12)]
    right = [row(0.97, True, flagged=False, audit=True) for _ in range(12)]
    found = propose([*wrong, *right, *(row(0.93, None, flagged=False) for _ in range(5))], 0.92)
    assert found.threshold == pytest.approx(0.955)
    assert (found.gained, found.lost, found.mended, found.broken) == (17, 0, 12, 0)


def test_the_audit_sample_weighs_what_it_stands_for() -> None:
    """One wrong answer among nine rows that were drawn stands for a hundred."""
    flagged = [*(row(0.80, False) for _ in range(10)), *(row(0.91, True) for _ in range(12))]
    drawn = [row(0.96, True, flagged=False, audit=True) for _ in range(8)]
    drawn.append(row(0.93, False, flagged=False, audit=True))
    crowd = [row(0.96, None, flagged=False) for _ in range(900)]
    assert propose([*flagged, *drawn, *crowd], 0.92).threshold == pytest.approx(0.945)
    assert propose([*flagged, *drawn], 0.92).threshold == pytest.approx(0.855)


@pytest.mark.parametrize(
    ("correct", "wrong", "said"),
    [(4, 30, "6 more that say yes are needed"), (0, 8, "10 more that say yes and 2 more that say no are needed")],
)
def test_nothing_is_proposed_on_too_few_reviews(correct: int, wrong: int, said: str) -> None:
    """It says how many are needed."""
    found = propose([*(row(0.9, True) for _ in range(correct)), *(row(0.5, False) for _ in range(wrong))], 0.92)
    assert (found.threshold, found.correct, found.wrong) == (None, correct, wrong)
    assert said in found.why


def test_the_threshold_in_use_stays_where_none_is_better() -> None:
    """Equal ones are no reason for a change."""
    rows = [*(row(0.95, True) for _ in range(10)), *(row(0.5, False) for _ in range(10))]
    found = propose(rows, 0.92)
    assert (found.threshold, found.accuracy_now) == (None, 1.0)
    assert found.why == "no other threshold is better on these reviews"


def test_the_order_of_the_rows_does_not_matter() -> None:
    """Equal reviews give equal proposals."""
    chance = random.Random(3)
    rows = [row(round(chance.uniform(0.3, 1), 3), chance.random() < 0.5) for _ in range(80)]
    assert propose(rows, 0.92) == propose(rows[::-1], 0.92)
