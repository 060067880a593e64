"""The only place that builds real things; nothing is made at import."""

import gc
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from service.runs import Bench, Runs, open_runs
from service.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

    from flags import Embedder, Tools
    from service.assistants import Assistant, Space
    from service.metrics import Metrics


@dataclass(frozen=True, kw_only=True)
class Service:
    """What a door works with; `spaces` holds the names declared in spaces.yaml."""

    settings: Settings
    runs: Runs
    spaces: tuple[str, ...]


@asynccontextmanager
async def open_service(
    settings: Settings, *, executor: str, metrics: "Metrics | None" = None
) -> AsyncIterator[Service]:
    """Open database, engine and what runs work with, and close them again; `metrics` hear of every call.

    `executor` names the process to the engine: a stable name (`serve`) makes a restart continue its own runs; the
    command line takes a unique one so that two processes on one home leave each other's runs alone. Judges,
    embedders and assistants are opened when a run needs them.
    """
    # What a row leaves behind is hardly ever a cycle: looking for them as often as usual takes 6 % of a run's time.
    gc.set_threshold(10_000, 20, 20)
    spaces = declared_spaces(settings)
    bench = _bench(settings, metrics)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(bench.aclose)
        runs = await stack.enter_async_context(open_runs(settings, executor=executor, spaces=spaces, bench=bench))
        yield Service(settings=settings, runs=runs, spaces=tuple(space.name for space in spaces))


@asynccontextmanager
async def open_tools(settings: Settings) -> "AsyncIterator[Tools]":
    """Open judge and embedder of the settings alone; raise `KeyMissing` where the judge's key is not set."""
    bench = _bench(settings)
    try:
        yield bench.tools({})
    finally:
        await bench.aclose()


def declared_spaces(settings: Settings) -> "tuple[Space, ...]":
    """Return the declared spaces; a file that nobody asked for may be missing."""
    from service.assistants import load_spaces

    if "spaces" not in settings.model_fields_set and not settings.spaces.exists():
        return ()
    return load_spaces(settings.spaces)


def _bench(settings: Settings, metrics: "Metrics | None" = None) -> Bench:
    """Return what runs ask and judge with; each embedder and endpoint is opened once."""
    from flags import Tools
    from service.assistants import Kit, open_assistant
    from service.llm import open_embedder, open_endpoints, open_entailment, open_judge
    from service.workbook import Limits

    endpoints = open_endpoints(settings, metrics)
    if metrics:
        metrics.watch(endpoints.opened)
    embedders: dict[tuple[object, ...], Embedder] = {}

    def embedder(chosen: Settings) -> "Embedder":
        key = (chosen.embedder, chosen.embedder_base_url, chosen.embedder_api_key_env)
        if key not in embedders:
            opened = embedders[key] = open_embedder(chosen, endpoints)
            bench.closes(opened.aclose)
        return embedders[key]

    entailment = cache(open_entailment)

    def tools(judging: Mapping[str, Any]) -> Tools:
        chosen = settings.model_copy(update=dict(judging))
        judge = open_judge(chosen, embedder(chosen), endpoints, entailment=entailment(chosen.nli_model))
        return Tools(judge=judge, embedder=embedder(chosen))

    @cache
    def kit() -> Kit:
        """Return the one kit of the process: its shelf keeps the document indexes, so that each is built once."""
        chat, folder = endpoints.lane("assistants"), settings.home / "indexes"
        return Kit(embedder=embedder(settings), chat=chat, index_folder=folder)

    def assistant(space: "Space") -> "Assistant":
        return open_assistant(space, kit())

    bench = Bench(tools=tools, assistant=assistant, rows_at_once=settings.rows_at_once, limits=Limits.of(settings))
    bench.closes(endpoints.aclose)
    return bench


def create_app(settings: Settings) -> "FastAPI":
    """Return the HTTP application; its lifespan opens the service and keeps it in `app.state.service`."""
    from service.api import new_app
    from service.metrics import Metrics
    from service.web import install_pages

    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: "FastAPI") -> AsyncIterator[None]:
        async with open_service(settings, executor="serve", metrics=metrics) as service:
            app.state.service = service
            yield

    app = new_app(settings, lifespan, metrics)
    install_pages(app)
    return app
