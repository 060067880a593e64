"""The embedder on this machine: one thread, batches over all who ask, off the event loop."""

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future

import numpy as np
from numpy.typing import NDArray

from service.llm._sentence_model import Encoder
from service.llm._vectors import Vectors
from service.llm._windows import mean_of_windows, windows

_TEXTS_AT_ONCE = 256
Rows = NDArray[np.float32]
_Job = tuple[tuple[str, ...], Future[Rows]]


class LocalEmbedder:
    """Unit vectors of a model loaded at the first text; requests that wait are taken together as one batch."""

    def __init__(self, name: str, load: Callable[[], Encoder], *, cache: int = 8192) -> None:
        self.name = name
        self._load = load
        self._known = Vectors(cache)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._encoder: Encoder | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    async def embed(self, texts: Sequence[str]) -> Rows:
        """Return an array (len(texts), dimensions) of unit rows; raise `EmbedderMissing` when there is no model."""
        done: Future[Rows] = Future()
        self._jobs.put((tuple(texts), done))
        self._start()
        return await asyncio.wrap_future(done)

    async def aclose(self) -> None:
        """Let the thread end once what waits is done."""
        if self._thread:
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                # a daemon: a process that must stop does not wait for a long batch
                self._thread = threading.Thread(target=self._work, name=f"embedder {self.name}", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        ended = False
        while not ended and (job := self._jobs.get()) is not None:
            jobs, ended = self._waiting(job)
            try:
                self._encoder = self._encoder or self._load()
                self._serve(self._encoder, jobs)
            except Exception as error:  # noqa: BLE001  # whatever it is, those who wait must hear of it
                _tell(error, jobs)

    def _waiting(self, first: _Job) -> tuple[list[_Job], bool]:
        """Return the jobs that wait by now, and whether the end was among them."""
        jobs = [first]
        while sum(len(texts) for texts, _ in jobs) < _TEXTS_AT_ONCE:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            if job is None:
                return jobs, True
            jobs.append(job)
        return jobs, False

    def _serve(self, encoder: Encoder, jobs: list[_Job]) -> None:
        wanted = {text: self._known.get(text) for texts, _ in jobs for text in texts}
        new = [text for text, vector in wanted.items() if vector is None]
        if new:
            fresh = dict(zip(new, _embedded(encoder, new), strict=True))
            wanted.update(fresh)
            self._known.keep(fresh.items())
        for texts, done in jobs:
            if done.set_running_or_notify_cancel():
                rows = [wanted[text] for text in texts]
                done.set_result(np.stack(rows) if rows else np.zeros((0, 0), dtype=np.float32))  # type: ignore[arg-type]


def _tell(error: Exception, jobs: list[_Job]) -> None:
    for _, done in jobs:
        if not done.done():
            done.set_exception(error)


def _embedded(encoder: Encoder, texts: Sequence[str]) -> Rows:
    """Return unit rows; pieces are encoded from short to long, so that a batch is not padded to its longest text."""
    pieces: list[str] = []
    weights: list[int] = []
    owners: list[int] = []
    for owner, text in enumerate(texts):
        for (start, end), tokens in windows(encoder.spans(text), encoder.limit):
            pieces.append(text[start:end])
            weights.append(max(1, tokens))
            owners.append(owner)
    order = sorted(range(len(pieces)), key=lambda at: weights[at])
    encoded = encoder.encode([pieces[at] for at in order])
    rows = np.empty_like(encoded)
    rows[order] = encoded
    return mean_of_windows(rows, weights, owners, len(texts))
