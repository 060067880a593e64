"""A run room in memory, so that doors can be tried and looked at without engine, judge or assistants."""

from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from fastapi import FastAPI

from flags import LEVELS
from service.api._app import new_app
from service.errors import ApprovedUnknown, RunComplete, RunNotReady, RunUnknown, WorkbookUnrecognised
from service.metrics import Load
from service.runs import (
    CSV_TYPE,
    AdoptionView,
    ApprovedView,
    Calibration,
    Columns,
    Comparison,
    NamedFile,
    Only,
    Outcome,
    Pruned,
    Remark,
    Report,
    Reviewed,
    Reviews,
    RowView,
    RunOptions,
    Runs,
    RunView,
    Side,
    User,
    calibrate,
    compare,
)
from service.runs._pulse import GOING
from service.runs._watch import Watches
from service.settings import Settings

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def a_run(run_id: str = "r1", **changes: Any) -> RunView:
    """Return a run that is ready, with the fields named in `changes` set otherwise."""
    run = RunView(
        id=run_id,
        name="Benchmark.xlsx",
        state="ready",
        sheet="Questions",
        total=25,
        done=25,
        errors=0,
        flagged=7,
        created=NOON,
        started=NOON,
        finished=NOON.replace(minute=2, second=5),
        options=RunOptions(),
        spaces={"Travel Desk": 14, "Reisekosten": 11},
        judge="local 1",
        counts={"contradiction": 4, "extent": 3},
    )
    return replace(run, **changes)


def an_app(room: Runs, *, spaces: tuple[str, ...] = ("Travel Desk", "Reisekosten"), **settings: Any) -> FastAPI:
    """Return the HTTP application on a run room, with settings that differ from the usual."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.service = SimpleNamespace(runs=room, spaces=spaces)
        yield

    return new_app(Settings(**settings), lifespan)


class MemoryReviews(Reviews):
    """Tells what it was given."""

    def __init__(self) -> None:
        self.reviewed: list[Reviewed] = []
        self.accepted: list[ApprovedView] = []

    async def approved(self, *, user: User) -> Sequence[ApprovedView]:
        """Return what was given."""
        return tuple(self.accepted)

    async def withdraw(self, approved: str, *, user: User) -> None:
        """Forget one."""
        if approved not in {each.id for each in self.accepted}:
            raise ApprovedUnknown(approved=approved)
        self.accepted = [each for each in self.accepted if each.id != approved]

    async def calibration(self, *, user: User) -> Calibration:
        """Calibrate by the reviews given."""
        return calibrate(self.reviewed)


class MemoryRuns(Runs):
    """Keeps runs in a dictionary and remembers what it was asked for; rows and files are made up."""

    def __init__(self, *runs: RunView, report: Report | None = None, rows: Sequence[RowView] = ()) -> None:
        self.known = {run.id: run for run in runs}
        self.report = report or Report(
            sheet="Questions",
            header_row=1,
            questions=25,
            spaces={"Travel Desk": 14, "Reisekosten": 11},
            columns=Columns(found={"Question": "B1", "Assistant": "C1"}, missing=("sources_used_benchmark",)),
        )
        self.stored_rows = tuple(rows)
        self.reviews = MemoryReviews()
        self.outcomes: dict[str, tuple[Outcome, ...]] = {}
        self.kept: tuple[Remark, ...] = (Remark(code="review_no", message="reviewed with no", row=4),)
        self.asked: list[tuple[str, Mapping[str, object]]] = []
        self.watches = Watches(every_s=0.1)
        self.broken: tuple[str, ...] = ()

    async def check(
        self, content: bytes, filename: str, *, user: User, sheet: str | None = None, estimate: bool = False
    ) -> Report:
        """Accept what begins like a zip file."""
        self.asked.append(("check", {"content": content, "filename": filename, "sheet": sheet}))
        if not content.startswith(b"PK"):
            raise WorkbookUnrecognised()
        return self.report

    async def submit(self, content: bytes, filename: str, options: RunOptions, *, user: User) -> RunView:
        """Add a run in progress."""
        self.asked.append(("submit", {"content": content, "filename": filename, "options": options}))
        run = a_run(
            f"r{len(self.known) + 1}",
            name=filename,
            state="in_progress",
            done=0,
            flagged=0,
            finished=None,
            options=options,
        )
        self.known = {run.id: run, **self.known}
        return run

    async def list(self, *, user: User) -> Sequence[RunView]:
        """Return what is known."""
        return tuple(self.known.values())

    async def get(self, run_id: str, *, user: User) -> RunView:
        """Return one run."""
        if run_id not in self.known:
            raise RunUnknown(run=run_id)
        return self.known[run_id]

    async def rows(
        self, run_id: str, *, user: User, flagged: bool | None = None, offset: int = 0, limit: int = 100
    ) -> Sequence[RowView]:
        """Return the rows given at the start."""
        await self.get(run_id, user=user)
        rows = [row for row in self.stored_rows if flagged is None or row.flagged is flagged]
        return rows[offset : offset + limit]

    async def triage(
        self, run_id: str, *, user: User, only: Only = "all", offset: int = 0, limit: int = 100
    ) -> Sequence[RowView]:
        """Return the rows given at the start, in the order of their levels."""
        await self.get(run_id, user=user)
        keep = {"flagged": True, "unflagged": False}.get(only)
        rows = [row for row in self.stored_rows if keep is None or row.flagged is keep]
        rows = sorted((row for row in rows if only != "audit" or row.audit), key=lambda row: LEVELS.index(row.level))
        return rows[offset : offset + limit]

    async def workbook(self, run_id: str, *, user: User, flagged: bool = False) -> NamedFile:
        """Return bytes that name what they stand for."""
        run = await self.get(run_id, user=user)
        stem = run.name.removesuffix(".xlsx")
        return NamedFile(name=f"{stem}_flagged.xlsx", content=f"PK {run_id} {flagged=}".encode())

    async def csv(self, run_id: str, *, user: User) -> NamedFile:
        """Return a line that names what it stands for."""
        run = await self.get(run_id, user=user)
        return NamedFile(name=f"{run.name.removesuffix('.xlsx')}.csv", content=run_id.encode(), media_type=CSV_TYPE)

    async def side(self, run_id: str, *, user: User) -> Side:
        """Return a run with the outcomes given for it."""
        run = await self.get(run_id, user=user)
        if run.state == "in_progress":
            raise RunNotReady(run=run_id)
        return Side(name=run.name, run=run.id, outcomes=self.outcomes.get(run_id, ()), setup={"Judge": run.judge})

    async def compare(self, a: str, b: str, *, user: User) -> Comparison:
        """Compare what was given for the two."""
        return compare(await self.side(a, user=user), await self.side(b, user=user))

    async def cancel(self, run_id: str, *, user: User) -> RunView:
        """Mark a run as cancelled."""
        run = replace(await self.get(run_id, user=user), state="cancelled")
        self.known[run_id] = run
        return run

    async def adopt(
        self, run_id: str, *, user: User, every: bool = False, content: bytes | None = None
    ) -> AdoptionView:
        """Adopt all rows but one."""
        run = await self.get(run_id, user=user)
        self.asked.append(("adopt", {"every": every, "content": content}))
        if run.state == "in_progress":
            raise RunNotReady(run=run_id)
        file = NamedFile(name="Benchmark_next.xlsx", content=b"PK adopted")
        return AdoptionView(file=file, adopted=24, kept=self.kept)

    async def delete(self, run_id: str, *, user: User) -> None:
        """Forget a run."""
        await self.get(run_id, user=user)
        del self.known[run_id]

    async def load(self) -> Load:
        """Return the runs by state; rows are not kept."""
        return Load(runs=Counter(run.state for run in self.known.values()), rows={})

    async def resume(
        self, run_id: str, *, user: User, force: bool = False, rows: str = "", max_cost: float | None = None
    ) -> RunView:
        """Queue a run again; a ready one without errors is refused as the run room does."""
        run = await self.get(run_id, user=user)
        self.asked.append(("resume", {"force": force, "rows": rows}))
        if run.state == "ready" and not run.errors and not force:
            raise RunComplete(run=run_id)
        options = run.options.model_copy(update={"max_cost": max_cost} if max_cost is not None else {})
        self.known[run_id] = replace(run, state="queued", options=options)
        return self.known[run_id]

    async def rejudge(self, run_id: str, options: RunOptions, *, user: User, content: bytes | None = None) -> RunView:
        """Add a run that came from another."""
        self.asked.append(("rejudge", {"content": content}))
        await self.get(run_id, user=user)
        run = a_run(f"r{len(self.known) + 1}", options=options, origin=run_id)
        self.known[run.id] = run
        return run

    async def watch(self, run_id: str, *, user: User) -> AsyncIterator[RunView]:
        """Follow one run."""
        async for view in self.watches.follow(run_id, lambda: self.get(run_id, user=user)):
            yield view
            if view.state not in GOING:
                return

    async def watch_all(self, *, user: User) -> AsyncIterator[Sequence[RunView]]:
        """Follow all runs."""
        async for views in self.watches.follow("all", lambda: self.list(user=user)):
            yield views
            if not any(view.state in GOING for view in views):
                return

    def hang_up(self) -> None:
        """Let everybody go."""
        self.watches.hang_up()

    async def failing(self) -> tuple[str, ...]:
        """Return what was said to fail."""
        return self.broken

    async def prune(self, before: datetime, *, dry_run: bool = False) -> Pruned:
        """Count what ended before, and forget it."""
        self.asked.append(("prune", {"before": before, "dry_run": dry_run}))
        old = [run for run in self.known.values() if run.finished and run.finished < before]
        if not dry_run:
            self.known = {run.id: run for run in self.known.values() if run not in old}
        return Pruned(before=before, runs=len(old), rows=sum(run.total for run in old), size=1_500_000 * len(old))

    async def give_back(self) -> None:
        """Remember that it was wanted."""
        self.asked.append(("give_back", {}))
