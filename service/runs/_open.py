"""Open the run room: store, engine and what they work with, and pick up what was left."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from service.assistants import Space
from service.errors import WorkerAlone
from service.runs._bench import Bench
from service.runs._engine import Engine, Name, Work
from service.runs._keeper import KEEP_S, Keeper
from service.runs._lock import is_alive, only_one
from service.runs._places import Division
from service.runs._presence import Presence, ended, every
from service.runs._pulse import Pulse
from service.runs._runs import Runs
from service.runs._shard import Sharing, shards_at_once
from service.runs._sorting import Spaces
from service.runs._submit import Desk
from service.runs._work import RunWork
from service.settings import Settings
from service.store import Store

GRACE_S = 5.0
"""How long running calls may go on when the process is stopped, in seconds."""

SERVE = "serve"
"""The owner of the runs that the service carries out, and its name where it is alone."""

WORKER = "worker"
"""A process that carries out the service's runs and has no door of its own."""


@asynccontextmanager
async def open_runs(
    settings: Settings, *, executor: str, spaces: tuple[Space, ...], bench: Bench, grace_s: float = GRACE_S
) -> AsyncIterator[Runs]:
    """Yield the run room; runs that `executor` left unfinished go on by themselves.

    At the end, running calls may go on for `grace_s` seconds and are then broken off.
    Raises `HomeBusy` when another process works under that name, `WorkerAlone` for a worker without a shared database.
    """
    name = _name(settings, executor)
    async with AsyncExitStack() as stack:
        stack.enter_context(only_one(settings.home, name.executor))
        store = await Store.open(settings.store_url)
        stack.push_async_callback(store.close)
        presence = Presence(store, name.executor, shared=settings.shared)
        pulse = Pulse(store, presence)
        work = RunWork(store, bench, pulse, await _sharing(stack, store, bench, presence))
        engine = Engine(
            settings.engine_url,
            name,
            Work(shards=work.shards, rows=work.rows, end=work.end, stopping=lambda: pulse.stopping),
            shards_at_once=shards_at_once(settings.rows_at_once, settings.shard_rows),
        )
        stack.push_async_callback(engine.close, grace_s)
        stack.push_async_callback(pulse.last_words.aclose)
        stack.callback(pulse.stop_all)
        await engine.open()
        if settings.shared and name.owner == SERVE:
            await _keep(stack, Keeper(store, engine, presence, SERVE))
        else:
            await _pick_up(store, engine, settings, name.owner)
        runs = Runs(store, engine, pulse, bench, Desk(settings=settings, spaces=Spaces(spaces), owner=name.owner))
        stack.callback(runs.hang_up)
        yield runs


def _name(settings: Settings, executor: str) -> Name:
    if executor == WORKER and not settings.shared:
        raise WorkerAlone()
    if executor not in (SERVE, WORKER):
        return Name(executor=executor, owner=executor, lasting=False)
    unique = f"{executor}-{uuid.uuid4().hex[:12]}" if settings.shared else executor
    return Name(executor=unique, owner=SERVE, lasting=True)


async def _sharing(stack: AsyncExitStack, store: Store, bench: Bench, presence: Presence) -> Sharing:
    """Begin to share rows and places with other processes, where the database allows others."""
    await presence.open()
    stack.push_async_callback(presence.close)
    if not presence.shared:
        return Sharing(presence=presence, places=bench.places)
    division = Division(store, presence)
    await division.open()
    stack.push_async_callback(division.close)
    return Sharing(presence=presence, places=division.of)


async def _keep(stack: AsyncExitStack, keeper: Keeper) -> None:
    await keeper.keep()
    keeping = asyncio.create_task(every(KEEP_S, keeper.keep))

    stack.push_async_callback(ended, keeping)


async def _pick_up(store: Store, engine: Engine, settings: Settings, owner: str) -> None:
    """Start what was stored but never handed to the engine, and continue what dead processes left."""
    for run_id in await store.runs.unfinished(owner):
        await engine.start(run_id, await store.runs.attempt(run_id))
    if owner != SERVE:
        return
    for run_id, other in await store.runs.owned_by_others(owner):
        if not is_alive(settings.home, other) and await store.runs.hand_over(run_id, other, owner):
            await engine.take_over(run_id, await store.runs.attempt(run_id))
