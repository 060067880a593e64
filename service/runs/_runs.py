"""The one entrance to the run room: each method is one thing a person can want."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import datetime

import structlog

from service.errors import RunComplete, RunNotReady, RunUnknown, WorkbookIsExperiment
from service.metrics import Load
from service.runs._adopting import adoption_view, file_name, lineage
from service.runs._bench import Bench
from service.runs._cells import is_experiment, refuse_haystacks
from service.runs._check import checked, read_soon
from service.runs._compare import Comparison, Side, compare
from service.runs._engine import Engine
from service.runs._finish import build_csv, build_workbook
from service.runs._probes import Probes
from service.runs._pulse import GOING, Pulse
from service.runs._retake import Retake, take_up
from service.runs._retention import Retention
from service.runs._reviews import Reviews, read_reviewed
from service.runs._shapes import CSV_TYPE, AdoptionView, NamedFile, Pruned, Report, RowView, RunOptions, RunView, User
from service.runs._shard import first_shards
from service.runs._sides import side_of_run
from service.runs._sorting import choose, sort_out
from service.runs._submit import (
    Again,
    Desk,
    Upload,
    check_rows,
    entries_of,
    plan_again,
    plan_upload,
    reviews_of,
    run_again,
    run_of_upload,
)
from service.runs._triage import Only, shown, triaged
from service.runs._views import run_view
from service.runs._waiting import Progress, until_ended
from service.runs._watch import Watches
from service.store import NewRun, Review, RunRecord, Store
from service.workbook import Reading, adopt

_log = structlog.get_logger(__name__)


class Runs:
    """Check, submit, watch, deliver, adopt; runs of another company do not exist (`RunUnknown`)."""

    def __init__(self, store: Store, engine: Engine, pulse: Pulse, bench: Bench, desk: Desk) -> None:
        self._store = store
        self._engine = engine
        self._pulse = pulse
        self._bench = bench
        self._desk = desk
        self.reviews = Reviews(store)
        self._watches = Watches()
        self._retention = Retention(store, engine, desk.settings)
        self._probes = Probes({"database": store.ping, "queue": engine.ping})

    async def check(
        self, content: bytes, filename: str, *, user: User, sheet: str | None = None, estimate: bool = False
    ) -> Report:
        """Say what would happen with a workbook, and with `estimate` what it would take; raise `WorkbookRefused`."""
        reading = await read_soon(content, filename, sheet, self._bench.limits)
        entries = sort_out(reading, self._desk.spaces, user)
        if reading.niah:
            corpora = await self._corpora(reading, user)
            entries = refuse_haystacks(entries, reading.columns.get("haystack", ""), corpora)
        return await checked(reading, entries, self._desk.spaces, self._desk.settings if estimate else None)

    async def submit(self, content: bytes, filename: str, options: RunOptions, *, user: User) -> RunView:
        """Store a workbook as a run and start it; when this returns, a crash no longer loses it.

        Raises `WorkbookRefused`, or `OptionsRefused` for rows or flags that do not exist.
        """
        limits = self._bench.limits.for_results() if options.judge_only else self._bench.limits
        reading = await read_soon(content, filename, options.sheet, limits)
        corpora = await self._corpora(reading, user)
        upload = Upload(content=content, name=filename, reading=reading, options=options, user=user, corpora=corpora)
        entries = entries_of(upload, self._desk)
        plan = plan_upload(entries, upload, self._desk)
        tools = self._bench.tools(plan.judging)
        new = await asyncio.to_thread(run_of_upload, upload, entries, plan, self._desk, tools)
        view = await self._start(new, user)
        await self.reviews.take_from_upload(reading, user)
        return view

    async def list(self, *, user: User) -> Sequence[RunView]:
        """Return the company's runs, the newest first."""
        return [run_view(self._pulse.last_words.shown(run)) for run in await self._store.runs.of_company(user.company)]

    async def get(self, run_id: str, *, user: User) -> RunView:
        """Return one run."""
        return run_view(await self._known(run_id, user))

    async def rows(
        self, run_id: str, *, user: User, flagged: bool | None = None, offset: int = 0, limit: int = 100
    ) -> Sequence[RowView]:
        """Return a page of rows in sheet order; `flagged` True or False keeps rows with that final flag."""
        run = await self._known(run_id, user)
        rows = await self._store.rows.page(run.id, flagged=flagged, offset=offset, limit=limit)
        return await shown(self._store, run, rows)

    async def triage(
        self, run_id: str, *, user: User, only: Only = "all", offset: int = 0, limit: int = 100
    ) -> Sequence[RowView]:
        """Return a page of rows, the most urgent first."""
        run = await self._known(run_id, user)
        return await shown(self._store, run, await triaged(self._store, run, only, offset, limit))

    async def workbook(self, run_id: str, *, user: User, flagged: bool = False) -> NamedFile:
        """Return the result workbook, before the end with what is there so far; `flagged` sets the filter."""
        run = await self._known(run_id, user)
        ending = "result" if is_experiment(run) else "only_flagged" if flagged else "flagged"
        return NamedFile(name=file_name(run.name, ending), content=await self._content(run, flagged=flagged))

    async def csv(self, run_id: str, *, user: User) -> NamedFile:
        """Return the rows as CSV for other tools, before the end with what is there so far."""
        run = await self._known(run_id, user)
        name = file_name(run.name, "result" if is_experiment(run) else "flagged", kind="csv")
        return NamedFile(name=name, content=await build_csv(self._store, run), media_type=CSV_TYPE)

    async def side(self, run_id: str, *, user: User) -> Side:
        """Return a run that ended as one side of a comparison; raise `RunNotReady` while it goes on."""
        run = await self._ended(run_id, user)
        if is_experiment(run):
            raise WorkbookIsExperiment()
        return side_of_run(run, await self._store.rows.page(run.id))

    async def compare(self, a: str, b: str, *, user: User) -> Comparison:
        """Compare two runs that ended: what changed from A to B, and whether that is more than chance."""
        return compare(await self.side(a, user=user), await self.side(b, user=user))

    async def cancel(self, run_id: str, *, user: User) -> RunView:
        """Stop asking; what was stored stays and can be downloaded. A finished run is returned unchanged."""
        run = await self._known(run_id, user)
        if await self._store.runs.cancel(run.id):
            self._pulse.stop(run.id)
        return await self.get(run_id, user=user)

    async def adopt(
        self, run_id: str, *, user: User, every: bool = False, content: bytes | None = None
    ) -> AdoptionView:
        """Make the next benchmark set from the result, or from `content`, the result as a person reviewed it.

        Raises `RunNotReady` while the run goes on, `FileOfOtherRun` when `content` is not its result.
        """
        run, sheet = await self._ended(run_id, user), ""
        if is_experiment(run):
            raise WorkbookIsExperiment()
        if content is None:
            content, sheet = await self._content(run), run.sheet
        else:
            reading = await read_reviewed(content, run, self._bench.limits)
            sheet = reading.sheet
            await self.reviews.take(reading, run, user)
        adoption = await asyncio.to_thread(
            adopt, content, every=every, lineage=lineage(run, user), sheet=sheet, limits=self._bench.limits
        )
        return adoption_view(adoption, run)

    async def delete(self, run_id: str, *, user: User) -> None:
        """Remove a run with all it holds; a running one is stopped first."""
        run = await self._known(run_id, user)
        self._pulse.stop(run.id)
        await self._store.runs.delete(run.id)

    async def rejudge(self, run_id: str, options: RunOptions, *, user: User, content: bytes | None = None) -> RunView:
        """Start a new run that judges the stored answers of `run_id` again; nothing is asked.

        The verdicts are written into `content`, the result as a person has it by now, else into the workbook that
        came in. Raises `RunNotReady` while the run goes on, `FileOfOtherRun` when `content` is not its result.
        """
        run = await self._ended(run_id, user)
        rows = choose(await self._store.rows.page(run.id), options.rows)
        if content is None:
            content = await self._store.runs.file(run.id, "input") or b""
            stored = await self._store.runs.reviews(run.id)
            reviews = tuple(
                Review(number=number, answer_hash=of, correct=said) for number, (of, said) in stored.items()
            )
        else:
            reading = await read_reviewed(content, run, self._bench.limits)
            check_rows(reading, rows, run)
            reviews = reviews_of(reading)
        again = Again(run=run, rows=rows, content=content, options=options, user=user, reviews=reviews)
        plan = plan_again(again, self._desk)
        tools = self._bench.tools(plan.judging)
        return await self._start(run_again(again, plan, self._desk, tools), user)

    async def resume(
        self, run_id: str, *, user: User, force: bool = False, rows: str = "", max_cost: float | None = None
    ) -> RunView:
        """Take up a run that ended: only rows that failed or are missing are asked and judged again.

        With `force` all rows, or those `rows` names, are asked and judged as if they never had been, in whatever state
        the run is. With `max_cost` its limit is another from now on; what was spent counts. Raises `RunNotReady`,
        `RunComplete` when no row is left, `OptionsRefused` for rows without `force`, `PriceUnknown`.
        """
        retake = Retake(force=force, rows=rows, max_cost=max_cost)
        run = await (self._known if force else self._ended)(run_id, user)
        await self._pulse.last_words.store(run.id)
        if not await take_up(self._store, run, self._desk, retake):
            raise RunComplete(run=run_id)
        self._pulse.forget(run.id)
        await self._engine.start(run.id, await self._store.runs.attempt(run.id))
        return await self.get(run_id, user=user)

    async def wait(self, run_id: str, *, user: User, on_progress: Progress | None = None) -> RunView:
        """Return the run once it is ready, failed or cancelled; `on_progress` is called with each change."""
        return await until_ended(
            lambda: self.get(run_id, user=user), lambda seconds: self._pulse.sleep(run_id, seconds), on_progress
        )

    async def load(self) -> Load:
        """Return how much there is to do, over all companies: figures without names."""
        return await self._store.runs.load()

    async def watch(self, run_id: str, *, user: User) -> AsyncIterator[RunView]:
        """Yield the run at once and whenever it has changed, last as it ended; nothing more once it is deleted."""
        run = await self._known(run_id, user)

        async def look() -> RunView | None:
            found = await self._store.runs.get(run.id)
            return run_view(self._pulse.last_words.shown(found)) if found else None

        async for view in self._watches.follow(("run", run.id), look):
            yield view
            if view.state not in GOING:
                return

    async def watch_all(self, *, user: User) -> AsyncIterator[Sequence[RunView]]:
        """Yield the company's runs at once and whenever one has changed, until none goes on."""
        async for views in self._watches.follow(("company", user.company), lambda: self.list(user=user)):
            yield views
            if not any(view.state in GOING for view in views):
                return

    def hang_up(self) -> None:
        """Let go everybody who watches, and try nothing more: the process is about to end."""
        self._watches.hang_up()
        self._probes.give_up()

    async def failing(self) -> tuple[str, ...]:
        """Return which of `database` and `queue` do not work; what does not answer soon does not."""
        return await self._probes.failing()

    async def prune(self, before: datetime, *, dry_run: bool = False) -> Pruned:
        """Remove for good every run, of whatever company, that ended before; those that go on stay."""
        return await self._retention.prune(before, dry_run=dry_run)

    async def give_back(self) -> None:
        """Give the space of what was removed back to the disk."""
        await self._retention.give_back()

    async def _start(self, new: NewRun, user: User) -> RunView:
        await self._store.runs.add(new)
        _log.info("run_stored", run=new.id, rows=len(new.rows), judge=new.judge)
        # Stored is started: should the process end right here, the next one of this name starts the run.
        self._engine.head_start(new.id, first_shards(new, self._desk.settings))
        await self._engine.start(new.id, 0)
        return await self.get(new.id, user=user)

    async def _corpora(self, reading: Reading, user: User) -> dict[str, str]:
        """Return the company's corpora, name → sha256, where an experiment may name them."""
        if reading.niah is None:
            return {}
        return {corpus.name: corpus.sha256 for corpus in await self._store.corpora.list(user.company)}

    async def _known(self, run_id: str, user: User) -> RunRecord:
        run = await self._store.runs.get(run_id, user.company)
        if run is None:
            raise RunUnknown(run=run_id)
        return self._pulse.last_words.shown(run)

    async def _ended(self, run_id: str, user: User) -> RunRecord:
        run = await self._known(run_id, user)
        if run.state in GOING:
            raise RunNotReady(run=run_id)
        return run

    async def _content(self, run: RunRecord, *, flagged: bool = False) -> bytes:
        stored = None if flagged else await self._store.runs.file(run.id, "result")
        return stored or await build_workbook(self._store, run, limits=self._bench.limits, flagged=flagged)
