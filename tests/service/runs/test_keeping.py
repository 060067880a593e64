"""A reply of the judge that was paid for is never asked for again."""

from pathlib import Path

import pytest

from flags import Answer, Case, JudgeFailed, Question
from flags._fakes import ScriptedJudge
from flags.contradiction import RUBRIC
from service.runs._keeping import KeepingJudge
from service.runs._pulse import Pulse, Stopped
from service.store import NewRow, NewRun, RowRecord, Store

CASE = Case(question=Question(text="q", space="Law"), answer=Answer(text="a"))
REPLY = {"reason": "they agree", "verdict": "agrees"}


@pytest.fixture
async def store(tmp_path: Path) -> Store:
    """A store with one run of one row."""
    store = await Store.open(f"sqlite:///{tmp_path / 'f.sqlite'}")
    row = NewRow(number=2, position=1, space="Law", question=CASE.question, shard=0, answer=CASE.answer)
    await store.runs.add(
        NewRun(
            id="r1",
            company="c",
            user="u",
            name="B.xlsx",
            sheet="S",
            owner="serve",
            content=b"",
            rows=(row,),
            options={},
            plan={},
            spaces={},
        )
    )
    return store


async def the_row(store: Store) -> RowRecord:
    """Return the row as a shard gets it."""
    return (await store.rows.of_shard("r1", 0))[0]


async def test_a_kept_reply_is_given_without_asking(store: Store) -> None:
    """Also by another process, after a crash between the judge's calls."""
    judge = ScriptedJudge({RUBRIC.name: REPLY})
    for _ in range(2):
        keeping = KeepingJudge(judge, await the_row(store), store, Pulse(store))
        assert await keeping.decide(RUBRIC, CASE) == REPLY
    assert (judge.asked, keeping.name) == ([RUBRIC.name], "scripted")


async def test_a_failure_is_not_kept(store: Store) -> None:
    """The next attempt may succeed."""
    judge = ScriptedJudge({RUBRIC.name: JudgeFailed("judge_malformed", "no")})
    with pytest.raises(JudgeFailed):
        await KeepingJudge(judge, await the_row(store), store, Pulse(store)).decide(RUBRIC, CASE)
    judge.script = {RUBRIC.name: REPLY}
    assert await KeepingJudge(judge, await the_row(store), store, Pulse(store)).decide(RUBRIC, CASE) == REPLY


async def test_nothing_is_asked_for_a_run_that_was_stopped(store: Store) -> None:
    """The judge is not called, and it is told that a reply was withheld; a kept reply is still given."""
    judge = ScriptedJudge({RUBRIC.name: REPLY})
    await store.runs.cancel("r1")
    keeping = KeepingJudge(judge, await the_row(store), store, Pulse(store))
    with pytest.raises(Stopped):
        await keeping.decide(RUBRIC, CASE)
    assert (judge.asked, keeping.stopped) == ([], True)
