"""A workbook goes in, is asked and judged, and comes back."""

import asyncio
import csv
import io
from typing import Any

import pytest

from service.errors import AssistantUnreachable, FileOfOtherRun, RunNotReady, SpaceBroken, WorkbookRefused
from service.runs import CSV_TYPE, RunOptions, Runs, RunView, User, _engine
from service.runs._fakes import World

ME = User()
ROWS = [
    ("Is it allowed?", "Law", "yes", "Is it allowed?"),
    ("How much?", "Tax", "yes", "How much?"),
    ("Until when?", "Law", "no", "Until 3 May."),
]


async def finished(runs: Runs, content: bytes, **options: Any) -> RunView:
    """Submit a workbook and wait for its end."""
    run = await runs.submit(content, "Benchmark.xlsx", RunOptions(**options), user=ME)
    return await asyncio.wait_for(runs.wait(run.id, user=ME), 30)


async def test_every_row_comes_back_with_its_answer_and_flags(world: World, benchmark: Any, cells: Any) -> None:
    """What the page, the API and the workbook tell is one and the same."""
    world.assistants["Law"].says["Is it allowed?"] = "It is WRONG to say so."
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS))
        rows = await runs.rows(run.id, user=ME)
        file = await runs.workbook(run.id, user=ME)
    assert (run.state, run.total, run.done, run.errors, run.failure) == ("ready", 3, 3, 0, None)
    assert (run.spaces, run.judge, run.embedder) == ({"Law": 2, "Tax": 1}, "words 1", "words")
    assert run.flagged == sum(row.flagged is True for row in rows)
    assert rows[0].verdicts["contradiction"].value is True
    assert [row.answer for row in rows] == ["It is WRONG to say so.", "How much?", "Until when?"]
    assert file.name == "Benchmark_flagged.xlsx"
    written = cells(file.content)
    assert written["answer"] == [row.answer for row in rows]
    assert written["final_flag"] == [row.flagged for row in rows]
    assert written["contra_flag"] == [row.verdicts["contradiction"].value for row in rows]
    assert written["explanation"] == [row.explanation for row in rows]


async def test_a_run_begins_before_the_engine_looks_for_work(
    world: World, benchmark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever stored it asks its first questions at once, and brings a short run to its end."""
    monkeypatch.setattr(_engine, "POLL_S", 60.0)
    async with world.open() as runs:
        assert (await finished(runs, benchmark(ROWS))).state == "ready"
    assert len(world.assistants["Law"].asked) == 2


async def test_a_thorough_run_asks_its_judge_in_both_orders(world: World, benchmark: Any) -> None:
    """Both replies are kept with the row, and the run says how it was judged."""
    world.changes = {"judge_api_key_env": ""}
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS[1:2]), judge="llm", thorough=True)
        rows = await runs._store.rows.page(run.id)
    assert run.judge == "words 1, both orders"
    rubrics = sorted(key.split()[0] for key in rows[0].judgements)
    assert rubrics == ["contradiction", "contradiction", "coverage", "coverage", "hallucination"]
    assert len(world.judge.asked) == 5


async def test_the_rows_come_as_csv_without_formulas(world: World, benchmark: Any) -> None:
    """Other tools get the template's columns; an answer that looks like a formula is kept from being one."""
    world.assistants["Law"].says["Is it allowed?"] = "=1+1"
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS))
        file = await runs.csv(run.id, user=ME)
        flagged = await runs.workbook(run.id, user=ME, flagged=True)
    rows = list(csv.DictReader(io.StringIO(file.content.decode("utf-8-sig"))))
    assert [row["answer"] for row in rows] == ["'=1+1", "How much?", "Until when?"]
    assert {row["final_flag"] for row in rows} <= {"TRUE", "FALSE"}
    assert (file.name, file.media_type) == ("Benchmark_flagged.csv", CSV_TYPE)
    assert flagged.name == "Benchmark_only_flagged.xlsx"


async def test_the_result_is_there_before_the_last_row_counts_as_done(world: World, benchmark: Any) -> None:
    """Whoever waits for `done` to reach `total` can download."""
    seen: list[RunView] = []

    async def show(view: RunView) -> None:
        seen.append(view)

    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS), "B.xlsx", RunOptions(), user=ME)
        await asyncio.wait_for(runs.wait(run.id, user=ME, on_progress=show), 30)
    assert all((view.done == view.total) == (view.state == "ready") for view in seen)
    assert [view.done for view in seen] == sorted(view.done for view in seen)
    assert seen[-1].state == "ready"


async def test_rows_of_unknown_spaces_are_not_asked_and_carry_their_code(
    world: World, benchmark: Any, cells: Any
) -> None:
    """The others run; what was not asked is counted apart and must be looked at."""
    async with world.open() as runs:
        run = await finished(runs, benchmark([*ROWS, ("Who?", "Lax", "yes", "Ann")]))
        rows = await runs.rows(run.id, user=ME)
        content = (await runs.workbook(run.id, user=ME)).content
    assert (run.total, run.errors) == (4, 1)
    assert "Who?" not in world.asked()
    assert (rows[3].code, rows[3].answer, rows[3].flagged, rows[3].state) == ("space_unknown", None, True, "failed")
    written = cells(content)
    assert written["answer"][3] is None
    assert written["final_flag"][3] is True
    assert str(written["explanation"][3]).startswith("NOT JUDGED space_unknown")


async def test_a_workbook_of_unknown_spaces_alone_comes_to_an_end(world: World, benchmark: Any) -> None:
    """There is nothing to hand out, and the run is ready all the same."""
    async with world.open() as runs:
        run = await finished(runs, benchmark([("Who?", "Lax", "yes", "Ann")]))
    assert (run.state, run.total, run.done, run.errors, run.flagged) == ("ready", 1, 1, 1, 0)


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (AssistantUnreachable(space="Law", problem="connection refused"), "assistant_unreachable"),
        (KeyError("a fault of the backend"), "internal_error_in_row"),
    ],
)
async def test_a_question_that_fails_costs_its_row_alone(
    world: World, benchmark: Any, failure: Exception, code: str
) -> None:
    """The error's code stands in the row, the other rows are asked and judged."""
    world.assistants["Law"].says["Is it allowed?"] = failure
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS))
        rows = await runs.rows(run.id, user=ME)
    assert (run.state, run.errors) == ("ready", 1)
    assert [row.code for row in rows] == [code, "", ""]
    assert rows[0].flagged is True


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (SpaceBroken(space="Law", problem="its folder is gone."), "space_broken"),
        (ImportError("a module of the backend"), "internal_error_in_row"),
    ],
)
async def test_a_space_that_cannot_be_opened_costs_its_rows_alone(
    world: World, benchmark: Any, failure: Exception, code: str
) -> None:
    """The other spaces are asked and judged."""
    world.closed["Law"] = failure
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS))
        rows = await runs.rows(run.id, user=ME)
    assert (run.state, run.errors) == ("ready", 2)
    assert [row.code for row in rows] == [code, "", code]


async def test_a_silent_judge_never_turns_a_row_green(world: World, benchmark: Any) -> None:
    """The row has its answer, its final flag is TRUE with the code, and it is no deviation in any count."""
    world.assistants["Tax"].says["How much?"] = "UNCLEAR"
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS[:2]))
        row = (await runs.rows(run.id, user=ME))[1]
    assert (run.errors, run.flagged) == (1, 0)
    assert (row.answer, row.code, row.flagged) == ("UNCLEAR", "judge_malformed", True)
    assert row.verdicts["contradiction"].status == "failed"
    assert row.explanation.startswith("NOT JUDGED judge_malformed")


async def test_two_runs_go_on_side_by_side(world: World, benchmark: Any) -> None:
    """Neither waits for the other, and neither sees the other's rows."""
    async with world.open() as runs:
        views = await asyncio.gather(
            finished(runs, benchmark(ROWS)), finished(runs, benchmark([("Another?", "Law", "yes", "Another?")]))
        )
        listed = await runs.list(user=ME)
    assert [view.state for view in views] == ["ready", "ready"]
    assert [view.total for view in views] == [3, 1]
    assert {view.id for view in listed} == {view.id for view in views}


async def test_a_space_is_asked_no_more_at_once_than_it_allows(world: World, benchmark: Any) -> None:
    """The limit holds over the shards and runs of a process."""
    world.spaces = (world.spaces[0].model_copy(update={"concurrency": 2}),)
    world.changes = {"shard_rows": 3}
    rows = [(f"q{n}", "Law", "yes", f"q{n}") for n in range(12)]
    async with world.open() as runs:
        await asyncio.gather(finished(runs, benchmark(rows)), finished(runs, benchmark(rows)))
    assert world.assistants["Law"].most_at_once == 2


async def test_only_the_chosen_questions_are_run(world: World, benchmark: Any, cells: Any) -> None:
    """A few first; the other rows are left as they are, and the run says so."""
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS), rows="2-3")
        rows = await runs.rows(run.id, user=ME)
        content = (await runs.workbook(run.id, user=ME)).content
    assert (run.total, [row.position for row in rows]) == (2, [2, 3])
    assert sorted(world.asked()) == ["How much?", "Until when?"]
    assert cells(content)["final_flag"][0] is None
    assert any("2-3" in note.message for note in run.notes)


async def test_given_answers_are_judged_without_asking(world: World, benchmark: Any) -> None:
    """Another system made them; a row without one carries its code."""
    headers = ("Question", "Assistant", "answer_benchmark", "answer")
    rows = [("Really?", "Their bot", "Yes.", "WRONG"), ("Really?", "Their bot", "Yes.", None)]
    async with world.open() as runs:
        run = await finished(runs, benchmark(rows, headers=headers), judge_only=True)
        first, second = await runs.rows(run.id, user=ME)
    assert world.asked() == []
    assert (first.answer, first.verdicts["contradiction"].value) == ("WRONG", True)
    assert (second.answer, second.code) == (None, "answer_missing")
    assert run.errors == 1


async def test_stored_answers_are_judged_again_without_asking(world: World, benchmark: Any) -> None:
    """Other thresholds, another run, the same answers; what was not answered keeps its code."""
    world.assistants["Law"].says["Until when?"] = AssistantUnreachable(space="Law", problem="down")
    world.assistants["Tax"].says["How much?"] = "How much money is it?"
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS))
        asked = world.asked()
        again = await runs.rejudge(run.id, RunOptions(flags={"embedding": {"threshold": 0.1}}), user=ME)
        again = await asyncio.wait_for(runs.wait(again.id, user=ME), 30)
        before, after = [await runs.rows(each.id, user=ME) for each in (run, again)]
        few = await runs.rejudge(run.id, RunOptions(rows="1"), user=ME)
        assert (await asyncio.wait_for(runs.wait(few.id, user=ME), 30)).total == 1
    assert world.asked() == asked
    assert (again.state, again.origin, again.errors) == ("ready", run.id, 1)
    assert [row.answer for row in after] == [row.answer for row in before]
    assert [row.verdicts["embedding"].value for row in before[:2]] == [False, True]
    assert [row.verdicts["embedding"].value for row in after[:2]] == [False, False]
    assert after[2].code == "assistant_unreachable"


async def test_a_reviewed_result_is_judged_again_in_place(world: World, benchmark: Any, cells: Any) -> None:
    """The answers are the same, so what a person wrote about them stays, in the file and with the new run."""
    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS))
        reviewed = review((await runs.workbook(run.id, user=ME)).content, ["yes", "no", "yes"])
        again = await runs.rejudge(run.id, RunOptions(), user=ME, content=reviewed)
        again = await asyncio.wait_for(runs.wait(again.id, user=ME), 30)
        written = cells((await runs.workbook(again.id, user=ME)).content)
        rows = await runs.rows(again.id, user=ME)
    assert written["human_review_answer_correct"] == ["yes", "no", "yes"]
    assert [row.review for row in rows] == [True, False, True]


async def test_a_result_larger_than_an_upload_may_be_is_adopted_and_judged_again(world: World, benchmark: Any) -> None:
    """What the run itself has made is read with room for answers and reasons."""
    world.changes = {"max_unpacked_mb": 2}
    long = "".join(chr(0x4E00 + n) for n in range(20_000))
    world.assistants["Law"].says |= {"Is it allowed?": long, "Until when?": long}
    async with world.open() as runs:
        run = await finished(runs, benchmark([*ROWS] * 10))
        result = (await runs.workbook(run.id, user=ME)).content
        with pytest.raises(WorkbookRefused, match="too large"):
            await runs.check(result, "Result.xlsx", user=ME)
        again = await runs.rejudge(run.id, RunOptions(), user=ME, content=result)
        assert (await asyncio.wait_for(runs.wait(again.id, user=ME), 30)).state == "ready"
        adopted = await runs.adopt(run.id, user=ME, content=result)
    assert adopted.adopted > 0


async def test_a_file_of_another_run_is_neither_adopted_nor_judged(world: World, benchmark: Any) -> None:
    """A wrong click must not give a benchmark set a false origin, nor reviews to answers they were not made for."""
    async with world.open() as runs:
        run, other = [await finished(runs, benchmark(ROWS)) for _ in range(2)]
        of_other = (await runs.workbook(other.id, user=ME)).content
        with pytest.raises(FileOfOtherRun, match=other.id):
            await runs.adopt(run.id, user=ME, content=of_other)
        with pytest.raises(FileOfOtherRun, match=other.id):
            await runs.rejudge(run.id, RunOptions(), user=ME, content=of_other)
        with pytest.raises(FileOfOtherRun, match="no sheet Run"):
            await runs.adopt(run.id, user=ME, content=benchmark(ROWS))
        assert [row.review for row in await runs.rows(run.id, user=ME)] == [None, None, None]


def swap_questions(sheet: Any) -> None:
    """Do to two rows what sorting does."""
    sheet["B2"].value, sheet["B3"].value = sheet["B3"].value, sheet["B2"].value


@pytest.mark.parametrize(("change", "row"), [(swap_questions, 2), (lambda sheet: sheet.delete_rows(4), 4)])
async def test_a_result_whose_rows_were_moved_is_not_judged_again_in_place(
    world: World, benchmark: Any, change: Any, row: int
) -> None:
    """Verdicts are written by row: where another question stands now, or none, they would be another's."""
    from io import BytesIO

    from openpyxl import load_workbook

    async with world.open() as runs:
        run = await finished(runs, benchmark(ROWS))
        book = load_workbook(BytesIO((await runs.workbook(run.id, user=ME)).content))
        change(book.worksheets[0])
        book.save(moved := BytesIO())
        with pytest.raises(FileOfOtherRun, match=f"row {row} "):
            await runs.rejudge(run.id, RunOptions(), user=ME, content=moved.getvalue())


async def test_a_result_is_reviewed_on_the_sheet_that_was_run(world: World, benchmark: Any) -> None:
    """Of two sheets with questions the run's own is adopted and judged again."""
    from io import BytesIO

    from openpyxl import load_workbook

    book = load_workbook(BytesIO(benchmark(ROWS)))
    book.copy_worksheet(book.worksheets[0]).title = "Two"
    book.save(both := BytesIO())
    async with world.open() as runs:
        run = await finished(runs, both.getvalue(), sheet="Two")
        content = (await runs.workbook(run.id, user=ME)).content
        adopted = await runs.adopt(run.id, user=ME, content=content)
        again = await runs.rejudge(run.id, RunOptions(), user=ME, content=content)
        again = await asyncio.wait_for(runs.wait(again.id, user=ME), 30)
    assert adopted.adopted == 3
    assert (again.state, again.sheet) == ("ready", "Two")


async def test_a_check_stores_nothing(world: World, benchmark: Any) -> None:
    """It tells what would run, what is missing and which rows would not be asked."""
    async with world.open() as runs:
        report = await runs.check(benchmark([*ROWS, ("Who?", "Lax", "yes", "Ann")]), "B.xlsx", user=ME)
        assert await runs.list(user=ME) == []
    assert (report.questions, report.spaces) == (4, {"Law": 2, "Tax": 1, "Lax": 1})
    assert report.columns.found["Question"] == "B1"
    assert "answer" in report.columns.missing
    assert [(error.cell, error.row, error.code) for error in report.errors] == [("C5", 5, "space_unknown")]


async def test_a_file_that_is_no_workbook_is_refused_whole(world: World) -> None:
    """Nothing is stored of it."""
    async with world.open() as runs:
        with pytest.raises(WorkbookRefused):
            await runs.submit(b"%PDF-1.7", "B.xlsx", RunOptions(), user=ME)
        assert await runs.list(user=ME) == []


async def test_the_accepted_answers_become_the_next_benchmark(world: World, benchmark: Any, cells: Any) -> None:
    """While a run goes on there is nothing to adopt; a person's review of the result is taken in."""
    world.assistants["Law"].gate.clear()
    async with world.open() as runs:
        run = await runs.submit(benchmark(ROWS), "Benchmark_next.xlsx", RunOptions(), user=ME)
        with pytest.raises(RunNotReady):
            await runs.adopt(run.id, user=ME)
        world.open_gates()
        await asyncio.wait_for(runs.wait(run.id, user=ME), 30)
        adopted = await runs.adopt(run.id, user=ME, every=True)
        reviewed = review((await runs.workbook(run.id, user=ME)).content, ["yes", "no", "yes"])
        chosen = await runs.adopt(run.id, user=ME, content=reviewed)
        rows = await runs.rows(run.id, user=ME)
    assert (adopted.file.name, adopted.adopted) == ("Benchmark_next.xlsx", 3)
    assert cells(adopted.file.content)["answer_benchmark"] == ["Is it allowed?", "How much?", "Until when?"]
    assert chosen.adopted == 2
    assert [remark.row for remark in chosen.kept] == [3]
    assert [row.review for row in rows] == [True, False, True]


def review(content: bytes, said: list[str]) -> bytes:
    """Return the workbook with column AB filled, as a person does it in Excel."""
    from io import BytesIO

    from openpyxl import load_workbook

    book = load_workbook(BytesIO(content))
    sheet = book.worksheets[0]
    headers = {cell.value: cell.column for cell in sheet[1]}
    for row, word in enumerate(said, start=2):
        sheet.cell(row, headers["human_review_answer_correct"], word)
    buffer = BytesIO()
    book.save(buffer)
    return buffer.getvalue()
