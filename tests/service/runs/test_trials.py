"""Each question asked several times."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from service.errors import AssistantUnreachable, OptionsRefused
from service.runs import RunOptions, Runs, RunView, User
from service.runs._fakes import World

ME = User()
ROWS = [("Is it allowed?", "Law", "yes", "Is it allowed?"), ("How much?", "Tax", "yes", "How much?")]
WRONG = "Is it WRONG?"


async def finished(runs: Runs, content: bytes, **options: Any) -> RunView:
    """Submit a workbook and wait for its end."""
    run = await runs.submit(content, "Benchmark.xlsx", RunOptions(**options), user=ME)
    return await asyncio.wait_for(runs.wait(run.id, user=ME), 30)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(30):
        while not holds():  # noqa: ASYNC110 - what is waited for is seen from outside
            await asyncio.sleep(0.01)


async def test_the_flags_are_those_of_most_answers_and_the_spread_is_shown(
    world: World, benchmark: Any, cells: Any
) -> None:
    """In the explanation, in the sheet Run, and as rows of the API."""
    world.assistants["Law"].says["Is it allowed?"] = ["Is it allowed?", WRONG, "Is it allowed?"]
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS), trials=3)
        law, tax = await runs.rows(run.id, user=ME)
        file = await runs.workbook(run.id, user=ME)
    assert world.asked().count("Is it allowed?") == world.asked().count("How much?") == 3
    assert (run.state, run.flagged, run.errors, run.options.trials) == ("ready", 0, 0, 3)
    assert (law.answer, law.flagged) == ("Is it allowed?", False)
    assert [(each.trial, each.answer, each.flagged) for each in law.trials] == [
        (1, "Is it allowed?", False),
        (2, WRONG, True),
        (3, "Is it allowed?", False),
    ]
    assert "contradiction" in law.trials[1].flags
    assert law.explanation.endswith("contradiction 1).") or "flaky, 1 of 3 answers deviate" in law.explanation
    assert tax.explanation.endswith("Asked 3 times: stable, 0 of 3 answers deviate.")
    written = cells(file.content)
    assert written["explanation"] == [law.explanation, tax.explanation]
    assert WRONG in written["ChatMessages"][0]
    sheet = cells(file.content, 1)["flagbook run report"]
    assert "Rows that are flaky: some answers deviate" in sheet
    assert len(world.judge.asked) == 18


async def test_what_a_stopped_process_had_asked_is_not_asked_again(world: World, benchmark: Any) -> None:
    """Two of three answers were stored before the process ended; the next one asks for the third."""
    law = world.assistants["Law"]
    law.says["Is it allowed?"] = ["Is it allowed?", WRONG, RuntimeError("never asked in the first process")]
    law.most = 2
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS[:1]), "B.xlsx", RunOptions(trials=3), user=ME)
        await until(lambda: len(law.asked) == 3 and len(world.judge.asked) == 6)
    law.says["Is it allowed?"] = WRONG
    law.most = 99
    async with world.open() as runs:
        done = await asyncio.wait_for(runs.wait(run.id, user=ME), 30)
        (row,) = await runs.rows(run.id, user=ME)
    assert (done.state, done.flagged, len(law.asked), len(world.judge.asked)) == ("ready", 1, 4, 9)
    assert "flaky, 2 of 3 answers deviate" in row.explanation


async def test_only_the_trials_that_failed_are_asked_again(world: World, benchmark: Any) -> None:
    """Most answers failed, so that the row was not judged; resumed, the one that was given stays."""
    law = world.assistants["Law"]
    down = AssistantUnreachable(space="Law", problem="down")
    law.says["Is it allowed?"] = ["Is it allowed?", down, down]
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS[:1]), trials=3)
        (row,) = await runs.rows(run.id, user=ME)
        assert (run.errors, row.code, row.flagged) == (1, "assistant_unreachable", True)
        assert "2 not answered or not judged" in row.explanation
        law.says["Is it allowed?"] = "Is it allowed?"
        await runs.resume(run.id, user=ME)
        again = await asyncio.wait_for(runs.wait(run.id, user=ME), 30)
        (row,) = await runs.rows(run.id, user=ME)
    assert (again.errors, row.flagged, len(law.asked)) == (0, False, 5)
    assert row.explanation.endswith("stable, 0 of 3 answers deviate.")


async def test_all_answers_are_judged_again(world: World, benchmark: Any) -> None:
    """A rejudged run has as many answers to each question as the run it came from; nothing is asked."""
    world.assistants["Law"].says["Is it allowed?"] = [
        WRONG,
        "Is it allowed?",
        AssistantUnreachable(space="L", problem="p"),
    ]
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS[:1]), trials=3)
        asked = len(world.asked())
        again = await runs.rejudge(run.id, RunOptions(counts=("contradiction",)), user=ME)
        again = await asyncio.wait_for(runs.wait(again.id, user=ME), 30)
        (row,) = await runs.rows(again.id, user=ME)
    assert len(world.asked()) == asked
    assert [trial.code for trial in row.trials] == ["", "", "assistant_unreachable"]
    assert again.options.trials == 3
    assert "flaky, 1 of 2 answers deviate" in row.explanation


async def test_a_stopped_run_leaves_its_rows_open(world: World, benchmark: Any) -> None:
    """A row with some of its answers is not settled by them."""
    law = world.assistants["Law"]
    law.holds.add("Is it allowed?")
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS[:1]), "B.xlsx", RunOptions(trials=2), user=ME)
        await until(lambda: len(law.asked) == 2)
        await runs.cancel(run.id, user=ME)
        law.release()
        (row,) = await runs.rows(run.id, user=ME)
    assert (row.state, row.flagged, row.answer) == ("waiting", None, None)


async def test_nothing_can_be_repeated_where_nothing_is_asked(world: World, benchmark: Any) -> None:
    """Given answers are what they are."""
    async with world.open() as runs:
        with pytest.raises(OptionsRefused, match="nothing to repeat"):
            await finished(runs, benchmark(ROWS), trials=2, judge_only=True)


async def test_force_asks_every_trial_again(world: World, benchmark: Any) -> None:
    """Of none is anything kept."""
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS), trials=3)
        world.assistants["Law"].says["Is it allowed?"] = [WRONG, WRONG, WRONG]
        await runs.resume(run.id, user=ME, force=True)
        again = await asyncio.wait_for(runs.wait(run.id, user=ME), 30)
        law, _ = await runs.rows(run.id, user=ME)
    assert (again.state, again.flagged, again.errors) == ("ready", 1, 0)
    assert [(each.trial, each.answer, each.flagged) for each in law.trials] == [(n, WRONG, True) for n in (1, 2, 3)]
    assert world.asked().count("Is it allowed?") == 6
