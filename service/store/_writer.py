"""One thread that writes: waiting writes share a commit (docs/decisions/0002-engine-and-store.md)."""

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine

from service.store._persistence import Persistence, is_full, passes

T = TypeVar("T")

MOST_WRITES_A_COMMIT = 256


@dataclass(frozen=True)
class _Job:
    work: Callable[[Connection], Any]
    future: Future[Any]


class Writer:
    """Run writes in order on one connection; a caller goes on only once its write is on disk.

    Each write stands in a savepoint of its own, so that one that fails does not undo its neighbours. While the database
    is away, or locked by another process, all of them wait; a write may then be carried out a second time after all, so
    writes are such that this changes nothing.
    """

    def __init__(self, engine: Engine, persistence: Persistence) -> None:
        self._engine = engine
        self._persistence = persistence
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="store-writer", daemon=True)
        self._thread.start()

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Return what `work` returned, after its changes were committed; its exception is raised here."""
        if self._closed:
            raise RuntimeError("the store is closed")
        future: Future[T] = Future()
        self._jobs.put(_Job(work, future))
        return await asyncio.shield(asyncio.wrap_future(future))

    def close(self) -> None:
        """Finish the writes that wait and stop; blocks."""
        self._closed = True
        self._jobs.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while True:
            batch = self._next_batch()
            jobs = [job for job in batch if job is not None]
            if jobs:
                self._commit(jobs)
            if len(jobs) < len(batch):
                return

    def _next_batch(self) -> list[_Job | None]:
        batch = [self._jobs.get()]
        while batch[-1] is not None and len(batch) < MOST_WRITES_A_COMMIT:
            try:
                batch.append(self._jobs.get_nowait())
            except queue.Empty:
                break
        return batch

    def _commit(self, jobs: list[_Job]) -> None:
        outcomes: list[tuple[_Job, Any, BaseException | None]]
        try:
            outcomes = self._persistence.carry_out(lambda: self._together(jobs))
        except Exception as error:  # noqa: BLE001 - the commit failed: every waiting caller must hear of it
            outcomes = [(job, None, error) for job in jobs]
        for job, value, failure in outcomes:
            if failure is None:
                job.future.set_result(value)
            else:
                job.future.set_exception(failure)

    def _together(self, jobs: list[_Job]) -> list[tuple[_Job, Any, BaseException | None]]:
        with self._engine.begin() as connection:
            return [(job, *_attempt(connection, job)) for job in jobs]


def _attempt(connection: Connection, job: _Job) -> tuple[Any, BaseException | None]:
    try:
        with connection.begin_nested():
            value = job.work(connection)
    except Exception as error:
        if passes(error) or is_full(error):
            raise
        return None, error
    return value, None
