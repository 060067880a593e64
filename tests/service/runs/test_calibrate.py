"""What reviews tell of the flags: from files as they come back, and from what was reviewed in the service."""

import io
from typing import Any

import pytest
from openpyxl import load_workbook

from flags import Checked
from service.runs import RunOptions, Runs, RunView, User, calibrate, reviewed_file
from service.runs._calibrate import Reviewed
from service.runs._fakes import World
from service.workbook import read_flagged

ME = User()
WRONG = [(f"Wrong {n}?", "Law", "yes", f"Right {n}", "") for n in range(12)]
FAR = [(f"Far {n}?", "Law", "yes", f"Far {n}? but said in quite other words here", "") for n in range(12)]
CALM = [(f"Calm {n}?", "Law", "yes", f"Calm {n}?", "") for n in range(40)]
OLD = [("Old?", "Law", "no", "Old? It was otherwise", "")]
LOST = [("Lost?", "Nowhere", "yes", "Lost?", "")]


@pytest.fixture
def told(world: World) -> World:
    """Wrong answers contradict, far ones are only said otherwise."""
    world.assistants["Law"].says = {row[0]: f"WRONG {row[0]}" for row in WRONG}
    return world


async def ready(runs: Runs, content: bytes) -> RunView:
    """Run a workbook to its end."""
    run = await runs.submit(content, "B.xlsx", RunOptions(), user=ME)
    return await runs.wait(run.id, user=ME)


def review(content: bytes, audit: tuple[int, ...], *, turned: bool = False) -> bytes:
    """Write yes and no as a person would: into flagged rows and those of the audit sample; and sort the sheet."""
    book = load_workbook(io.BytesIO(content))
    list(book["Run"].iter_rows())  # so that its empty rows are written, as some programs do
    sheet = book.worksheets[0]
    column = {cell.value: cell.column for cell in sheet[1]}
    for number in range(2, sheet.max_row + 1):
        if sheet.cell(number, column["final_flag"]).value or number in audit:
            said = "no" if str(sheet.cell(number, column["answer"]).value).startswith("WRONG") else "yes"
            sheet.cell(number, column["human_review_answer_correct"], said)
    if turned:
        rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
        for number, values in enumerate(reversed(rows), start=2):
            for place, value in enumerate(values, start=1):
                sheet.cell(number, place).value = value
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("turned", [False, True])
async def test_a_reviewed_file_tells_how_right_each_flag_is(told: World, benchmark: Any, turned: bool) -> None:
    """Also where the person sorted the rows: the audit sample is found by its questions."""
    async with told.open() as runs:
        run = await ready(runs, benchmark([*WRONG, *FAR, *CALM, *OLD, *LOST]))
        file = await runs.workbook(run.id, user=ME)
    content = review(file.content, run.audit, turned=turned)
    found = calibrate([reviewed_file("B.xlsx", read_flagged(content, filename="B.xlsx"))])
    cards = {card.flag: card for card in found.flags}
    assert (found.reviews, found.audited, found.runs) == (24 + len(run.audit), len(run.audit), ("B.xlsx",))
    assert (cards["contradiction"].precision.value, cards["contradiction"].recall.value) == (1.0, 1.0)
    assert cards["final"].precision.value == pytest.approx(0.5)
    assert cards["final"].false_alarm.value == pytest.approx(12 / 52)
    assert list(cards)[:2] == ["final", "contradiction"]
    (only,) = found.proposals
    assert (only.space, only.embedder, only.proposal.current) == ("Law", "words", 0.92)
    assert only.proposal.threshold is not None
    assert only.proposal.mended == 12
    assert found.notes == (
        "1 reviews are of rows whose benchmark answer was marked wrong; they say nothing of the flags.",
    )


async def test_reviews_in_the_service_count_once_whichever_way_they_came(told: World, benchmark: Any) -> None:
    """With an adoption, or in a workbook that is run again, whose answers then are the same."""
    async with told.open() as runs:
        assert (await runs.reviews.calibration(user=ME)).reviews == 0
        run = await ready(runs, benchmark([*WRONG, *FAR, *CALM]))
        content = review((await runs.workbook(run.id, user=ME)).content, run.audit)
        again = await ready(runs, content)
        once = await runs.reviews.calibration(user=ME)
        await runs.adopt(run.id, user=ME, content=content)
        twice = await runs.reviews.calibration(user=ME)
        other = await runs.reviews.calibration(user=User(company="other"))
    assert again.id != run.id
    assert once.reviews == twice.reviews == 24 + len(run.audit)
    assert once.flags == twice.flags
    cards = {card.flag: card for card in once.flags}
    assert cards["final"].precision.value == pytest.approx(0.5)
    assert cards["final"].recall.value == 1.0
    assert other.reviews == 0


def test_each_embedding_model_has_its_own_threshold() -> None:
    """And what keeps a scorecard from being certain is said."""
    rows = [("Law", Checked(run="a", flags={"final": False}, correct=True, score=0.9)) for _ in range(3)]
    rows.append(("Law", Checked(run="a", flags={"final": False, "tone": True})))
    found = calibrate(
        [
            Reviewed(name="a", embedder="m1", thresholds={"Law": 0.8}, rows=rows),
            Reviewed(name="b", embedder="m2", rows=rows),
            Reviewed(name="unread", rows=[("Law", Checked(run="c", flags={"final": True}))]),
        ]
    )
    assert [(each.embedder, each.proposal.current) for each in found.proposals] == [("m1", 0.8), ("m2", 0.92)]
    assert all("10 more that say yes and 10 more that say no" in each.proposal.why for each in found.proposals)
    assert found.runs == ("a", "b")
    assert found.flags[0].why == "unknown: no row of the audit sample was reviewed"
    assert found.notes[0].startswith("6 reviews are of rows without a flag that are not in the audit sample.")
    assert found.notes[1].startswith("The runs had different embedding models")
