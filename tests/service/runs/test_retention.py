"""Runs that ended long ago are removed, in our books and in the engine's."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from service.errors import RunUnknown
from service.runs import RunOptions, User
from service.runs._fakes import World

ME = User()
ROWS = [(f"Question {n}?", "Law", "yes", f"Question {n}?") for n in range(4)]


def remembered(world: World) -> set[str]:
    """Return the pieces of work the engine knows of."""
    with closing(sqlite3.connect(world.home / "engine.sqlite")) as engine:
        return {name for (name,) in engine.execute("SELECT workflow_uuid FROM workflow_status")}


async def test_what_ended_before_is_removed_and_nothing_else(world: World, benchmark: Any) -> None:
    """A run that goes on keeps its rows and what the engine has to do for it, however old it is."""
    law = world.assistants["Law"]
    content = benchmark(ROWS)
    async with world.open() as runs:
        old = await runs.submit(content, "Old.xlsx", RunOptions(), user=ME)
        await asyncio.wait_for(runs.wait(old.id, user=ME), 30)
        law.gate.clear()
        going = await runs.submit(content, "Going.xlsx", RunOptions(), user=ME)
        async with asyncio.timeout(20):
            while not law.waiting:  # noqa: ASYNC110 - what is waited for happens in fakes
                await asyncio.sleep(0.01)
        later = datetime.now(UTC) + timedelta(days=1)
        nothing = await runs.prune(later - timedelta(days=2))
        would = await runs.prune(later, dry_run=True)
        assert [run.name for run in await runs.list(user=ME)] == ["Going.xlsx", "Old.xlsx"]
        pruned = await runs.prune(later)
        with pytest.raises(RunUnknown):
            await runs.get(old.id, user=ME)
        await runs.give_back()
        left = remembered(world)
        law.gate.set()
        view = await asyncio.wait_for(runs.wait(going.id, user=ME), 30)
    assert (nothing.runs, would.runs, would.rows, pruned) == (0, 1, 4, would)
    assert pruned.size > len(content)
    assert {name[:36] for name in left} == {going.id}
    assert (view.state, view.done) == ("ready", 4)
