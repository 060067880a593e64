"""A judge whose replies are kept, so that a reply that was paid for is never asked for again."""

from flags import Case, Judge, JudgeFailed, Judgement, Rubric
from service.errors import EndpointClosed
from service.runs._pulse import Consent
from service.store import RowRecord, Store
from service.workbook import clean_text


class KeepingJudge:
    """Stores each reply before a flag sees it.

    Flags turn what goes wrong here into failed verdicts, so it is also told aside: `unstored` the store's error that is
    no verdict on the row, `closed` the endpoint's that would come with every further call.
    """

    def __init__(self, judge: Judge, row: RowRecord, store: Store, consent: Consent) -> None:
        self._judge = judge
        self._row = row
        self._store = store
        self._consent = consent
        self.unstored: Exception | None = None
        self.closed: EndpointClosed | None = None

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
        await self._consent()
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
            if isinstance(error.__cause__, EndpointClosed):
                self.closed = error.__cause__
            raise
