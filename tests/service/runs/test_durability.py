"""Stopped, restarted, cut short: what was stored is never lost and never asked again."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from service.errors import HomeBusy, ServiceError, SetupProblem
from service.runs import RunOptions, Runs, RunView, User
from service.runs._fakes import World
from service.runs._lock import only_one
from service.runs._pulse import Pulse
from service.runs._sorting import Spaces
from service.runs._submit import Desk
from service.store import Store

ME = User()
ROWS = [(f"Question {n}?", "Law", "yes", f"Question {n}?") for n in range(12)]


async def until(condition: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - what is waited for happens in threads and fakes
            await asyncio.sleep(0.01)


async def ended(runs: Runs, run_id: str) -> RunView:
    """Wait for the end of a run."""
    return await asyncio.wait_for(runs.wait(run_id, user=ME), 30)


class DeadEngine:
    """The engine of a process that dies between storing a run and handing it over."""

    def head_start(self, run_id: str, shards: Iterable[int]) -> None:
        """Do nothing any more."""

    async def start(self, run_id: str, attempt: int) -> None:
        """Do nothing any more."""

    async def ping(self) -> None:
        """Do nothing any more."""


async def upload_and_die(world: World, content: bytes, owner: str) -> str:
    """Store a run as a process of that name would, and end before the engine hears of it."""
    store = await Store.open(world.settings.store_url)
    desk = Desk(settings=world.settings, spaces=Spaces(world.spaces), owner=owner)
    runs = Runs(store, DeadEngine(), Pulse(store), world.bench(), desk)  # type: ignore[arg-type]
    run = await runs.submit(content, "B.xlsx", RunOptions(), user=ME)
    await store.close()
    return run.id


async def test_a_run_goes_on_after_a_restart_and_asks_nothing_twice(world: World, benchmark: Any) -> None:
    """Rows answered before the stop are only judged, the others are asked."""
    world.changes = {"shard_rows": 5, "rows_at_once": 4}
    law = world.assistants["Law"]
    law.holds = {"Question 6?", "Question 7?", "Question 8?", "Question 9?"}
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(), user=ME)
        await until(lambda: len(law.waiting) == 4)
    answered = set(law.asked) - law.holds
    assert 0 < len(answered) < 12
    law.asked.clear()
    law.holds = set()
    async with world.open() as runs:
        view = await ended(runs, run.id)
        rows = await runs.rows(run.id, user=ME)
    assert (view.state, view.done, view.errors) == ("ready", 12, 0)
    assert not answered & set(law.asked)
    assert sorted(law.asked) == sorted(set(law.asked))
    assert [row.answer for row in rows] == [question for question, *_ in ROWS]


async def test_an_upload_that_was_answered_is_never_lost(world: World, benchmark: Any) -> None:
    """The process died between storing the run and handing it to the engine."""
    run_id = await upload_and_die(world, benchmark(ROWS), owner="serve")
    async with world.open() as runs:
        view = await ended(runs, run_id)
    assert (view.state, view.done) == ("ready", 12)
    assert len(world.asked()) == 12


async def test_what_a_dead_command_left_is_continued_by_the_service(world: World, benchmark: Any) -> None:
    """Its name is held by nobody; a command that still works keeps its run."""
    dead = await upload_and_die(world, benchmark(ROWS), owner="cli-dead")
    alive = await upload_and_die(world, benchmark(ROWS), owner="cli-alive")
    with only_one(world.home, "cli-alive"):
        async with world.open() as runs:
            assert (await ended(runs, dead)).state == "ready"
            assert (await runs.get(alive, user=ME)).state == "queued"
    assert len(world.asked()) == 12


async def test_a_command_leaves_the_runs_of_others_alone(world: World, benchmark: Any) -> None:
    """Only the service takes over."""
    run_id = await upload_and_die(world, benchmark(ROWS), owner="cli-dead")
    async with world.open("cli-2") as runs:
        assert (await runs.get(run_id, user=ME)).state == "queued"
    assert world.asked() == []


async def test_a_second_service_on_the_same_home_is_refused(world: World) -> None:
    """It would take the first one's running work for left over."""
    async with world.open():
        with pytest.raises(HomeBusy):
            async with world.open():
                pass


async def test_a_restart_asks_the_space_as_it_was(world: World, benchmark: Any) -> None:
    """An edit of spaces.yaml in the middle of a run does not change what the run measures."""
    run_id = await upload_and_die(world, benchmark(ROWS), owner="serve")
    before = world.spaces[0]
    world.spaces = (before.model_copy(update={"flags": {"embedding": {"threshold": 1.1}}, "backend": "other"}),)
    async with world.open() as runs:
        await ended(runs, run_id)
        rows = await runs.rows(run_id, user=ME)
    assert world.opened == [before]
    assert all(row.verdicts["embedding"].value is False for row in rows)


async def test_cancelling_stops_asking_and_keeps_what_is_there(world: World, benchmark: Any, cells: Any) -> None:
    """Calls that were under way are taken in; nothing new begins; the file can be downloaded."""
    world.changes = {"rows_at_once": 4}
    law = world.assistants["Law"]
    law.holds = {"Question 4?", "Question 5?", "Question 6?", "Question 7?"}
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(), user=ME)
        await until(lambda: len(law.waiting) == 4)
        halfway = cells((await runs.workbook(run.id, user=ME)).content)
        view = await runs.cancel(run.id, user=ME)
        assert view.state == "cancelled"
        law.release()
        await until(lambda: not law.waiting)
        rows = await runs.rows(run.id, user=ME)
        content = (await runs.workbook(run.id, user=ME)).content
        assert (await runs.cancel(run.id, user=ME)).state == "cancelled"
    assert sorted(law.asked) == [f"Question {n}?" for n in range(8)]
    assert [row.state for row in rows[:4]] == ["judged"] * 4
    assert halfway["answer"][:5] == ["Question 0?", "Question 1?", "Question 2?", "Question 3?", None]
    assert cells(content)["answer"][:4] == halfway["answer"][:4]
    assert cells(content)["answer"][8:] == [None] * 4


async def test_a_cancelled_run_stays_cancelled_after_a_restart(world: World, benchmark: Any) -> None:
    """Nothing of it is asked again."""
    world.assistants["Law"].gate.clear()
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(), user=ME)
        await until(lambda: bool(world.asked()))
        await runs.cancel(run.id, user=ME)
        world.open_gates()
    asked = len(world.asked())
    async with world.open() as runs:
        await asyncio.sleep(1)
        assert (await runs.get(run.id, user=ME)).state == "cancelled"
    assert len(world.asked()) == asked


async def test_a_deleted_run_is_gone_also_while_it_is_asked(world: World, benchmark: Any) -> None:
    """Answers that come late find no row and are dropped."""
    law = world.assistants["Law"]
    law.gate.clear()
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(), user=ME)
        await until(lambda: len(law.waiting) == world.spaces[0].concurrency)
        await runs.delete(run.id, user=ME)
        law.gate.set()
        await until(lambda: not law.waiting)
        assert await runs.list(user=ME) == []
        other = await runs.submit(benchmark(ROWS[:1]), "B.xlsx", RunOptions(), user=ME)
        assert (await ended(runs, other.id)).state == "ready"
    assert len(law.asked) == world.spaces[0].concurrency + 1


class KeyGone(SetupProblem):
    """A key that was there at upload and is missing after the restart."""

    code = ""
    sentence = "The variable is not set."


async def test_a_run_that_cannot_go_on_says_why_and_keeps_what_is_there(
    world: World, benchmark: Any, cells: Any
) -> None:
    """The failure has a code and a sentence, and the file is delivered."""
    run_id = await upload_and_die(world, benchmark(ROWS), owner="serve")
    world.fault = KeyGone()
    async with world.open() as runs:
        view = await ended(runs, run_id)
        content = (await runs.workbook(run_id, user=ME)).content
    assert view.state == "failed"
    assert view.failure is not None
    assert view.failure.message == "The variable is not set."
    assert cells(content)["Question"] == [question for question, *_ in ROWS]


async def test_a_fault_of_ours_is_told_without_its_insides(world: World, benchmark: Any) -> None:
    """The log says more; the person gets a code and the kind of fault."""
    run_id = await upload_and_die(world, benchmark(ROWS), owner="serve")
    world.fault = ZeroDivisionError("at line 7 of secret.py")
    async with world.open() as runs:
        view = await ended(runs, run_id)
    assert view.failure is not None
    assert view.failure.code == "run_broken"
    assert "secret" not in view.failure.message


async def test_another_company_sees_nothing(world: World, benchmark: Any) -> None:
    """For it the run does not exist, whatever it asks for."""
    stranger = User(name="eve", company="other")
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS[:1]), "B.xlsx", RunOptions(), user=ME)
        await ended(runs, run.id)
        asks: list[Any] = [
            runs.get(run.id, user=stranger),
            runs.rows(run.id, user=stranger),
            runs.workbook(run.id, user=stranger),
            runs.cancel(run.id, user=stranger),
            runs.adopt(run.id, user=stranger),
            runs.delete(run.id, user=stranger),
            runs.rejudge(run.id, RunOptions(), user=stranger),
            runs.wait(run.id, user=stranger),
        ]
        told = await asyncio.gather(*asks, return_exceptions=True)
        assert await runs.list(user=stranger) == []
        assert (await runs.get(run.id, user=ME)).state == "ready"
    assert [error.code if isinstance(error, ServiceError) else error for error in told] == ["run_unknown"] * len(asks)
