"""A run is taken up again: what failed or is missing, and nothing else."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from service.errors import AnswerEmpty, OptionsRefused, RunComplete, RunNotReady
from service.runs import RunOptions, Runs, RunView, User
from service.runs._fakes import World

ME = User()
QUESTIONS = [f"Question {n}?" for n in range(8)]
ROWS = [*((question, "Law", "yes", question) for question in QUESTIONS), ("Where?", "Nowhere", "yes", "There.")]


async def ended(runs: Runs, run_id: str) -> RunView:
    """Wait for the end of a run."""
    return await asyncio.wait_for(runs.wait(run_id, user=ME), 30)


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - what is waited for happens in threads and fakes
            await asyncio.sleep(0.01)


async def test_only_rows_that_failed_are_asked_again(world: World, benchmark: Any, cells: Any) -> None:
    """The result is made anew; a row that can never be asked keeps its code."""
    law = world.assistants["Law"]
    law.says = dict.fromkeys(QUESTIONS[2:4], AnswerEmpty(space="Law", model="m"))
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(), user=ME)
        first = await ended(runs, run.id)
        law.asked.clear()
        law.says = {}
        again = await runs.resume(run.id, user=ME)
        second = await ended(runs, run.id)
        content = (await runs.workbook(run.id, user=ME)).content
        with pytest.raises(RunComplete):
            await runs.resume(run.id, user=ME)
    assert (first.state, first.errors) == ("ready", 3)
    assert (again.state, again.done, again.errors) == ("queued", 7, 1)
    assert (second.state, second.done, second.errors) == ("ready", 9, 1)
    assert sorted(law.asked) == QUESTIONS[2:4]
    assert cells(content)["answer"][:8] == QUESTIONS


async def test_a_row_whose_judging_failed_is_only_judged_again(world: World, benchmark: Any) -> None:
    """Its answer was paid for."""
    law = world.assistants["Law"]
    law.says = {QUESTIONS[1]: "UNCLEAR"}
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS[:8]), "B.xlsx", RunOptions(), user=ME)
        first = await ended(runs, run.id)
        law.asked.clear()
        await runs.resume(run.id, user=ME)
        second = await ended(runs, run.id)
    assert (first.errors, second.errors) == (1, 1)
    assert (second.state, law.asked) == ("ready", [])


async def test_a_cancelled_run_goes_on_where_it_stood(world: World, benchmark: Any) -> None:
    """Also while calls of its last attempt are still under way: none is made twice."""
    world.changes = {"rows_at_once": 2}
    law = world.assistants["Law"]
    law.holds = {QUESTIONS[2], QUESTIONS[3]}
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS[:8]), "B.xlsx", RunOptions(), user=ME)
        await until(lambda: len(law.waiting) == 2)
        with pytest.raises(RunNotReady):
            await runs.resume(run.id, user=ME)
        await runs.cancel(run.id, user=ME)
        await runs.resume(run.id, user=ME)
        await asyncio.sleep(0.5)
        law.release()
        view = await ended(runs, run.id)
    assert (view.state, view.done, view.errors) == ("ready", 8, 0)
    assert sorted(law.asked) == QUESTIONS


async def test_a_resumed_run_survives_a_restart(world: World, benchmark: Any) -> None:
    """The engine knows the second attempt apart from the first."""
    law = world.assistants["Law"]
    law.says = {QUESTIONS[0]: AnswerEmpty(space="Law", model="m")}
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS[:8]), "B.xlsx", RunOptions(), user=ME)
        await ended(runs, run.id)
        law.says = {}
        law.holds = {QUESTIONS[0]}
        await runs.resume(run.id, user=ME)
        await until(lambda: bool(law.waiting))
    law.holds = set()
    async with world.open() as runs:
        view = await ended(runs, run.id)
    assert (view.state, view.done, view.errors) == ("ready", 8, 0)


async def test_force_asks_everything_again(world: World, benchmark: Any, cells: Any) -> None:
    """Also what was answered and judged; the result is that of the new answers."""
    law = world.assistants["Law"]
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(), user=ME)
        await ended(runs, run.id)
        law.asked.clear()
        law.says = {QUESTIONS[0]: "It is WRONG."}
        again = await runs.resume(run.id, user=ME, force=True)
        view = await ended(runs, run.id)
        content = (await runs.workbook(run.id, user=ME)).content
    assert (again.state, again.done) == ("queued", 1)
    assert (view.state, view.done, view.errors, view.flagged) == ("ready", 9, 1, 1)
    assert sorted(law.asked) == QUESTIONS
    assert cells(content)["answer"][:8] == ["It is WRONG.", *QUESTIONS[1:]]


async def test_force_asks_the_named_rows_again(world: World, benchmark: Any) -> None:
    """Beside those that failed; the others keep their answers."""
    law = world.assistants["Law"]
    law.says = {QUESTIONS[5]: AnswerEmpty(space="Law", model="m")}
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS[:8]), "B.xlsx", RunOptions(), user=ME)
        await ended(runs, run.id)
        law.asked.clear()
        law.says = {}
        await runs.resume(run.id, user=ME, force=True, rows="1-2")
        view = await ended(runs, run.id)
        for options in ({"rows": "1"}, {"force": True, "rows": "1-9"}):
            with pytest.raises(OptionsRefused):
                await runs.resume(run.id, user=ME, **options)
    assert (view.state, view.done, view.errors) == ("ready", 8, 0)
    assert sorted(law.asked) == [QUESTIONS[0], QUESTIONS[1], QUESTIONS[5]]


async def test_force_begins_a_run_anew_while_it_goes_on(world: World, benchmark: Any) -> None:
    """What its first attempt still has under way is not taken for an answer of the second."""
    law = world.assistants["Law"]
    law.holds = {QUESTIONS[0]}
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS[:8]), "B.xlsx", RunOptions(), user=ME)
        await until(lambda: law.waiting == law.holds and len(law.asked) == 8)
        await runs.resume(run.id, user=ME, force=True)
        law.says = dict.fromkeys(QUESTIONS, "Said later.")
        law.holds = set()
        law.release()
        view = await ended(runs, run.id)
        rows = await runs.rows(run.id, user=ME)
    assert (view.state, view.done, view.errors) == ("ready", 8, 0)
    assert [row.answer for row in rows] == ["Said later."] * 8
    assert len(law.asked) == 16


async def test_force_on_given_answers_judges_them_again(world: World, benchmark: Any) -> None:
    """Nothing was asked in that run, and nothing is now."""
    headers = ("Question", "Assistant", "answer_benchmark", "answer")
    content = benchmark([("Why?", "Law", "Because.", "Because.")], headers)
    async with world.open() as runs:
        run = await runs.submit(content, "B.xlsx", RunOptions(judge_only=True), user=ME)
        await ended(runs, run.id)
        judged = len(world.judge.asked)
        await runs.resume(run.id, user=ME, force=True)
        view = await ended(runs, run.id)
    assert (view.state, view.done, view.errors) == ("ready", 1, 0)
    assert (len(world.judge.asked), world.asked()) == (2 * judged, [])
