"""How similar the two answers are as a whole."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from flags import Case, JudgeFailed, Question, Tools, texts_ahead
from flags._fakes import WordEmbedder
from flags.embedding import Embedding

MakeCase = Callable[..., Case]
MakeTools = Callable[..., Tools]


class Fixed:
    """An embedder that returns the rows it was given and counts its calls."""

    name = "fixed"

    def __init__(self, *rows: Sequence[float]) -> None:
        self.rows = np.array(rows, dtype=np.float32)
        self.calls = 0

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls += 1
        return self.rows


@pytest.mark.parametrize(
    ("threshold", "cosine", "value"), [(0.92, 0.919, True), (0.92, 0.921, False), (0.5, 0.6, False), (0.7, 0.6, True)]
)
async def test_similarity_below_the_threshold_is_flagged(
    threshold: float, cosine: float, value: bool, make_case: MakeCase, scripted: MakeTools
) -> None:
    """The score is the cosine; the reason of a deviation names both numbers."""
    tools = Tools(judge=scripted().judge, embedder=Fixed([1, 0], [cosine, (1 - cosine**2) ** 0.5]))
    verdict = await Embedding(threshold=threshold)(make_case("a", "b"), tools)
    assert verdict.value is value
    assert verdict.score == pytest.approx(cosine, abs=1e-6)
    assert verdict.reason == (f"{cosine:.4f} is below {threshold:g}" if value else "")


async def test_identical_answers_are_one_without_asking(make_case: MakeCase, scripted: MakeTools) -> None:
    """Citation marks and white space are no difference."""
    embedder = Fixed()
    verdict = await Embedding()(
        make_case("The limit\nis 5 [1].", "The limit is 5."), Tools(judge=scripted().judge, embedder=embedder)
    )
    assert (verdict.value, verdict.score, embedder.calls) == (False, 1.0, 0)


async def test_an_empty_answer_is_as_far_as_can_be(make_case: MakeCase, scripted: MakeTools) -> None:
    """Nothing is not similar to anything."""
    verdict = await Embedding()(make_case("a", "[1]"), scripted())
    assert (verdict.value, verdict.score) == (True, 0.0)


async def test_rounding_never_leaves_the_scale(make_case: MakeCase, scripted: MakeTools) -> None:
    """A cosine of 1.0000001 is 1."""
    tools = Tools(judge=scripted().judge, embedder=Fixed([1.001, 0], [1.001, 0]))
    assert (await Embedding()(make_case("a", "b"), tools)).score == 1.0


async def test_unusable_numbers_are_a_failure(make_case: MakeCase, scripted: MakeTools) -> None:
    """NaN is neither similar nor dissimilar."""
    tools = Tools(judge=scripted().judge, embedder=Fixed([float("nan"), 0], [1, 0]))
    with pytest.raises(JudgeFailed) as failed:
        await Embedding()(make_case("a", "b"), tools)
    assert failed.value.code == "embedding_unusable"


async def test_without_a_benchmark_answer_there_is_nothing_to_compare(make_case: MakeCase, scripted: MakeTools) -> None:
    """A first run has no similarity."""
    verdict = await Embedding()(make_case(" ", "b"), scripted())
    assert (verdict.status, verdict.reason) == ("skipped", "no benchmark answer")


async def test_the_word_embedder_counts_words() -> None:
    """Equal texts have cosine 1, texts without a common word 0, nothing has length 0."""
    rows = await WordEmbedder().embed(["One two", "two ONE", "three", ""])
    assert rows[0] @ rows[1] == pytest.approx(1)
    assert rows[0] @ rows[2] == 0
    assert not rows[3].any()


async def test_noise_of_the_embedding_does_not_reach_the_score(make_case: MakeCase, scripted: MakeTools) -> None:
    """Two runs that differ in the seventh digit, as batches of other texts make them, give the same number."""
    scores = []
    for cosine in (0.8765432, 0.8765441):
        tools = Tools(judge=scripted().judge, embedder=Fixed([1, 0], [cosine, (1 - cosine**2) ** 0.5]))
        scores.append((await Embedding()(make_case("a", "b"), tools)).score)
    assert scores == [0.8765, 0.8765]


def test_what_is_embedded_whatever_the_answer_is_known_before_it() -> None:
    """The reference, as it is compared: without its marks; in a first run there is none."""
    assert texts_ahead(Question(text="q", space="s", reference="Thirty days [1].")) == ("Thirty days.",)
    assert texts_ahead(Question(text="q", space="s", reference=" ")) == ()
