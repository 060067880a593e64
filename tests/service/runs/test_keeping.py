"""A reply of the judge that was paid for is never asked for again."""

import pytest

from flags import Answer, Case, JudgeFailed, Question
from flags._fakes import ScriptedJudge
from flags.contradiction import RUBRIC
from service.runs._keeping import KeepingJudge, Shelf
from service.runs._pulse import Pulse, Stopped
from service.store import RowRecord, Store

CASE = Case(question=Question(text="q", space="Law"), answer=Answer(text="a"))
REPLY = {"reason": "they agree", "verdict": "agrees"}


async def the_row(store: Store) -> RowRecord:
    """Return the row as a shard gets it."""
    return (await store.rows.of_shard("r1", 0))[0]


async def test_a_kept_reply_is_given_without_asking(store: Store) -> None:
    """Also by another process, after a crash between the judge's calls."""
    judge = ScriptedJudge({RUBRIC.name: REPLY})
    for _ in range(2):
        keeping = KeepingJudge(judge, Shelf(row=await the_row(store)), store, Pulse(store))
        assert await keeping.decide(RUBRIC, CASE) == REPLY
    assert (judge.asked, keeping.name) == ([RUBRIC.name], "scripted")


async def test_a_failure_is_not_kept(store: Store) -> None:
    """The next attempt may succeed."""
    judge = ScriptedJudge({RUBRIC.name: JudgeFailed("judge_malformed", "no")})
    with pytest.raises(JudgeFailed):
        await KeepingJudge(judge, Shelf(row=await the_row(store)), store, Pulse(store)).decide(RUBRIC, CASE)
    judge.script = {RUBRIC.name: REPLY}
    assert await KeepingJudge(judge, Shelf(row=await the_row(store)), store, Pulse(store)).decide(RUBRIC, CASE) == REPLY


async def test_a_reply_that_cannot_be_stored_is_no_verdict_on_the_row(store: Store) -> None:
    """The store's error is told aside, whatever a flag makes of it."""
    pulse = Pulse(store)
    assert await pulse.going("r1")
    keeping = KeepingJudge(ScriptedJudge({RUBRIC.name: REPLY}), Shelf(row=await the_row(store)), store, pulse)
    await store.close()
    with pytest.raises(RuntimeError):
        await keeping.decide(RUBRIC, CASE)
    assert isinstance(keeping.unstored, RuntimeError)


async def test_nothing_is_asked_for_a_run_that_was_stopped(store: Store) -> None:
    """The judge is not called, and it is told that a reply was withheld; a kept reply is still given."""
    judge = ScriptedJudge({RUBRIC.name: REPLY})
    await store.runs.cancel("r1")
    keeping = KeepingJudge(judge, Shelf(row=await the_row(store)), store, Pulse(store))
    with pytest.raises(Stopped):
        await keeping.decide(RUBRIC, CASE)
    assert (judge.asked, keeping.stopped) == ([], True)
