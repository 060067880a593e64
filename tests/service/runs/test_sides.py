"""A stored run and the file that came out of it are the same side of a comparison."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from service.errors import RunNotReady, RunUnknown
from service.runs import RunOptions, Runs, User, compare, side_of_file
from service.runs._fakes import World
from service.workbook import read_flagged

ME = User()
ROWS = [
    ("Is it allowed?", "Law", "yes", "Is it allowed?"),
    ("How much?", "Tax", "no", "How much?"),
    ("Until when?", "Law", "no", ""),
    ("Who pays?", "Nowhere", "yes", "We do."),
]


async def ran(runs: Runs, content: bytes) -> str:
    """Submit a workbook and wait for its end."""
    run = await runs.submit(content, "B.xlsx", RunOptions(), user=ME)
    await asyncio.wait_for(runs.wait(run.id, user=ME), 30)
    return run.id


async def test_a_run_and_its_file_say_the_same(world: World, benchmark: Any) -> None:
    """Flags, codes, answers and what judged; so that either may be compared with either."""
    world.assistants["Law"].says["Is it allowed?"] = "It is WRONG to say so."
    async with world.open() as runs:
        run_id = await ran(runs, benchmark(ROWS))
        stored = await runs.side(run_id, user=ME)
        file = await runs.workbook(run_id, user=ME)
    written = side_of_file("B.xlsx", read_flagged(file.content, filename="B.xlsx"))
    assert [replace(each, flags=()) for each in written.outcomes] == [
        replace(each, flags=()) for each in stored.outcomes
    ]
    assert [set(each.flags) for each in written.outcomes] == [set(each.flags) for each in stored.outcomes]
    assert written.setup == stored.setup
    assert (written.run, written.name) == (run_id, "B.xlsx")
    passes = [each.passes for each in stored.outcomes]
    assert passes == [False, True, True, None]
    assert stored.outcomes[3].code == "space_unknown"
    assert "contradiction" in stored.outcomes[0].flags
    assert stored.setup["Judge"] == "words 1"
    assert stored.setup["embedding.threshold (Law)"] == "0.92"
    assert compare(stored, written).changes == ()


async def test_what_never_ran_has_no_verdict(benchmark: Any) -> None:
    """A workbook no run wrote into can be read, and says nothing."""
    found = side_of_file("B.xlsx", read_flagged(benchmark(ROWS), filename="B.xlsx"))
    assert {each.passes for each in found.outcomes} == {None}
    assert (found.setup, found.run) == ({}, "")


async def test_runs_of_others_and_runs_that_go_on_are_not_compared(world: World, benchmark: Any) -> None:
    """A run of another company does not exist; one that goes on has no result yet."""
    async with world.open() as runs:
        one, other = [await ran(runs, benchmark(ROWS)) for _ in range(2)]
        assert (await runs.compare(one, other, user=ME)).total.worse == 0
        with pytest.raises(RunUnknown):
            await runs.compare(one, other, user=User(company="other"))
        for assistant in world.assistants.values():
            assistant.gate.clear()
        going = await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(), user=ME)
        with pytest.raises(RunNotReady):
            await runs.compare(one, going.id, user=ME)
        world.open_gates()
