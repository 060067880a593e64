"""One run from start to file: what `run`, `rejudge` and `demo` have in common."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.cli._door import Door, local_user
from service.cli._loop import run_to_end
from service.cli._progress import progress_bar

if TYPE_CHECKING:
    from service.runs import RowView, Runs, RunView
    from service.settings import Settings

Start = Callable[["Runs"], Awaitable["RunView"]]
PAGE = 500


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a run: how it stands, its rows, the workbook's bytes; `interrupted` when a person stopped it."""

    view: "RunView"
    rows: "tuple[RowView, ...]"
    content: bytes
    interrupted: bool = False


def carry_out(door: Door, settings: "Settings", start: Start, *, as_csv: bool = False) -> Outcome:
    """Start a run, show its progress, and return what came of it.

    The content is the workbook, or its rows with `as_csv`. Ctrl-C stops asking and keeps what is there: the outcome
    then holds the rows finished so far.
    """
    return run_to_end(_carry_out(door, settings, start, as_csv))


async def _carry_out(door: Door, settings: "Settings", start: Start, as_csv: bool) -> Outcome:
    user = local_user()
    async with door.service(settings) as service:
        runs = service.runs
        view = await start(runs)
        view, interrupted = await _watch(runs, view)
        rows = await _all_rows(runs, view.id)
        file = await (runs.csv(view.id, user=user) if as_csv else runs.workbook(view.id, user=user))
    return Outcome(view=view, rows=rows, content=file.content, interrupted=interrupted)


async def _watch(runs: "Runs", view: "RunView") -> "tuple[RunView, bool]":
    user = local_user()
    with progress_bar() as show:
        try:
            return await runs.wait(view.id, user=user, on_progress=show), False
        except asyncio.CancelledError:
            # asyncio turns the first Ctrl-C into a cancellation of this task; taking it back lets the run be closed
            # in order. A second Ctrl-C ends the process at once.
            task = asyncio.current_task()
            assert task is not None
            task.uncancel()
            return await runs.cancel(view.id, user=user), True


async def _all_rows(runs: "Runs", run_id: str) -> "tuple[RowView, ...]":
    rows: list[RowView] = []
    while page := await runs.rows(run_id, user=local_user(), offset=len(rows), limit=PAGE):
        rows.extend(page)
    return tuple(rows)
