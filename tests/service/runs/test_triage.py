"""Rows in the order of their urgency, and the audit sample of a run."""

from typing import Any

import pytest

from service.runs import RunOptions, User
from service.runs._fakes import World

ME = User()
ROWS = [
    ("Fine?", "Law", "yes", "Fine?", ""),
    ("Far?", "Law", "yes", "Something else entirely, in other words", ""),
    ("Off?", "Law", "yes", "Off?", ""),
    ("Lost?", "Nowhere", "yes", "Lost?", ""),
    *((f"Calm {n}?", "Law", "yes", f"Calm {n}?", "") for n in range(40)),
]


async def ready(runs: Any, content: bytes) -> Any:
    """Run a workbook to its end."""
    run = await runs.submit(content, "B.xlsx", RunOptions(), user=ME)
    return await runs.wait(run.id, user=ME)


async def test_rows_come_the_most_urgent_first(world: World, benchmark: Any) -> None:
    """A contradiction before similarity alone, what was not judged after both, what is calm last; page by page."""
    world.assistants["Law"].says = {"Off?": "It is WRONG."}
    async with world.open() as runs:
        run = await ready(runs, benchmark(ROWS))
        rows = await runs.triage(run.id, user=ME, limit=5)
        further = await runs.triage(run.id, user=ME, offset=4, limit=1)
        flagged = await runs.triage(run.id, user=ME, only="flagged")
        calm = await runs.triage(run.id, user=ME, only="unflagged", limit=1)
        sheet = await runs.rows(run.id, user=ME, limit=2)
    assert [(row.question, row.level, row.finding) for row in rows[:4]] == [
        ("Off?", "meaning", "contradiction"),
        ("Far?", "similarity", "embedding"),
        ("Lost?", "not judged", ""),
        ("Fine?", "clear", ""),
    ]
    assert [row.number for row in further] == [rows[4].number]
    assert [row.question for row in flagged] == ["Off?", "Far?", "Lost?"]
    assert (calm[0].question, calm[0].level) == ("Fine?", "clear")
    assert [row.question for row in sheet] == ["Fine?", "Far?"]


@pytest.mark.parametrize(
    ("changes", "size"),
    [({}, 5), ({"audit_percent": 25.0}, 11), ({"audit_percent": 100.0}, 30), ({"audit_most": 0}, 0)],
)
async def test_some_rows_without_a_flag_are_drawn_for_a_look(
    world: World, benchmark: Any, cells: Any, changes: dict[str, Any], size: int
) -> None:
    """As many as the settings say, the same ones wherever they are shown, and none that is flagged."""
    world.changes = changes
    world.assistants["Law"].says = {"Off?": "It is WRONG."}
    async with world.open() as runs:
        run = await ready(runs, benchmark(ROWS))
        audit = await runs.triage(run.id, user=ME, only="audit")
        rows = await runs.rows(run.id, user=ME)
        file = await runs.workbook(run.id, user=ME)
        again = await runs.get(run.id, user=ME)
    assert len(run.audit) == size
    assert [row.number for row in audit] == list(run.audit) == [row.number for row in rows if row.audit]
    assert {row.flagged for row in audit} <= {False}
    assert again.audit == run.audit
    lines = [value for column in cells(file.content, sheet=1).values() for value in column]
    named = "Audit sample: rows without a flag, drawn at random" in lines
    assert named is bool(size)


async def test_an_experiment_has_no_audit_sample(world: World, benchmark: Any) -> None:
    """Its cells are scored; there is nothing a flag could miss."""
    from service.runs._triage import drawn
    from service.store import Store

    async with world.open() as runs:
        run = await ready(runs, benchmark(ROWS[:3]))
        store: Store = runs._store
        record = await store.runs.get(run.id)
        assert record is not None
        plan = {**record.plan, "niah": {"concurrency": 1}}
        from dataclasses import replace

        assert await drawn(store, replace(record, plan=plan)) == ()
