"""Runs come in whole, change state once and leave nothing behind."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from flags import Question, Source, Verdict
from service.store import NewRow, NewRun, Reply, Review, RunRecord, Store, Tally
from service.store._tables import FileTable, JudgementTable, ReviewTable, RowTable, RunTable, VerdictTable

Make = Callable[..., NewRun]


async def test_an_upload_is_stored_as_a_whole(store: Store, new_run: Make) -> None:
    """Run, workbook, rows and reviews are there once `add` returns."""
    await store.runs.add(new_run(reviews=(Review(number=2, answer_hash="h", correct=False),)))
    run = await store.runs.get("r1")
    assert run is not None
    assert (run.state, run.total, run.tally, run.spaces) == ("queued", 3, Tally(), {"Law": 2, "Tax": 1})
    assert abs((datetime.now(UTC) - run.created).total_seconds()) < 60
    assert await store.runs.file("r1", "input") == b"PK"
    assert await store.runs.file("r1", "result") is None
    assert await store.runs.reviews("r1") == {2: ("h", False)}


async def test_an_upload_that_cannot_be_stored_leaves_nothing(store: Store, new_run: Make) -> None:
    """A row that appears twice refuses the whole upload."""
    row = NewRow(number=2, position=1, space="Law", question=Question(text="q", space="Law"), shard=0)
    with pytest.raises(Exception, match=r"(?i)unique"):
        await store.runs.add(new_run(rows=(row, row)))
    assert await store.runs.get("r1") is None


async def test_a_run_of_another_company_is_not_found(store: Store, new_run: Make) -> None:
    """Company is part of the question, not a filter on the answer."""
    await store.runs.add(new_run())
    assert await store.runs.get("r1", company="other") is None
    assert await store.runs.get("r1", company="acme") is not None
    assert await store.runs.of_company("other") == []


async def test_runs_are_listed_with_the_newest_first(store: Store, new_run: Make) -> None:
    """The page shows the last upload on top; a process asks for its own open runs, the oldest first."""
    for run_id in ("a", "b", "c"):
        await store.runs.add(new_run(run_id, owner="serve" if run_id != "b" else "run-1"))
    assert [run.id for run in await store.runs.of_company("acme")] == ["c", "b", "a"]
    assert await store.runs.unfinished("serve") == ["a", "c"]
    await store.runs.cancel("a")
    assert await store.runs.unfinished("serve") == ["c"]


async def test_result_and_ready_come_together_and_once(store: Store, new_run: Make) -> None:
    """Two finishers at the same time leave one result."""
    await store.runs.add(new_run())
    await store.runs.begin("r1")
    tally = Tally(done=3, errors=1, flagged=1, counts={"final": 2})
    begun = await the_run(store)
    assert await store.runs.finish(replace(begun, tally=tally), b"one", datetime.now(UTC)) is True
    assert await store.runs.finish(replace(begun, tally=tally), b"two", datetime.now(UTC)) is False
    run = await store.runs.get("r1")
    assert run is not None
    assert (run.state, run.tally) == ("ready", tally)
    assert run.started is not None
    assert run.finished is not None
    assert await store.runs.file("r1", "result") == b"one"


async def the_run(store: Store) -> RunRecord:
    """Return the run as it stands."""
    run = await store.runs.get("r1")
    assert run is not None
    return run


async def test_a_run_that_was_taken_up_again_is_not_ended_by_those_before(store: Store, new_run: Make) -> None:
    """A result that was written while its rows were queued again is not the run's."""
    await store.runs.add(new_run())
    before = await the_run(store)
    assert await store.runs.reopen("r1", "serve", anew=[row.number for row in new_run().rows])
    assert await store.runs.finish(before, b"old", datetime.now(UTC)) is False
    assert (await the_run(store)).state == "queued"
    assert await store.runs.file("r1", "result") is None


@pytest.mark.parametrize("end", ["cancel", "fail"])
async def test_an_ended_run_stays_as_it_ended(store: Store, new_run: Make, end: str) -> None:
    """Neither a late finisher nor a second cancel changes how a run ended."""
    await store.runs.add(new_run())
    if end == "cancel":
        assert await store.runs.cancel("r1") is True
    else:
        assert await store.runs.fail("r1", {"code": "run_broken", "message": "m", "params": {}}) is True
    assert await store.runs.finish(await the_run(store), b"late", datetime.now(UTC)) is False
    assert await store.runs.cancel("r1") is False
    assert await store.runs.fail("r1", {}) is False
    await store.runs.begin("r1")
    assert await store.runs.state("r1") == {"cancel": "cancelled", "fail": "failed"}[end]
    assert await store.runs.file("r1", "result") is None


async def test_deleting_a_run_leaves_no_trace(store: Store, new_run: Make) -> None:
    """Files, rows, verdicts, judgements and reviews go with it; another run stays."""
    for run_id in ("r1", "r2"):
        await store.runs.add(new_run(run_id, reviews=(Review(number=2, answer_hash="h", correct=True),)))
        await store.rows.judgement((await store.rows.page(run_id))[0], "contradiction 1", Reply(said={"verdict": "no"}))
        await store.rows.settle(run_id, 2, {"final": Verdict.given(False)})
    await store.runs.delete("r1")
    assert await store.runs.get("r1") is None
    for table in (RunTable, FileTable, RowTable, VerdictTable, JudgementTable, ReviewTable):
        key = "id" if table is RunTable else "run_id"
        found = await store._database.read(
            lambda session, table=table, key=key: {getattr(each, key) for each in session.query(table)}
        )
        assert found == {"r2"}, table.__name__


async def test_a_question_comes_back_as_it_went_in(store: Store, new_run: Make) -> None:
    """Sources and modules keep their types, not said stays not said."""
    question = Question(
        text="q",
        space="Law",
        id="007",
        correct=False,
        reference="r",
        reference_sources=(Source(name="a.pdf", pages="3", identity="id"),),
        reference_modules=("m",),
        reference_followup=None,
    )
    await store.runs.add(new_run(rows=(NewRow(number=9, position=1, space="Law", question=question, shard=0),)))
    (row,) = await store.rows.page("r1")
    assert row.question == question


async def test_an_order_says_what_a_run_was_started_with_and_counts_nothing(store: Store, new_run: Make) -> None:
    """A count goes through all rows, and every shard needs the order."""
    await store.runs.add(new_run())
    await store.rows.settle("r1", 2, {"final": Verdict.given(True)})
    run, order = await store.runs.get("r1"), await store.runs.order("r1")
    assert run is not None
    assert (run.tally.done, run.tally.flagged) == (1, 1)
    assert order == replace(run, tally=Tally())
    assert await store.runs.order("gone") is None
