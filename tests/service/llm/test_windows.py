"""Long texts are read in windows, whole."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from service.llm._windows import OVERLAP, mean_of_windows, unit, windows


@given(st.integers(0, 5000), st.integers(16, 300))
def test_windows_cover_every_token_and_overlap(tokens: int, limit: int) -> None:
    """No token is left out, no window is too long, neighbours share at least an eighth."""
    found = windows([(at, at + 1) for at in range(tokens)], limit)
    spans = [span for span, _ in found]
    assert spans[0][0] == 0
    assert spans[-1][1] == tokens
    assert all(end - start == size <= limit for (start, end), size in found)
    assert all(before[1] - after[0] >= limit // OVERLAP for before, after in pairwise(spans))


def test_windows_are_places_in_the_text_not_numbers_of_tokens() -> None:
    """A token may be longer than a character."""
    assert windows([(0, 5), (6, 11)], 16) == [((0, 11), 2)]
    assert windows([], 16) == [((0, 0), 0)]


def test_a_long_text_is_the_mean_of_its_windows_weighted_by_their_tokens() -> None:
    """Three quarters of the text outweigh the last quarter."""
    rows = np.asarray([[1, 0], [0, 1], [0, 1]], dtype=np.float32)
    mean = mean_of_windows(rows, [3, 1, 5], [0, 0, 1], 2)
    np.testing.assert_allclose(mean, [[0.9486833, 0.31622776], [0, 1]], rtol=1e-6)


def test_a_row_without_direction_stays_zero() -> None:
    """Nothing is divided by nothing."""
    np.testing.assert_array_equal(
        unit(np.asarray([[0, 0], [3, 4]], dtype=np.float32)), np.float32([[0, 0], [0.6, 0.8]])
    )
