"""What the local judge does with a borrowed model of inference."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from flags import Case, LocalJudge, Tools
from flags._equivalence import differs
from flags._fakes import WordEmbedder
from flags.contradiction import Contradiction

QUESTION = "Who may enter the vault at night?"
REFERENCE = "At night the vault may be entered by guards of the bank with a key."
ANSWER = "Entering the vault at night is a thing that guards with a key of the bank may dream of."


class Saying:
    """A model that always says the same, and remembers what it was asked."""

    name = "m"

    def __init__(self, entails: float, contradicts: float) -> None:
        self.says = (entails, contradicts)
        self.asked: list[tuple[str, str]] = []

    async def weigh(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        self.asked += pairs
        return np.array([self.says] * len(pairs))


def tools(model: Saying) -> Tools:
    return Tools(judge=LocalJudge(WordEmbedder(), entailment=model), embedder=WordEmbedder())


async def test_a_sure_contradiction_is_quoted(make_case: Callable[..., Case]) -> None:
    """Both sentences are named; the run records the model."""
    model = Saying(0.0, 0.95)
    verdict = await Contradiction()(make_case(REFERENCE, ANSWER, QUESTION), tools(model))
    assert verdict.value is True
    assert REFERENCE in verdict.reason
    assert ANSWER in verdict.reason
    assert set(model.asked) == {(REFERENCE, ANSWER), (ANSWER, REFERENCE)}
    assert tools(model).judge.name == "local 2 with m"


async def test_what_follows_lowers_the_score(make_case: Callable[..., Case]) -> None:
    """An answer from which the reference follows is likelier the same."""
    case = make_case(REFERENCE, ANSWER, QUESTION)
    scores = [(await differs(case, tools(Saying(*says)))).score for says in ((0.95, 0.0), (0.0, 0.5), (0.0, 0.95))]
    assert None not in scores
    assert scores == sorted(scores, key=lambda score: score or 0.0)
    assert scores[0] < scores[-1]


async def test_what_is_settled_is_not_asked(make_case: Callable[..., Case]) -> None:
    """A number edited in a copy, and sentences that speak of two things."""
    for reference, answer in (("The fee is CHF 5 a month.", "The fee is CHF 6 a month."), ("Yes.", "Perhaps so.")):
        model = Saying(1.0, 0.0)
        await differs(make_case(reference, answer, QUESTION), tools(model))
        assert model.asked == []
