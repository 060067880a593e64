"""An answer that a person accepted although it was flagged is known when it comes back."""

import io
from typing import Any

import pytest
from openpyxl import load_workbook

from service.errors import ApprovedUnknown
from service.runs import RunOptions, Runs, RunView, User
from service.runs._fakes import World

ANN = User(name="ann")
BOOK = [("Far?", "Law", "yes", "What was accepted last time", ""), ("Fine?", "Law", "yes", "Fine?", "")]


async def ready(runs: Runs, content: bytes, user: User = ANN, **options: Any) -> RunView:
    """Run a workbook to its end."""
    run = await runs.submit(content, "B.xlsx", RunOptions(**options), user=user)
    return await runs.wait(run.id, user=user)


async def reviewed(runs: Runs, run: RunView, said: str) -> bytes:
    """Return the result of a run with a review in every row."""
    book = load_workbook(io.BytesIO((await runs.workbook(run.id, user=ANN)).content))
    sheet = book.worksheets[0]
    column = next(cell.column for cell in sheet[1] if cell.value == "human_review_answer_correct")
    for number in (2, 3):
        sheet.cell(number, column, said)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


async def accept(runs: Runs, content: bytes, said: str = "yes") -> RunView:
    """Run a workbook and adopt it as reviewed."""
    run = await ready(runs, content)
    await runs.adopt(run.id, user=ANN, content=await reviewed(runs, run, said))
    return run


@pytest.mark.parametrize(
    ("again", "told"),
    [("Far?", "(the same answer)"), ("Far, in yet other words?", "(an answer that says the same)")],
)
async def test_an_accepted_answer_says_who_accepted_it_and_sorts_last(
    world: World, benchmark: Any, again: str, told: str
) -> None:
    """The same answer, or one that the judge finds to say the same; it stays flagged."""
    async with world.open() as runs:
        await accept(runs, benchmark(BOOK))
        world.assistants["Law"].says = {"Far?": again, "New?": "Quite something else"}
        run = await ready(runs, benchmark([*BOOK, ("New?", "Law", "yes", "Other", "")]))
        rows = await runs.triage(run.id, user=ANN, only="flagged")
        other = await ready(runs, benchmark(BOOK), User(company="other"))
        theirs = await runs.rows(other.id, user=User(company="other"))
    assert [(row.question, row.level) for row in rows] == [("New?", "similarity"), ("Far?", "approved")]
    assert rows[1].flagged is True
    assert rows[1].explanation.startswith("Similarity – ")
    assert "Accepted by ann on 20" in rows[1].explanation
    assert rows[1].explanation.endswith(f"{told}.")
    assert "Accepted" not in rows[0].explanation + theirs[0].explanation
    assert run.flagged == 2


async def test_a_contradicting_answer_is_not_the_accepted_one(world: World, benchmark: Any) -> None:
    """The judge finds it in one direction; that is enough."""
    async with world.open() as runs:
        await accept(runs, benchmark(BOOK))
        world.assistants["Law"].says = {"Far?": "WRONG in other words"}
        run = await ready(runs, benchmark(BOOK))
        (row,) = await runs.triage(run.id, user=ANN, only="flagged")
    assert (row.level, "Accepted" in row.explanation) == ("meaning", False)


@pytest.mark.parametrize("trials", [1, 2])
async def test_with_clear_an_accepted_answer_is_not_flagged(
    world: World, benchmark: Any, cells: Any, trials: int
) -> None:
    """The explanation says so and what was found, and the sheet Run names the setting; also where asked twice."""
    world.changes = {"approved": "clear"}
    async with world.open() as runs:
        await accept(runs, benchmark(BOOK))
        run = await ready(runs, benchmark(BOOK), trials=trials)
        row = (await runs.rows(run.id, user=ANN))[0]
        file = await runs.workbook(run.id, user=ANN)
    assert (row.flagged, run.flagged) == (False, 0)
    assert row.explanation.startswith("Accepted by ann on 20")
    assert "Without that: Similarity – " in row.explanation
    said = [str(value) for column in cells(file.content, sheet=1).values() for value in column]
    assert "Answers accepted before" in said
    assert "Rows whose answer a person accepted before" in said


async def test_what_was_accepted_can_be_taken_back(world: World, benchmark: Any) -> None:
    """By a later no, or by its id; rows without a flag are not remembered at all."""
    async with world.open() as runs:
        run = await accept(runs, benchmark(BOOK))
        (known,) = await runs.reviews.approved(user=ANN)
        assert (known.question, known.space, known.answer, known.user) == ("Far?", "Law", "Far?", "ann")
        await runs.adopt(run.id, user=ANN, content=await reviewed(runs, run, "no"))
        assert await runs.reviews.approved(user=ANN) == []
        await ready(runs, await reviewed(runs, run, "yes"))
        (again,) = await runs.reviews.approved(user=ANN)
        assert again.id == known.id
        with pytest.raises(ApprovedUnknown):
            await runs.reviews.withdraw(again.id, user=User(company="other"))
        await runs.reviews.withdraw(again.id, user=ANN)
        assert await runs.reviews.approved(user=ANN) == []
        row = (await runs.rows((await ready(runs, benchmark(BOOK))).id, user=ANN))[0]
    assert (row.flagged, row.level) == (True, "similarity")
