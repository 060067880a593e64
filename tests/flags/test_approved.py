"""An answer that says what another one says is known by asking both ways."""

import pytest

from flags import Case, JudgeFailed, Judgement, Question, Rubric, Tools, discover, says_the_same
from flags._fakes import WordEmbedder

AGREES = {"verdict": "agrees", "extent": "equal", "relation": "answers"}


class DirectedJudge:
    """Finds what it is told where the new answer is `B`, nothing the other way round."""

    name = "directed 1"

    def __init__(self, **found: str) -> None:
        self.found = found

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Return a reply to the rubric."""
        said = {**AGREES, **(self.found if case.answer.text == "B" else {})}
        if said["verdict"] == "fails":
            raise JudgeFailed("judge_malformed", "The judge's reply could not be read.")
        return {field.name: said.get(field.name, "") for field in rubric.fields}


@pytest.mark.parametrize(
    ("found", "same"),
    [
        ({}, True),
        ({"verdict": "contradicts"}, False),
        ({"extent": "missing"}, False),
        ({"extent": "extra"}, False),
        ({"verdict": "cannot_tell"}, False),
        ({"verdict": "fails"}, False),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
async def test_two_answers_say_the_same_only_where_nothing_is_found_either_way(
    found: dict[str, str], same: bool, turned: bool
) -> None:
    """A judge that cannot tell has not said so, whichever direction it is asked in."""
    tools = Tools(judge=DirectedJudge(**found), embedder=WordEmbedder())
    one, other = ("B", "A") if turned else ("A", "B")
    question = Question(text="Q?", space="Law", reference="R")
    assert await says_the_same(question, one, other, discover(), tools) is same


async def test_without_both_flags_nothing_is_the_same() -> None:
    """Half of the question is no answer."""
    tools = Tools(judge=DirectedJudge(), embedder=WordEmbedder())
    flags = {"extent": discover()["extent"]}
    assert await says_the_same(Question(text="Q?", space="Law"), "A", "B", flags, tools) is False
