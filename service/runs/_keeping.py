"""A judge whose replies are kept, so that a reply that was paid for is never asked for again."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flags import CANNOT_TELL, Case, Embedder, Judge, JudgeFailed, Judgement, Rubric, render
from service.errors import ServiceError
from service.runs._faults import ENDS_RUN
from service.runs._pulse import Pulse, Stopped
from service.store import Reply, RowRecord, Store
from service.workbook import clean_text

_FENCE = "0" * 16
"""In place of the random one, so that the same case has the same prompt."""


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """For what replies are kept: a row, or one of its trials. `cache` names whose replies may be taken, "" nobody's."""

    row: RowRecord
    trial: int = 0
    cache: str = ""


class KeepingJudge:
    """Stores each reply before a flag sees it, and takes one that the same judge gave to the same words before.

    Flags turn what goes wrong here into failed verdicts, so it is also told aside: `stopped` that a reply was withheld
    because the run ended, `unstored` the store's error that is no verdict on the row, `closed` the endpoint's that
    would come with every further call.
    """

    def __init__(self, judge: Judge, shelf: Shelf, store: Store, pulse: Pulse) -> None:
        self._judge = judge
        self._row = shelf.row
        self._shelf = shelf
        self._store = store
        self._pulse = pulse
        self.stopped = False
        self.unstored: Exception | None = None
        self.closed: ServiceError | None = None

    @property
    def name(self) -> str:
        """The name of the judge that is asked."""
        return self._judge.name

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Return the reply kept for this row, or ask for it and keep it."""
        asked = hashlib.sha256(render(rubric, case, _FENCE).encode()).hexdigest()
        trial = f" #{self._shelf.trial}" if self._shelf.trial else ""
        key = f"{rubric.name} {rubric.version} {asked[:12]}{trial}"
        kept = self._row.judgements.get(key)
        if kept is not None:
            return kept
        if not await self._pulse.going(self._row.run_id, self._row.lease):
            self.stopped = True
            raise Stopped(self._row.run_id)
        reply = await self._known_or_asked(rubric, case, asked)
        try:
            await self._store.rows.judgement(self._row, key, reply)
        except Exception as error:
            self.unstored = error
            raise
        return reply.said

    async def _known_or_asked(self, rubric: Rubric, case: Case, asked: str) -> Reply:
        cache = self._shelf.cache
        words = "\0".join((cache, rubric.name, rubric.version, asked))
        content = hashlib.sha256(words.encode()).hexdigest() if cache else ""
        known = await self._store.rows.known_reply(content) if content else None
        if known is not None:
            return Reply(said=known, content=content, cached=True)
        said = {field: clean_text(text) for field, text in (await self._asked(rubric, case)).items()}
        # what could not be told today may be told tomorrow: it is kept for its row alone
        return Reply(said=said, content="" if CANNOT_TELL in said.values() else content)

    async def _asked(self, rubric: Rubric, case: Case) -> Judgement:
        try:
            return await self._judge.decide(rubric, case)
        except JudgeFailed as error:
            if isinstance(error.__cause__, ENDS_RUN):
                self.closed = error.__cause__
            raise
        except Stopped:
            self.stopped = True
            raise
        except ENDS_RUN as error:  # of the embedder that a judge borrows
            self.closed = error
            raise


class WatchedEmbedder:
    """Tells aside what flags turn into failed verdicts: `closed`, why nothing can be embedded any more; `stopped`."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.stopped = False
        self.closed: ServiceError | None = None

    @property
    def name(self) -> str:
        """The name of the embedder that is asked."""
        return self._embedder.name

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return what the embedder returns."""
        try:
            return await self._embedder.embed(texts)
        except Stopped:
            self.stopped = True
            raise
        except ENDS_RUN as error:
            self.closed = error
            raise
