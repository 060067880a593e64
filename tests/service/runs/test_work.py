"""What becomes of faults: a row's stays in its row, the run's ends the run, the store's waits for the next start."""

import asyncio
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from flags import Answer, Case, Tools, Verdict, discover
from flags._fakes import WordEmbedder
from flags.final import Final
from service.errors import AnswerMissing
from service.runs._fakes import ToldAssistant, WordJudge, World
from service.runs._judging import Judging
from service.runs._places import OwnPlaces
from service.runs._presence import Presence
from service.runs._pulse import Pulse
from service.runs._row import Handling, RowWork
from service.runs._shard import Sharing
from service.runs._work import RunWork
from service.store import Store


def alone(store: Store, world: World) -> RunWork:
    """The work of a process that has its database to itself."""
    bench = world.bench()
    sharing = Sharing(presence=Presence(store, "serve", shared=False), places=bench.places)
    return RunWork(store, bench, Pulse(store), sharing)


TOOLS = Tools(judge=WordJudge(), embedder=WordEmbedder())


@dataclass(frozen=True)
class Waiting:
    """A flag that waits for itself, which no flag may."""

    needs: ClassVar[tuple[str, ...]] = ("waiting",)

    async def __call__(self, case: Case, tools: Tools) -> Verdict:
        """Never get here."""
        raise AssertionError


async def test_a_fault_in_judging_stays_in_its_row(store: Store) -> None:
    """The answer is kept and a person is told to look."""
    (row,) = await store.rows.of_shard("r1", 0)
    flags: dict[str, Any] = {"waiting": Waiting(), "final": Final()}
    handling = Handling(assistant=AnswerMissing(), places=OwnPlaces(1), flags=flags, tools=TOOLS, judging=Judging())
    await RowWork(store, Pulse(store)).carry(row, handling)
    (row,) = await store.rows.page("r1")
    assert (row.state, row.code, row.answer) == ("failed", "internal_error_in_row", Answer(text="a"))
    assert row.verdicts["final"].value is True


async def test_a_row_is_left_as_it_stands_when_its_answer_cannot_be_judged_any_more(store: Store) -> None:
    """The run was cancelled between answer and verdicts; nothing is written that was not judged."""
    (row,) = await store.rows.of_shard("r1", 0)
    pulse = Pulse(store)
    pulse.stop("r1")
    handling = Handling(
        assistant=ToldAssistant(), places=OwnPlaces(1), flags=discover(), tools=TOOLS, judging=Judging()
    )
    await RowWork(store, pulse).carry(row, handling)
    (row,) = await store.rows.page("r1")
    assert (row.state, dict(row.verdicts)) == ("answered", {})


async def test_a_result_that_cannot_be_written_ends_the_run_with_the_reason(store: Store, world: World) -> None:
    """The refusal of the workbook room is told as it is."""
    work = alone(store, world)
    await work.rows("r1", 0)
    run = await store.runs.get("r1")
    assert run is not None
    assert run.state == "failed"
    assert run.failure is not None
    assert run.failure["code"].startswith("workbook_")


async def test_flags_that_are_no_longer_known_end_the_run_with_the_reason(
    store: Store, world: World, one_row: Any
) -> None:
    """An upgrade took a setting away."""
    plan = one_row().plan
    await store.runs.add(one_row(id="r2", plan={**plan, "flags": {"": {}, "Law": {"embedding": {"gone": 1}}}}))
    await alone(store, world).rows("r2", 0)
    run = await store.runs.get("r2")
    assert run is not None
    assert (run.state, (run.failure or {}).get("code")) == ("failed", "options_refused")


async def test_what_cannot_even_be_stored_is_tried_again_at_the_next_start(store: Store, world: World) -> None:
    """The engine keeps the shard open: its workflow is broken off, not ended."""
    work = alone(store, world)
    await store.close()
    for step in (work.rows("r1", 0), work.end("r1"), work.shards("r1")):
        with pytest.raises(asyncio.CancelledError):
            await step


async def test_a_run_that_has_ended_is_not_worked_on(store: Store, world: World) -> None:
    """Whatever the engine still has of it."""
    await store.runs.cancel("r1")
    work = alone(store, world)
    assert await work.shards("r1") == []
    await work.rows("r1", 0)
    assert await store.runs.state("r1") == "cancelled"
    assert (await store.rows.page("r1"))[0].state == "answered"
