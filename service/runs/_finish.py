"""The result workbook: what is there so far, or all of it as the last step of a run."""

import asyncio
from collections.abc import Iterator

from service.runs._summary import summarise
from service.store import RunRecord, Store
from service.workbook import Delivery, Limits, Result, write

PAGE = 128
"""Rows that are read together, and in memory at the same time, when a result is written."""


async def build_workbook(store: Store, run: RunRecord, *, limits: Limits, flagged: bool = False) -> bytes:
    """Return the workbook that came in with what the run knows by now; `flagged` sets the filter on final_flag.

    Rows that wait are written empty: a result of an earlier run must not be taken for one of this run.
    """
    content = await store.runs.file(run.id, "input")
    assert content is not None, "a run is stored with its workbook"
    about = await asyncio.to_thread(summarise, run, await store.rows.outline(run.id))
    results = _results(store, run.id, asyncio.get_running_loop())
    delivery = Delivery(sheet=run.sheet or None, flagged=flagged, limits=limits)
    return await asyncio.to_thread(write, content, results, about, delivery)


async def build_csv(store: Store, run: RunRecord) -> bytes:
    """Return what the run knows by now as CSV in the template's columns, safe to open in a spreadsheet."""
    from service.workbook import write_csv

    return await asyncio.to_thread(write_csv, _results(store, run.id, asyncio.get_running_loop()))


def _results(store: Store, run_id: str, loop: asyncio.AbstractEventLoop) -> Iterator[Result]:
    """Yield what each row knows, read in pages from another thread: all rows at once would fill the memory."""
    offset = 0
    while True:
        page = store.rows.results(run_id, offset, PAGE)
        rows = asyncio.run_coroutine_threadsafe(page, loop).result()
        for row in rows:
            yield Result(number=row.number, question=row.question, answer=row.answer, verdicts=row.verdicts)
        if len(rows) < PAGE:
            return
        offset += PAGE
