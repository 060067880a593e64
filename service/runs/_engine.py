"""The durable engine: DBOS hands out runs and shards, and hands them out again after a crash.

Everything that matters is stored by us (docs/decisions/0002-engine-and-store.md); the engine only remembers what has
not come to its end.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

Workflow = Callable[..., Coroutine[Any, Any, None]]

POLL_S = 0.2
"""How often the engine looks for work, in seconds."""

LET_GO_S = 10.0
"""A process that is paused in the middle of a transaction loses it after so many seconds, and with it its locks."""

NAME = "flagbook"

ENDED = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
"""States of work in which the engine does nothing more for it."""

FORGOTTEN_AT_ONCE = 500

VERSION = "1"
"""Of the workflows' shape, with which it changes: the engine leaves work of another version where it is."""


@dataclass(frozen=True, kw_only=True)
class Work:
    """What the engine calls: `shards` of a run as (number, space), one shard's `rows`, and the run's `end`.

    None of them raises; each may be called again at any time. `stopping` tells that the process is about to end.
    """

    shards: Callable[[str], Awaitable[list[tuple[int, str]]]]
    rows: Callable[[str, int], Awaitable[None]]
    end: Callable[[str], Awaitable[None]]
    stopping: Callable[[], bool]


@dataclass(frozen=True, kw_only=True)
class Name:
    """Who a process is: its own name, and the owner of the runs it carries out.

    Without `lasting` no other will come for that owner, and its queue is removed at the end.
    """

    executor: str
    owner: str
    lasting: bool


class Engine:
    """One engine a process; what it left unfinished is continued by the next of its name.

    Where many work for one owner, their names differ and they share its queue.
    """

    def __init__(self, url: str, name: Name, work: Work, *, shards_at_once: int) -> None:
        self._url = url
        self._executor = name.executor
        self._queue = f"flagbook-{name.owner}"
        self._work = work
        self._shards_at_once = shards_at_once
        self._lasting = name.lasting
        self._active: set[asyncio.Task[Any]] = set()
        self._run: Workflow
        self._shard: Workflow

    async def open(self) -> None:
        """Start the engine; what an earlier process of the same name left unfinished goes on by itself."""
        from dbos import DBOS

        await asyncio.to_thread(self._make_queue)
        DBOS(
            config={
                "name": NAME,
                "system_database_url": self._url,
                "application_version": VERSION,
                "executor_id": self._executor,
                "log_level": "CRITICAL",
                "enable_otlp": False,
                "notification_listener_polling_interval_sec": 1.0,
                "sys_db_idle_transaction_timeout_sec": LET_GO_S,
            }
        )
        self._register()
        # Its own queue and no other: two processes on one home leave each other's runs alone.
        DBOS.listen_queues([self._queue])
        DBOS.launch()

    async def start(self, run_id: str, attempt: int) -> None:
        """Hand a run to the engine; an attempt at it that it has already is left as it is."""
        # With the version in its name: what an older one has begun is begun again by this one, where it stands.
        name = f"{run_id}~{attempt}v{VERSION}"
        await self._enqueue(self._run, (run_id,), name, f"run {run_id}")

    def head_start(self, run_id: str, shards: Iterable[int]) -> None:
        """Begin with shards of a run that was just stored; the engine looks for work now and then, and finds them done.

        Should the process end before, they are handed out as all others are.
        """
        for number in shards:
            task: asyncio.Task[None] = asyncio.ensure_future(self._work.rows(run_id, number))
            self._active.add(task)
            task.add_done_callback(self._active.discard)

    async def take_over(self, run_id: str, attempt: int) -> None:
        """Continue a run that a dead process of another name left unfinished."""
        from dbos import DBOS

        left = await DBOS.list_workflows_async(
            workflow_id_prefix=run_id, status=["PENDING", "ENQUEUED"], load_input=False, load_output=False
        )
        for workflow in left:
            await DBOS.resume_workflow_async(workflow.workflow_id, queue_name=self._queue)
        await self.start(run_id, attempt)

    async def inherit(self, executor: str) -> None:
        """Have what a dead process was about to do done by whoever of this owner is free."""
        from dbos import DBOS

        left = await DBOS.list_workflows_async(
            status="PENDING", executor_id=executor, load_input=False, load_output=False
        )
        for workflow in left:
            await DBOS.resume_workflow_async(workflow.workflow_id, queue_name=self._queue)

    async def ping(self) -> None:
        """Look into the engine's tables; returns once they answered."""
        from dbos import DBOS

        await DBOS.list_workflows_async(queue_name=self._queue, limit=1, load_input=False, load_output=False)

    async def forget(self, before: datetime) -> None:
        """Forget work that came to its end before a moment; what belongs to a run that goes on can be done again."""
        from dbos import DBOS

        while True:
            done = await DBOS.list_workflows_async(
                status=list(ENDED),
                application_name=NAME,
                completed_before=before.isoformat(),
                limit=FORGOTTEN_AT_ONCE,
                load_input=False,
                load_output=False,
            )
            if not done:
                return
            await DBOS.delete_workflows_async([workflow.workflow_id for workflow in done])

    async def close(self, grace_s: float) -> None:
        """Let running calls end for `grace_s` seconds, then break them off; unfinished runs go on at the next start."""
        from dbos import DBOS

        if self._active:
            await asyncio.wait(self._active, timeout=grace_s)
        for task in self._active:
            task.cancel()
        if not self._lasting:
            await DBOS.delete_queue_async(self._queue)
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1) as aside:
            await loop.run_in_executor(aside, lambda: DBOS.destroy(destroy_registry=True))
        # The engine had lent the loop its threads, which are gone now.
        loop.set_default_executor(ThreadPoolExecutor())

    def _make_queue(self) -> None:
        """Have the queue there before the engine starts: it would notice a new one only a second later."""
        from dbos import DBOS, DBOSClient

        DBOS.migrate(self._url)
        client = DBOSClient(system_database_url=self._url, application_name=NAME)
        client.register_queue(
            self._queue, partition_worker_concurrency=self._shards_at_once, polling_interval_sec=POLL_S
        )
        client.destroy()

    def _register(self) -> None:
        """Make the two workflows; as closures, since the engine keeps functions, not methods."""
        from dbos import DBOS

        @DBOS.workflow(name="run", max_recovery_attempts=None)
        async def run(run_id: str) -> None:
            with self._unless_stopped():
                for number, space in await self._work.shards(run_id):
                    name = f"{DBOS.workflow_id}-{number}"
                    # A partition of its own: a short run is not stuck behind a long one that came before it.
                    await self._enqueue(self._shard, (run_id, number), name, f"{space} of {run_id}", number + 1)
                await self._work.end(run_id)

        @DBOS.workflow(name="shard", max_recovery_attempts=None)
        async def shard(run_id: str, number: int) -> None:
            with self._unless_stopped():
                await self._work.rows(run_id, number)

        self._run, self._shard = run, shard

    @contextmanager
    def _unless_stopped(self) -> Iterator[None]:
        """Keep a workflow unfinished in the engine's books when the process stops in the middle of it."""
        task = asyncio.current_task()
        assert task is not None
        self._active.add(task)
        try:
            yield
        finally:
            self._active.discard(task)
        if self._work.stopping():
            raise asyncio.CancelledError

    async def _enqueue(
        self, workflow: Workflow, args: tuple[Any, ...], name: str, partition: str, priority: int = 1
    ) -> None:
        from dbos import DBOS, SetEnqueueOptions, SetWorkflowID

        with SetWorkflowID(name), SetEnqueueOptions(queue_partition_key=partition, priority=priority):
            await DBOS.enqueue_workflow_async(self._queue, workflow, *args)
