"""Replies of the judge are taken again where the same model was asked the same words."""

import asyncio
from typing import Any

import pytest

from flags import Case, Judgement, Rubric
from service.runs import RunOptions, Runs, RunView, User
from service.runs._fakes import WordJudge, World

ROWS = [("Is it allowed?", "Law", "yes", "Is it allowed?"), ("How much?", "Tax", "yes", "How much?")]


@pytest.fixture
def llm_world(world: World) -> World:
    """A world whose judge counts as a language model."""
    world.changes = {"judge_api_key_env": ""}
    return world


async def finished(runs: Runs, content: bytes, *, company: str = "local", **options: Any) -> RunView:
    """Submit a workbook to the LLM judge and wait for its end."""
    user = User(company=company)
    chosen = RunOptions(**{"judge": "llm", **options})
    run = await runs.submit(content, "B.xlsx", chosen, user=user)
    return await asyncio.wait_for(runs.wait(run.id, user=user), 30)


async def test_a_second_run_asks_the_judge_nothing(llm_world: World, benchmark: Any) -> None:
    """Its verdicts are the same, and its counts say where they come from."""
    llm_world.assistants["Law"].says["Is it allowed?"] = "That is WRONG."
    async with llm_world.open() as runs:
        first = await finished(runs, benchmark(ROWS))
        asked = len(llm_world.judge.asked)
        second = await finished(runs, benchmark(ROWS))
        rows = [[row.verdicts for row in await runs.rows(run.id, user=User())] for run in (first, second)]
    assert (first.cached, second.cached) == (0, asked) == (0, 6)
    assert len(llm_world.judge.asked) == asked
    assert rows[0] == rows[1]
    assert (second.flagged, second.judge) == (first.flagged, first.judge)


OTHERS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"judge_model": "another"}, {}),
    ({"judge_base_url": "http://127.0.0.1:9/v1"}, {}),
    ({"judge_cache": False}, {}),
    ({}, {"trials": 2}),
    ({}, {"judge": "local"}),
    ({}, {"company": "another"}),
]


@pytest.mark.parametrize(("settings", "options"), OTHERS, ids=str)
async def test_another_judge_company_or_wish_is_asked(
    llm_world: World, benchmark: Any, settings: dict[str, Any], options: dict[str, Any]
) -> None:
    """Also for trials, which are there to differ, and where the cache is switched off."""
    async with llm_world.open() as runs:
        await finished(runs, benchmark(ROWS[:1]))
    llm_world.changes = {**llm_world.changes, **settings}
    llm_world.judge.asked.clear()
    async with llm_world.open() as runs:
        run = await finished(runs, benchmark(ROWS[:1]), **options)
    assert (run.cached, len(llm_world.judge.asked)) == (0, 3 * options.get("trials", 1))


class UnsureJudge(WordJudge):
    """Fails on the first case it is asked, and cannot tell on the second."""

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        reply = await super().decide(rubric, case)
        return {**reply, "verdict": "cannot_tell"} if rubric.name == "contradiction" else reply


async def test_what_failed_or_could_not_be_told_is_asked_again(llm_world: World, benchmark: Any) -> None:
    """A verdict taken again is never a failed one."""
    llm_world.judge = UnsureJudge()
    llm_world.assistants["Tax"].says["How much?"] = "UNCLEAR"
    async with llm_world.open() as runs:
        assert (await finished(runs, benchmark(ROWS))).errors == 2
    llm_world.judge = WordJudge()
    async with llm_world.open() as runs:
        second = await finished(runs, benchmark(ROWS))
    asked = sorted(llm_world.judge.asked)
    assert [question for rubric, question in asked if rubric == "contradiction"] == ["How much?", "Is it allowed?"]
    assert second.cached == 2


async def test_what_a_deleted_run_held_is_gone(llm_world: World, benchmark: Any) -> None:
    """Its texts are removed for good; a run that took its replies keeps its own copy."""
    async with llm_world.open() as runs:
        first = await finished(runs, benchmark(ROWS[:1]))
        await runs.delete(first.id, user=User())
        assert (await finished(runs, benchmark(ROWS[:1]))).cached == 0


async def test_a_long_case_is_judged_in_parts_and_each_reply_is_kept(llm_world: World, benchmark: Any) -> None:
    """No prompt is longer than the window; a second run takes every part again."""
    llm_world.changes = {**llm_world.changes, "judge_window_tokens": 1200}
    text = " ".join(f"This is sentence number {number} of a long answer." for number in range(300))
    llm_world.assistants["Law"].says["Is it allowed?"] = text
    async with llm_world.open() as runs:
        first = await finished(runs, benchmark([("Is it allowed?", "Law", "yes", text[:-1])]))
        asked = len(llm_world.judge.asked)
        (row,) = await runs.rows(first.id, user=User())
        second = await finished(runs, benchmark([("Is it allowed?", "Law", "yes", text[:-1])]))
    assert first.errors == 0
    assert "(Judged in" in row.verdicts["contradiction"].reason
    assert asked > 10
    assert (second.cached, len(llm_world.judge.asked)) == (asked, asked)
