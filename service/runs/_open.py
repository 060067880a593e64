"""Open the run room: store, engine and what they work with, and pick up what was left."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from service.assistants import Space
from service.runs._bench import Bench
from service.runs._engine import Engine, Work
from service.runs._lock import is_alive, only_one
from service.runs._pulse import Pulse
from service.runs._runs import Runs
from service.runs._shard import shards_at_once
from service.runs._sorting import Spaces
from service.runs._submit import Desk
from service.runs._work import RunWork
from service.settings import Settings
from service.store import Store

GRACE_S = 5.0
"""How long running calls may go on when the process is stopped, in seconds."""

SERVE = "serve"
"""The name of the process that also continues what dead processes of other names left."""


@asynccontextmanager
async def open_runs(
    settings: Settings, *, executor: str, spaces: tuple[Space, ...], bench: Bench, grace_s: float = GRACE_S
) -> AsyncIterator[Runs]:
    """Yield the run room; runs that `executor` left unfinished go on by themselves.

    At the end, running calls may go on for `grace_s` seconds and are then broken off.
    Raises `HomeBusy` when another process works under that name.
    """
    async with AsyncExitStack() as stack:
        stack.enter_context(only_one(settings.home, executor))
        store = await Store.open(settings.store_url)
        stack.push_async_callback(store.close)
        pulse = Pulse(store)
        work = RunWork(store, bench, pulse)
        engine = Engine(
            settings.engine_url,
            executor,
            Work(shards=work.shards, rows=work.rows, end=work.end, stopping=lambda: pulse.stopping),
            shards_at_once=shards_at_once(settings.rows_at_once, settings.shard_rows),
            lasting=executor == SERVE,
        )
        stack.push_async_callback(engine.close, grace_s)
        stack.callback(pulse.stop_all)
        await engine.open()
        await _pick_up(store, engine, settings, executor)
        yield Runs(store, engine, pulse, bench, Desk(settings=settings, spaces=Spaces(spaces), owner=executor))


async def _pick_up(store: Store, engine: Engine, settings: Settings, executor: str) -> None:
    """Start what was stored but never handed to the engine, and continue what dead processes left."""
    for run_id in await store.runs.unfinished(executor):
        await engine.start(run_id)
    if executor != SERVE:
        return
    for run_id, owner in await store.runs.owned_by_others(executor):
        if not is_alive(settings.home, owner) and await store.runs.hand_over(run_id, owner, executor):
            await engine.take_over(run_id)
