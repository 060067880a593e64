"""The result workbook: what is there so far, or all of it as the last step of a run."""

import asyncio
from collections.abc import Sequence

from service.runs._cells import is_experiment
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
    if is_experiment(run):
        return await asyncio.to_thread(_experiment_csv, rows)
    return await asyncio.to_thread(write_csv, _results(rows))


def _experiment_csv(rows: Sequence[RowRecord]) -> bytes:
    from service.runs._cells import spec_from_json
    from service.runs._measured import measured_of
    from service.workbook import write_niah_csv

    cells = ((row.question.id, row.space, spec_from_json(row.cell), measured_of(row)) for row in rows if row.cell)
    return write_niah_csv(cells)


def _write(content: bytes, run: RunRecord, rows: Sequence[RowRecord], delivery: Delivery) -> bytes:
    if is_experiment(run):
        return _write_experiment(content, run, rows, delivery.limits)
    return write(content, _results(rows), summarise(run, rows), delivery)


def _write_experiment(content: bytes, run: RunRecord, rows: Sequence[RowRecord], limits: Limits) -> bytes:
    from flags.niah import aggregate
    from service.runs._measured import measured_rows, outcomes_of
    from service.runs._niah_about import about_experiment
    from service.runs._niah_sheets import niah_sheets
    from service.workbook import write_niah

    sheets = niah_sheets(aggregate(outcomes_of(rows)))
    return write_niah(content, measured_rows(rows), about_experiment(run, rows), sheets, limits)


def _results(rows: Sequence[RowRecord]) -> list[Result]:
    return [Result(number=row.number, question=row.question, answer=row.answer, verdicts=row.verdicts) for row in rows]
