"""Answers and verdicts are stored once and never overwritten."""

from collections.abc import Callable
from dataclasses import replace

from flags import Answer, Question, Source, Verdict
from service.store import NewRow, NewRun, Reply, Store, Tally, Trial

Make = Callable[..., NewRun]
ANSWER = Answer(
    text="yes",
    sources=(Source(name="a.pdf", pages="1", text="…"),),
    passages=(Source(name="b.pdf"),),
    modules=("m",),
    followup=False,
    messages={"tokens": 3, "model": "x"},
)
GOOD = {"final": Verdict.given(False, "no deviation"), "embedding": Verdict.given(False, score=0.97)}
BAD = {"final": Verdict.given(True, "deviates"), "embedding": Verdict.given(True, score=0.3)}
BROKEN = {
    "final": Verdict.given(True, "NOT JUDGED judge_malformed", code="judge_malformed"),
    "contradiction": Verdict.failed("judge_malformed", "no verdict"),
    "embedding": Verdict.skipped("no benchmark answer"),
}


async def test_the_first_answer_of_a_row_stays(store: Store, new_run: Make) -> None:
    """A second worker that answers the same row goes on with the first answer; nothing is overwritten."""
    await store.runs.add(new_run())
    assert await store.rows.answer("r1", 2, ANSWER) == ANSWER
    assert await store.rows.answer("r1", 2, Answer(text="other")) == ANSWER
    assert await store.rows.answer("r1", 99, ANSWER) is None
    row = (await store.rows.page("r1"))[0]
    assert (row.state, row.answer) == ("answered", ANSWER)


async def test_the_first_verdicts_of_a_row_stay(store: Store, new_run: Make) -> None:
    """Verdicts come back as they were given, and a second set is refused."""
    await store.runs.add(new_run())
    assert await store.rows.settle("r1", 2, BROKEN) is True
    assert await store.rows.settle("r1", 2, GOOD) is False
    assert await store.rows.settle("gone", 2, GOOD) is False
    row = (await store.rows.page("r1"))[0]
    assert (row.state, row.code, row.verdicts) == ("failed", "judge_malformed", BROKEN)


async def test_rows_that_could_not_be_judged_are_no_deviations(store: Store, new_run: Make) -> None:
    """Errors are counted apart although their final flag is TRUE."""
    await store.runs.add(new_run())
    for number, verdicts in ((2, GOOD), (3, BAD), (4, BROKEN)):
        await store.rows.settle("r1", number, verdicts)
    tally = await store.rows.tally("r1")
    assert tally == Tally(done=3, errors=1, flagged=1, counts={"final": 2, "embedding": 1})
    assert [row.number for row in await store.rows.page("r1", flagged=True)] == [3, 4]
    assert [row.number for row in await store.rows.page("r1", flagged=False)] == [2]
    assert await store.rows.unsettled("r1") == 0


async def test_pages_follow_the_sheet(store: Store, new_run: Make) -> None:
    """Offset and limit count rows in sheet order."""
    await store.runs.add(new_run())
    assert [row.number for row in await store.rows.page("r1", offset=1, limit=1)] == [3]
    assert await store.rows.page("r1", offset=5) == []


async def test_a_shard_gives_what_is_left_with_the_replies_kept(store: Store, new_run: Make) -> None:
    """After a crash only unsettled rows come back, with every reply of the judge that was paid for."""
    await store.runs.add(new_run())
    await store.rows.settle("r1", 2, GOOD)
    await store.rows.answer("r1", 3, ANSWER)
    second = (await store.rows.page("r1"))[1]
    await store.rows.judgement(second, "contradiction 1", Reply(said={"verdict": "no"}))
    await store.rows.judgement(second, "contradiction 1", Reply(said={"verdict": "yes"}))
    await store.rows.judgement(replace(second, number=99), "contradiction 1", Reply(said={"verdict": "yes"}))
    (row,) = await store.rows.of_shard("r1", 0)
    assert (row.number, row.state, row.judgements) == (3, "answered", {"contradiction 1": {"verdict": "no"}})
    assert await store.rows.shards("r1") == [(0, "Law"), (1, "Tax")]
    assert await store.rows.unsettled("r1") == 2


async def test_rows_that_are_never_asked_come_settled(store: Store, new_run: Make) -> None:
    """A row of an unknown space is stored with its code and belongs to no shard; a given answer waits for judging."""
    refused = NewRow(
        number=2, position=1, space="?", question=Question(text="q", space="?"), verdicts=BROKEN, code="space_unknown"
    )
    given = NewRow(number=3, position=2, space="Law", question=Question(text="q", space="Law"), shard=0, answer=ANSWER)
    await store.runs.add(new_run(rows=(refused, given)))
    first, second = await store.rows.page("r1")
    assert (first.state, first.code, first.verdicts) == ("failed", "space_unknown", BROKEN)
    assert (second.state, second.answer) == ("answered", ANSWER)
    assert await store.rows.shards("r1") == [(0, "Law")]


async def test_an_outline_has_what_a_summary_counts_and_only_the_beginning_of_texts(
    store: Store, new_run: Make
) -> None:
    """Thousands of rows fit into memory without their answers."""
    await store.runs.add(new_run())
    first = (await store.rows.page("r1"))[0]
    await store.rows.answer("r1", 2, ANSWER)
    await store.rows.judgement(first, "contradiction 1", Reply(said={"verdict": "no"}))
    await store.trials.keep(first, Trial(trial=1, answer=ANSWER, verdicts=BAD))
    await store.trials.keep(first, Trial(trial=2, code="endpoint_timeout"))
    await store.rows.settle("r1", 2, BROKEN)
    outline = await store.rows.outline("r1")
    assert [row.number for row in outline] == [2, 3, 4]
    row, waiting, _ = outline
    assert (row.state, row.code, row.question.id) == ("failed", "judge_malformed", first.question.id)
    assert (row.question.correct, row.question.text) == (first.question.correct, first.question.text[:80])
    assert row.answer == Answer(text="", messages={"model": "x"})
    assert {flag: verdict.status for flag, verdict in row.verdicts.items()} == {
        "final": "given",
        "contradiction": "failed",
        "embedding": "skipped",
    }
    assert row.judgements == {"contradiction 1": {}}
    assert bool(row.question.reference) is bool(first.question.reference.strip())
    assert [(each.trial, each.answer, each.code) for each in row.trials] == [
        (1, None, ""),
        (2, None, "endpoint_timeout"),
    ]
    assert [each.verdicts["final"].value for each in row.trials if each.verdicts] == [True]
    assert (waiting.answer, waiting.verdicts, waiting.judgements) == (None, {}, {})


async def test_results_are_read_page_by_page(store: Store, new_run: Make) -> None:
    """As the pages of the interface, without what the judge said."""
    await store.runs.add(new_run())
    first = (await store.rows.page("r1"))[0]
    await store.rows.judgement(first, "contradiction 1", Reply(said={"verdict": "no"}))
    pages = [await store.rows.results("r1", offset, 2) for offset in (0, 2, 4)]
    assert [[row.number for row in page] for page in pages] == [[2, 3], [4], []]
    assert pages[0][0].judgements == {}


async def test_single_rows_are_found_wherever_they_stand(store: Store, new_run: Make) -> None:
    """Rows far apart come with their own verdicts, and rows without a flag are told by number."""
    question = Question(text="q", space="Law")
    rows = tuple(
        NewRow(number=n, position=n, space="Law", question=question, shard=0, answer=ANSWER) for n in range(2, 40)
    )
    await store.runs.add(new_run(rows=rows))
    for number in (2, 20, 39):
        await store.rows.settle("r1", number, {"final": Verdict.given(number == 20, f"row {number}")})
    found = await store.rows.page("r1", numbers=(39, 2, 20))
    assert [(row.number, row.verdicts["final"].reason, row.flagged) for row in found] == [
        (2, "row 2", False),
        (20, "row 20", True),
        (39, "row 39", False),
    ]
    assert await store.rows.unflagged("r1") == [2, 39]
    assert (await store.rows.outline("r1"))[1].flagged is None
