"""The result workbook: what is there so far, or all of it as the last step of a run."""

import asyncio
from collections.abc import Sequence

from service.runs._summary import summarise
from service.store import RowRecord, RunRecord, Store
from service.workbook import Delivery, Limits, Result, write


async def build_workbook(store: Store, run: RunRecord, *, limits: Limits, flagged: bool = False) -> bytes:
    """Return the workbook that came in with what the run knows by now; `flagged` sets the filter on final_flag.

    Rows that wait are written empty: a result of an earlier run must not be taken for one of this run.
    """
    content = await store.runs.file(run.id, "input")
    assert content is not None, "a run is stored with its workbook"
    rows = await store.rows.page(run.id)
    delivery = Delivery(sheet=run.sheet or None, flagged=flagged, limits=limits)
    return await asyncio.to_thread(_write, content, run, rows, delivery)


async def build_csv(store: Store, run: RunRecord) -> bytes:
    """Return what the run knows by now as CSV in the template's columns, safe to open in a spreadsheet."""
    from service.workbook import write_csv

    rows = await store.rows.page(run.id)
    return await asyncio.to_thread(write_csv, _results(rows))


def _write(content: bytes, run: RunRecord, rows: Sequence[RowRecord], delivery: Delivery) -> bytes:
    return write(content, _results(rows), summarise(run, rows), delivery)


def _results(rows: Sequence[RowRecord]) -> list[Result]:
    return [Result(number=row.number, question=row.question, answer=row.answer, verdicts=row.verdicts) for row in rows]
