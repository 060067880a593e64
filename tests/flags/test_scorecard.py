"""How right flags were, by reviews; simulated reviews whose truth is known are recovered."""

import math
import random
from collections.abc import Mapping

import pytest

from flags import Checked, Scorecard, scorecard


def rows(of: Mapping[tuple[bool, bool | None], int], *, audit: bool = True, run: str = "r") -> list[Checked]:
    """Return rows: (final flag, what a person said) → how many."""
    return [
        Checked(run=run, flags={"final": flagged}, correct=said, audit=audit and not flagged and said is not None)
        for (flagged, said), count in of.items()
        for _ in range(count)
    ]


def test_each_review_stands_for_the_rows_that_were_as_likely_to_be_reviewed() -> None:
    """20 flagged rows, all reviewed; 100 without a flag, of which 10 were drawn and 1 is wrong: so 10 are."""
    card = scorecard(
        "final", rows({(True, False): 15, (True, True): 5, (False, False): 1, (False, True): 9, (False, None): 90})
    )
    assert (card.rows, card.reviews, card.wrong, card.why) == (120, 30, 16, "")
    assert card.precision.value == pytest.approx(0.75)
    assert card.recall.value == pytest.approx(15 / 25)
    assert card.false_alarm.value == pytest.approx(5 / 95)
    chance = (20 * 25 + 100 * 95) / 120**2
    assert card.kappa.value == pytest.approx((105 / 120 - chance) / (1 - chance))
    assert card.recall.low is not None
    assert card.recall.high is not None
    assert card.recall.low < 0.3
    assert 0.6 < card.recall.high < 1


def test_recall_is_unknown_where_nobody_looked_at_rows_without_a_flag() -> None:
    """Precision is told all the same; a row picked by hand does not stand for others."""
    for more in ({(False, None): 50}, {(False, None): 50, (False, True): 3}):
        card = scorecard("final", rows({(True, False): 6, (True, True): 2, **more}, audit=False))
        assert card.precision.value == pytest.approx(0.75)
        assert (card.recall.value, card.false_alarm.value, card.kappa.value) == (None, None, None)
        assert card.why == "unknown: no row of the audit sample was reviewed"
        assert card.reviews == 8


def test_rows_without_a_flag_speak_for_themselves_where_all_were_reviewed() -> None:
    """Then no sample is needed."""
    card = scorecard(
        "final", rows({(True, False): 3, (True, True): 1, (False, True): 7, (False, False): 1}, audit=False)
    )
    assert (card.recall.value, card.reviews) == (pytest.approx(0.75), 12)


def test_a_flag_is_judged_by_the_rows_it_was_given_in() -> None:
    """FALSE in a row that another flag caught counts as a miss; without any review nothing is told."""
    found = [
        Checked(run="r", flags={"source": True, "final": True}, correct=False),
        Checked(run="r", flags={"source": False, "final": True}, correct=False),
        Checked(run="r", flags={"source": False, "final": False}, correct=True, audit=True),
        Checked(run="r", flags={"final": True}, correct=True),
        Checked(run="r", flags={"source": True}, correct=True),
    ]
    card = scorecard("source", found)
    assert (card.rows, card.reviews, card.recall.value, card.precision.value) == (3, 3, 0.5, 1.0)
    half = scorecard("source", [*found[:1], Checked(run="r", flags={"source": False, "final": True})])
    assert half.why == "unknown: too few kinds of rows were reviewed"
    assert scorecard("module", found) == Scorecard(
        flag="module", rows=0, reviews=0, wrong=0, why="unknown: too few kinds of rows were reviewed"
    )


def test_where_every_answer_is_correct_there_is_no_recall() -> None:
    """Nothing was there to be found; where nothing was flagged there is no precision."""
    card = scorecard("final", rows({(False, True): 5}))
    assert (card.precision.value, card.recall.value, card.kappa.value) == (None, None, None)
    assert (card.false_alarm.value, card.false_alarm.low) == (0.0, 0.0)
    assert card.false_alarm.high is not None
    assert card.false_alarm.high > 0.2


def test_a_large_run_weighs_more_than_a_small_one() -> None:
    """However many of their rows were reviewed."""
    large = rows({(True, True): 1, (True, False): 1, (True, None): 98}, run="large")
    small = rows({(True, False): 10}, run="small")
    unread = rows({(True, None): 10}, run="unread")
    assert scorecard("final", [*large, *small]).precision.value == pytest.approx((100 * 0.5 + 10) / 110)
    card = scorecard("final", [*large, *small, *unread])
    assert card.precision.value == pytest.approx((100 * 0.5 + 10) / 110)


TRUTHS = [(0.9, 0.8, 0.2), (0.5, 0.9, 0.1), (0.7, 0.5, 0.3), (0.3, 0.6, 0.05)]


def simulated(seed: int, precision: float, recall: float, wrong: float, drawn: int) -> list[Checked]:
    """Return 600 rows of a flag with known rates; flagged ones are reviewed, and `drawn` of the others."""
    chance = random.Random(seed)
    alarm = recall * wrong * (1 - precision) / precision / (1 - wrong)
    found: list[tuple[bool, bool]] = []
    for _ in range(600):
        is_wrong = chance.random() < wrong
        found.append((chance.random() < (recall if is_wrong else alarm), not is_wrong))
    calm = [at for at, (flagged, _) in enumerate(found) if not flagged]
    audit = set(chance.sample(calm, min(drawn, len(calm))))
    return [
        Checked(
            run=f"{seed}",
            flags={"final": flagged},
            correct=correct if flagged or at in audit else None,
            audit=at in audit,
        )
        for at, (flagged, correct) in enumerate(found)
    ]


@pytest.mark.parametrize("truth", TRUTHS)
def test_known_precision_and_recall_are_recovered_from_simulated_reviews(truth: tuple[float, float, float]) -> None:
    """Of 150 simulated runs the 95 % intervals hold the truth about as often as they say, and no value is biased."""
    precision, recall, wrong = truth
    alarm = recall * wrong * (1 - precision) / precision / (1 - wrong)
    held = {"precision": 0, "recall": 0, "false_alarm": 0}
    means = dict.fromkeys(held, 0.0)
    runs = 150
    for seed in range(runs):
        card = scorecard("final", simulated(seed, *truth, drawn=60))
        for name, true in (("precision", precision), ("recall", recall), ("false_alarm", alarm)):
            found = getattr(card, name)
            held[name] += found.low <= true <= found.high
            means[name] += found.value / runs
    for name, true in (("precision", precision), ("recall", recall), ("false_alarm", alarm)):
        # a true 95 % falls below this in one of some thousand tries
        assert held[name] >= runs * 0.95 - 3.5 * math.sqrt(runs * 0.95 * 0.05), (name, held[name])
        assert abs(means[name] - true) < 0.08, (name, means[name])


def test_reviews_of_flagged_rows_alone_would_flatter_recall() -> None:
    """Without the correction each drawn row would count once instead of for ten."""
    found = simulated(1, 0.7, 0.5, 0.3, drawn=40)
    card = scorecard("final", found)
    reviewed = [row for row in found if row.correct is not None]
    naive = sum(row.flags["final"] and row.correct is False for row in reviewed) / sum(
        row.correct is False for row in reviewed
    )
    assert card.recall.value is not None
    assert card.recall.low is not None
    assert card.recall.high is not None
    assert card.recall.low < 0.5 < card.recall.high < naive
