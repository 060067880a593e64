"""A judge whose replies are kept, so that a reply that was paid for is never asked for again."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flags import Case, Embedder, Judge, JudgeFailed, Judgement, Rubric
from service.errors import ServiceError
from service.runs._faults import ENDS_RUN
from service.runs._pulse import Pulse, Stopped
from service.store import RowRecord, Store
from service.workbook import clean_text


class KeepingJudge:
    """Stores each reply before a flag sees it.

    Flags turn what goes wrong here into failed verdicts, so it is also told aside: `stopped` that a reply was withheld
    because the run ended, `unstored` the store's error that is no verdict on the row, `closed` the endpoint's that
    would come with every further call.
    """

    def __init__(self, judge: Judge, row: RowRecord, store: Store, pulse: Pulse) -> None:
        self._judge = judge
        self._row = row
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
        key = f"{rubric.name} {rubric.version}"
        kept = self._row.judgements.get(key)
        if kept is not None:
            return kept
        if not await self._pulse.going(self._row.run_id, self._row.lease):
            self.stopped = True
            raise Stopped(self._row.run_id)
        said = await self._asked(rubric, case)
        reply = {field: clean_text(text) for field, text in said.items()}
        try:
            await self._store.rows.judgement(self._row, key, reply)
        except Exception as error:
            self.unstored = error
            raise
        return reply

    async def _asked(self, rubric: Rubric, case: Case) -> Judgement:
        try:
            return await self._judge.decide(rubric, case)
        except JudgeFailed as error:
            if isinstance(error.__cause__, ENDS_RUN):
                self.closed = error.__cause__
            raise
        except ENDS_RUN as error:  # of the embedder that a judge borrows
            self.closed = error
            raise


class WatchedEmbedder:
    """Tells aside, as `closed`, that no text can be embedded any more: flags turn that into failed verdicts."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.closed: ServiceError | None = None

    @property
    def name(self) -> str:
        """The name of the embedder that is asked."""
        return self._embedder.name

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return what the embedder returns."""
        try:
            return await self._embedder.embed(texts)
        except ENDS_RUN as error:
            self.closed = error
            raise
