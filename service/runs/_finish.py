"""The result workbook: what is there so far, or all of it as the last step of a run."""

import asyncio
from collections.abc import Iterator, Sequence

from service.runs._cells import is_experiment
from service.runs._summary import summarise
from service.store import RowRecord, RunRecord, Store
from service.workbook import Delivery, Limits, Result, write

PAGE = 128
"""Rows that are read together, and in memory at the same time, when a result is written."""


async def build_workbook(store: Store, run: RunRecord, *, limits: Limits, flagged: bool = False) -> bytes:
    """Return the workbook that came in with what the run knows by now; `flagged` sets the filter on final_flag.

    Rows that wait are written empty: a result of an earlier run must not be taken for one of this run.
    """
    content = await store.runs.file(run.id, "input")
    assert content is not None, "a run is stored with its workbook"
    if is_experiment(run):
        rows = await store.rows.page(run.id)
        return await asyncio.to_thread(_write_experiment, content, run, rows, limits)
    about = await asyncio.to_thread(summarise, run, await store.rows.outline(run.id))
    results = _results(store, run.id, asyncio.get_running_loop())
    delivery = Delivery(sheet=run.sheet or None, flagged=flagged, limits=limits)
    return await asyncio.to_thread(write, content, results, about, delivery)


async def build_csv(store: Store, run: RunRecord) -> bytes:
    """Return what the run knows by now as CSV in the template's columns, safe to open in a spreadsheet."""
    from service.workbook import write_csv

    if is_experiment(run):
        return await asyncio.to_thread(_experiment_csv, await store.rows.page(run.id))
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


def _experiment_csv(rows: Sequence[RowRecord]) -> bytes:
    from service.runs._cells import spec_from_json
    from service.runs._measured import measured_of
    from service.workbook import write_niah_csv

    cells = ((row.question.id, row.space, spec_from_json(row.cell), measured_of(row)) for row in rows if row.cell)
    return write_niah_csv(cells)


def _write_experiment(content: bytes, run: RunRecord, rows: Sequence[RowRecord], limits: Limits) -> bytes:
    from flags.niah import aggregate
    from service.runs._measured import measured_rows, outcomes_of
    from service.runs._niah_about import about_experiment
    from service.runs._niah_sheets import niah_sheets
    from service.workbook import write_niah

    sheets = niah_sheets(aggregate(outcomes_of(rows)))
    return write_niah(content, measured_rows(rows), about_experiment(run, rows), sheets, limits)
