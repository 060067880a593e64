"""Aggregates, bands and named patterns."""

import pytest

from flags.niah import Outcome, Spec, aggregate, band, interpret

DEPTHS = (0.0, 0.25, 0.5, 0.75, 1.0)
LENGTHS = (4000, 8000, 16000, 32000)


def outcome(score: float | None, category: str = "correct", **spec: object) -> Outcome:
    """Return an outcome of S-RT, or of another task."""
    given = {"task": "s_rt", "context_length": 1000, **spec}
    return Outcome(assistant="a", spec=Spec(**given), score=score, category=category)  # type: ignore[arg-type]


def figures(rows: list[list[float]]) -> list[str]:
    """Return the names of the patterns of a heatmap (depths in rows, lengths in columns)."""
    outcomes = [
        outcome(score, context_length=length, depth=depth)
        for depth, row in zip(DEPTHS, rows, strict=True)
        for length, score in zip(LENGTHS, row, strict=True)
    ]
    (found,) = aggregate(outcomes)
    return [pattern.name for pattern in interpret(found)]


def test_trials_are_averaged() -> None:
    """One right answer of three is a third."""
    (found,) = aggregate(outcome(score, trial=trial) for trial, score in enumerate((1.0, 0.0, 0.0)))
    assert found.mean
    assert found.mean.value == pytest.approx(1 / 3)
    assert (found.mean.cells, found.mean.trials) == (1, 3)
    assert 0 < found.mean.low < 1 / 3 < found.mean.high < 1


def test_a_cell_counts_once_however_many_trials_it_has() -> None:
    """The mean is the mean of the cells."""
    cells = [outcome(1.0, trial=trial) for trial in range(3)] + [outcome(0.0, depth=0.9)]
    (found,) = aggregate(cells)
    assert found.mean
    assert found.mean.value == 0.5
    assert [(cell.depth, cell.mean.value) for cell in found.heatmap] == [(0.5, 1.0), (0.9, 0.0)]


def test_what_was_not_answered_is_counted_apart() -> None:
    """Failed, skipped, cut and empty cells are never counted as wrong."""
    apart = [outcome(None, "failed"), outcome(None, "skipped"), outcome(0.0, "cut"), outcome(0.0, "empty")]
    (found,) = aggregate([outcome(1.0), *apart])
    assert found.mean
    assert found.mean.value == 1.0
    assert found.categories == {"correct": 1}
    assert found.excluded == {"failed": 1, "skipped": 1, "cut": 1, "empty": 1}
    (nothing,) = aggregate(apart)
    assert nothing.mean is None
    assert nothing.band is None
    assert interpret(nothing) == ()


def test_figures_are_given_by_needles_hops_and_length() -> None:
    """Degradation is told apart by number of needles, hops and length."""
    several = [outcome(1 / count, task="m_rt", num_needles=count, context_length=1000 * count) for count in (1, 2, 4)]
    (found,) = aggregate([*several, outcome(0.0, task="m_rt", context_length=1000)])
    assert {count: mean.value for count, mean in found.by_needles.items()} == {1: 1, 2: 0.5, 3: 0, 4: 0.25}
    assert list(found.by_length) == [1000, 2000, 4000]
    (traced,) = aggregate([outcome(1.0, task="atc", parameters={"hops": 7}), outcome(0.0, task="atc")])
    assert {hops: mean.value for hops, mean in traced.by_hops.items()} == {3: 0, 7: 1}
    assert traced.by_needles == {}


def test_primacy_and_recency_are_shares_of_what_was_answered() -> None:
    """A refusal counts as neither, an empty response not at all."""
    given = [(0.0, "first"), (1.0, "last"), (1.0, "last"), (0.0, "neither"), (0.0, "empty")]
    (found,) = aggregate(outcome(score, kind, task="conflicting", trial=n) for n, (score, kind) in enumerate(given))
    assert (found.primacy, found.recency) == (0.25, 0.5)
    (other,) = aggregate([outcome(1.0)])
    assert (other.primacy, other.recency) == (None, None)
    (empty,) = aggregate([outcome(0.0, "empty", task="conflicting")])
    assert (empty.primacy, empty.recency) == (None, None)


@pytest.mark.parametrize(
    ("score", "word"),
    [
        (1, "excellent"),
        (0.95, "excellent"),
        (0.949, "good"),
        (0.8, "good"),
        (0.6, "fair"),
        (0.4, "poor"),
        (0.39, "failing"),
    ],
)
def test_bands_are_those_of_the_methodology(score: float, word: str) -> None:
    """Each band begins at its own least score."""
    assert band(score) == word


def test_the_band_of_an_aggregate_is_that_of_its_mean() -> None:
    """A perfect aggregate is excellent."""
    (found,) = aggregate([outcome(1.0)])
    assert found.band == "excellent"


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ([[1, 1, 1, 1]] * 5, ["perfect square"]),
        ([[1, 1, 1, 0.9]] * 5, []),
        ([[1, 1, 1, 1]] * 2 + [[0.4] * 4] + [[1, 1, 1, 1]] * 2, ["lost in the middle"]),
        ([[1, 1, 0.1, 0]] * 5, ["context cliff"]),
        ([[0.3, 0.3, 0.3, 0.3]] * 5, []),
        ([[0.5, 0.5, 0.1, 0.1]] * 5, []),
        ([[1, 1, 0.2, 0.9]] * 5, []),
        ([[0.5] * 4] * 3 + [[0.9] * 4] * 2, ["end advantage"]),
        ([[1 - 0.1 * (row + column) for column in range(4)] for row in range(5)], ["diagonal fade"]),
        ([[0.9, 0.1, 0.9, 0.1]] * 5, []),
    ],
)
def test_patterns_are_named_from_the_heatmap(rows: list[list[float]], names: list[str]) -> None:
    """Each pattern is found where it is and not where it is not."""
    assert figures(rows) == names


def test_a_pattern_says_the_numbers_it_rests_on() -> None:
    """The sentence and the numbers agree."""
    outcomes = [
        outcome(score, context_length=length) for length, score in zip(LENGTHS, (1, 0.9, 0.2, 0.1), strict=True)
    ]
    (found,) = aggregate(outcomes)
    (cliff,) = interpret(found)
    assert cliff.numbers == {"last_good": 8000, "first_bad": 16000, "before": 0.9, "after": 0.2}
    assert "Up to 8000 tokens" in cliff.sentence


def test_gaps_in_the_heatmap_are_no_perfect_square() -> None:
    """A grid with cells that could not be counted claims nothing of them."""
    cells = [outcome(1.0, context_length=length, depth=depth) for length in (1000, 2000) for depth in (0.0, 1.0)]
    (found,) = aggregate(cells[:-1])
    assert interpret(found) == ()
