"""One thread that writes: waiting writes share a commit (docs/decisions/0002-engine-and-store.md)."""

import asyncio
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine

from service.store._persistence import Persistence, is_full, passes

T = TypeVar("T")

MOST_WRITES_A_COMMIT = 256


@dataclass(frozen=True)
class _Job:
    work: Callable[[Connection], Any]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


_Outcome = tuple[_Job, Any, BaseException | None]


class _OneFailed(Exception):
    """A write failed by itself; what was written with it was undone."""


class Writer:
    """Run writes in order on one connection; a caller goes on only once its write is on disk.

    One that fails does not undo its neighbours: those that waited together are then carried out again, each in a
    savepoint of its own. (A savepoint costs more than what is written in it, so there is none where all goes well.)
    While the database is away, or locked by another process, all of them wait. A write may thus be carried out a second
    time after all, so writes are such that this changes nothing.
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
        return await self.post(work)

    def post(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Put a write in the queue and return what will hold its outcome: nothing put in later goes before it."""
        if self._closed:
            raise RuntimeError("the store is closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._jobs.put(_Job(work, loop, done))
        return done

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
        outcomes: list[_Outcome]
        try:
            outcomes = self._persistence.carry_out(lambda: self._together(jobs))
        except Exception as error:  # noqa: BLE001 - the commit failed: every waiting caller must hear of it
            outcomes = [(job, None, error) for job in jobs]
        for loop in {job.loop for job in jobs}:
            with suppress(RuntimeError):  # the loop has ended, and with it those who waited
                loop.call_soon_threadsafe(_tell, [outcome for outcome in outcomes if outcome[0].loop is loop])

    def _together(self, jobs: list[_Job]) -> list[_Outcome]:
        with suppress(_OneFailed), self._engine.begin() as connection:
            return [(job, _done(connection, job), None) for job in jobs]
        with self._engine.begin() as connection:
            return [(job, *_attempt(connection, job)) for job in jobs]


def _done(connection: Connection, job: _Job) -> Any:
    try:
        return job.work(connection)
    except Exception as error:
        if passes(error) or is_full(error):
            raise
        raise _OneFailed from error


def _attempt(connection: Connection, job: _Job) -> tuple[Any, BaseException | None]:
    try:
        with connection.begin_nested():
            value = job.work(connection)
    except Exception as error:
        if passes(error) or is_full(error):
            raise
        return None, error
    return value, None


def _tell(outcomes: list[_Outcome]) -> None:
    for job, value, failure in outcomes:
        if job.done.cancelled():  # what was written stays written
            continue
        if failure is None:
            job.done.set_result(value)
        else:
            job.done.set_exception(failure)
