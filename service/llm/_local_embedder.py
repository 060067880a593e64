"""The embedder on this machine: one thread, batches over all who ask, off the event loop."""

import asyncio
import heapq
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from flags import Embedder
from service.llm._sentence_model import Encoder
from service.llm._vectors import Vector, Vectors
from service.llm._windows import mean_of_windows, windows

_TEXTS_AT_ONCE = 32
"""As many as a model reads together; a question that comes in meanwhile waits no longer than for these."""
_AHEAD_AT_ONCE = 8
Rows = NDArray[np.float32]


@dataclass(eq=False)
class _Job:
    """Texts that somebody waits for, and the vectors found so far."""

    texts: tuple[str, ...]
    done: Future[Rows] = field(default_factory=Future)
    found: dict[str, Vector] = field(default_factory=dict)

    def give(self) -> None:
        """Hand the vectors over once all are there."""
        if len(self.found) == len(set(self.texts)) and self.done.set_running_or_notify_cancel():
            rows = [self.found[text] for text in self.texts]
            self.done.set_result(np.stack(rows) if rows else np.zeros((0, 0), dtype=np.float32))


@dataclass(frozen=True)
class _Ahead:
    """Texts that nobody waits for yet."""

    texts: tuple[str, ...]


class LocalEmbedder:
    """Unit vectors of a model loaded at the first text.

    Of the texts that wait the shortest are read next, whoever asks for them: texts of like length make a batch without
    padding, and a question does not wait for documents.
    """

    def __init__(self, name: str, load: Callable[[], Encoder], *, cache: int = 4096) -> None:
        self.name = name
        self._load = load
        self._known = Vectors(cache)
        self._jobs: queue.SimpleQueue[_Job | _Ahead | None] = queue.SimpleQueue()
        self._encoder: Encoder | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    async def embed(self, texts: Sequence[str]) -> Rows:
        """Return an array (len(texts), dimensions) of unit rows; raise `EmbedderMissing` when there is no model."""
        job = _Job(tuple(texts))
        self._jobs.put(job)
        self._start()
        return await asyncio.wrap_future(job.done)

    def ahead(self, texts: Iterable[str]) -> None:
        """Embed texts that will be asked for, in the time in which nobody waits."""
        self._jobs.put(_Ahead(tuple(texts)))
        self._start()

    async def aclose(self) -> None:
        """Let the thread end once what is waited for is done."""
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
        line = _Line(self._known)
        while not line.ended or line.waited_for():
            self._take_in(line)
            batch = line.next_batch()
            if not batch:
                continue
            try:
                self._encoder = self._encoder or self._load()
                line.found(dict(zip(batch, _embedded(self._encoder, batch), strict=True)))
            except Exception as error:  # noqa: BLE001  # whatever it is, those who wait must hear of it
                line.failed(batch, error)

    def _take_in(self, line: "_Line") -> None:
        """Take what has come in by now; wait for it where there is nothing to do."""
        wait = not line.texts
        while True:
            try:
                line.add(self._jobs.get(block=wait))
            except queue.Empty:
                return
            wait = False


def embed_ahead(embedder: Embedder, texts: Iterable[str]) -> None:
    """Embed texts that will be asked for while nobody waits; an endpoint, which is paid for, is not asked ahead."""
    if isinstance(embedder, LocalEmbedder):
        embedder.ahead(texts)


class _Line:
    """Texts that are still to be read, the shortest first; those nobody waits for come last."""

    def __init__(self, known: Vectors) -> None:
        self._known = known
        self._heap: list[tuple[bool, int, str]] = []
        self.texts: dict[str, list[_Job]] = {}
        self.ended = False

    def waited_for(self) -> bool:
        """Return whether somebody waits for one of the texts."""
        return any(self.texts.values())

    def add(self, job: _Job | _Ahead | None) -> None:
        """Put a job's texts in; None is the end."""
        if job is None:
            self.ended = True
            return
        for text in dict.fromkeys(job.texts):
            known = self._known.get(text)
            if known is None:
                self._put(text, job)
            elif isinstance(job, _Job):
                job.found[text] = known
        if isinstance(job, _Job):
            job.give()

    def _put(self, text: str, job: _Job | _Ahead) -> None:
        waiting = self.texts.setdefault(text, [])
        ahead = isinstance(job, _Ahead)
        if not waiting:  # new, or so far nobody waited for it
            heapq.heappush(self._heap, (ahead, len(text), text))
        if isinstance(job, _Job):
            waiting.append(job)

    def next_batch(self) -> list[str]:
        """Return the texts to read next: those somebody waits for, or a few that nobody does."""
        batch: dict[str, None] = {}
        while self._heap and len(batch) < (_AHEAD_AT_ONCE if self._heap[0][0] else _TEXTS_AT_ONCE):
            if self._heap[0][0] and any(map(self.texts.get, batch)):
                break  # those who wait do not wait for the others
            ahead, _, text = heapq.heappop(self._heap)
            if text in self.texts and not (ahead and self.texts[text]):  # else it stands, or was read, further in front
                batch[text] = None
        return list(batch)

    def found(self, vectors: dict[str, Vector]) -> None:
        """Give vectors to those who wait for them."""
        self._known.keep(vectors.items())
        for text, vector in vectors.items():
            for job in self.texts.pop(text):
                job.found[text] = vector
                job.give()

    def failed(self, texts: list[str], error: Exception) -> None:
        """Tell those who wait that there will be no vectors."""
        for text in texts:
            for job in self.texts.pop(text):
                if not job.done.done() and job.done.set_running_or_notify_cancel():
                    job.done.set_exception(error)


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
