"""An endpoint that would refuse every call ends the run with one clear error."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from flags import Case, JudgeFailed, Judgement, Rubric
from service.errors import (
    EmbedderMissing,
    EmbedderUnreachable,
    EndpointBroken,
    EndpointKeyRejected,
    EndpointModelUnknown,
    ServiceError,
)
from service.runs import RunOptions, User
from service.runs._fakes import WordJudge, World

ME = User()
QUESTIONS = [f"Question {n}?" for n in range(12)]
ROWS = [(question, "Law", "yes", question) for question in QUESTIONS]
REJECTED = EndpointKeyRejected(endpoint="llm.example", variable="LAW_KEY", status=401)
UNKNOWN = EndpointModelUnknown(endpoint="llm.example", model="gpt-0")


class ClosedJudge(WordJudge):
    """A judge whose endpoint fails from its fourth call on."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Judge one row, then fail as the language model's judge does."""
        if len(self.asked) < 3:
            return await super().decide(rubric, case)
        self.asked.append((rubric.name, case.answer.text))
        raise JudgeFailed("endpoint", str(self.error)) from self.error


@pytest.mark.parametrize("error", [REJECTED, UNKNOWN])
async def test_the_run_stops_at_the_first_rejected_call(
    world: World, benchmark: Any, cells: Any, error: Exception
) -> None:
    """Rows before it are kept, rows after it are not asked, and none is called a deviation or not judged."""
    world.changes = {"rows_at_once": 1}
    world.assistants["Law"].says = dict.fromkeys(QUESTIONS[3:], error)
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(), user=ME)
        view = await asyncio.wait_for(runs.wait(run.id, user=ME), 30)
        rows = await runs.rows(run.id, user=ME)
        content = (await runs.workbook(run.id, user=ME)).content
    assert (view.state, view.done, view.errors) == ("failed", 3, 0)
    assert view.failure is not None
    assert (view.failure.code, view.failure.message) == (getattr(error, "code", ""), str(error))
    assert world.assistants["Law"].asked == QUESTIONS[:4]
    assert [row.state for row in rows] == ["judged"] * 3 + ["waiting"] * 9
    assert cells(content)["final_flag"] == [False] * 3 + [None] * 9


async def test_a_judge_that_is_closed_stops_the_run_too(world: World, benchmark: Any) -> None:
    """The answer that could not be judged is kept, and no verdict is made up for it."""
    world.changes = {"rows_at_once": 1}
    world.judge = ClosedJudge(REJECTED)
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(), user=ME)
        view = await asyncio.wait_for(runs.wait(run.id, user=ME), 30)
        rows = await runs.rows(run.id, user=ME)
    assert view.failure is not None
    assert (view.state, view.failure.code) == ("failed", "endpoint_key_rejected")
    assert [row.state for row in rows][:3] == ["judged", "answered", "waiting"]


async def test_other_troubles_of_an_endpoint_stay_in_their_rows(world: World, benchmark: Any) -> None:
    """The run goes on to its end."""
    broken = EndpointBroken(endpoint="llm.example", model="m", problem="status 500", tries=3)
    world.assistants["Law"].says = {QUESTIONS[3]: broken}
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(), user=ME)
        view = await asyncio.wait_for(runs.wait(run.id, user=ME), 30)
    assert (view.state, view.done, view.errors) == ("ready", 12, 1)


@dataclass
class GoneEmbedder:
    """An embedder that cannot be reached, or that there is none of."""

    error: Exception
    name: str = "gone"

    async def embed(self, texts: Any) -> Any:
        """Fail as every further call would."""
        raise self.error


@pytest.mark.parametrize(
    "error",
    [
        EmbedderUnreachable(endpoint="e.example", problem="refused", tries=3, model="e"),
        EmbedderMissing(embedder="no-such-model", problem="there is no such model."),
    ],
)
async def test_an_embedder_that_is_gone_stops_the_run_with_one_error(
    world: World, benchmark: Any, error: ServiceError
) -> None:
    """No row is called not judged for it: what was answered waits for the run to be taken up."""
    world.changes = {"rows_at_once": 1}
    world.embedder = GoneEmbedder(error)
    rows = [(*row[:3], "A reference.") for row in ROWS]
    async with world.open() as runs:
        run = await runs.submit(benchmark(rows), "B.xlsx", RunOptions(), user=ME)
        view = await asyncio.wait_for(runs.wait(run.id, user=ME), 30)
        seen = await runs.rows(run.id, user=ME)
    assert view.failure is not None
    assert (view.state, view.failure.code, view.errors) == ("failed", error.code, 0)
    assert [row.state for row in seen][:2] == ["answered", "waiting"]
