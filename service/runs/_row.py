"""One row: ask, store the answer, judge, store the verdicts."""

from collections.abc import Mapping
from dataclasses import dataclass

from flags import Answer, Case, Flag, Tools, Verdict, evaluate, unanswered
from service.assistants import Assistant
from service.errors import ServiceError
from service.runs._faults import ENDS_RUN, row_fault
from service.runs._judging import Judging
from service.runs._keeping import KeepingJudge, WatchedEmbedder
from service.runs._places import Places
from service.runs._pulse import Pulse, Stopped
from service.runs._text import storable, storable_verdicts
from service.store import RowRecord, Store


@dataclass(frozen=True, kw_only=True)
class Handling:
    """What the rows of one shard are handled with; `assistant` may be the reason why there is none."""

    assistant: Assistant | ServiceError
    places: Places
    flags: Mapping[str, Flag]
    tools: Tools
    judging: Judging


class RowWork:
    """Carries a row from where it stands to its verdicts; whatever goes wrong with it is that row's error alone.

    Errors of the store are not the row's, and those of an endpoint that would fail every call are not either: they pass
    through and end the run.
    """

    def __init__(self, store: Store, pulse: Pulse) -> None:
        self._store = store
        self._pulse = pulse

    async def carry(self, row: RowRecord, handling: Handling) -> None:
        """Ask and judge one row; leave it as it stands when the run was stopped meanwhile."""
        outcome: Answer | ServiceError
        try:
            outcome = row.answer or await self._asked(row, handling)
        except Stopped:
            return
        if isinstance(outcome, ServiceError):
            verdicts = unanswered(outcome.code, outcome.message, handling.flags)
            await self._store.rows.settle(row.run_id, row.number, storable_verdicts(verdicts), row.lease)
            return
        answer = await self._store.rows.answer(row.run_id, row.number, outcome, row.lease)
        if answer is not None:
            await self._judge(row, answer, handling)

    async def _asked(self, row: RowRecord, handling: Handling) -> Answer | ServiceError:
        if isinstance(handling.assistant, ServiceError):
            return handling.assistant
        async with handling.places.place():
            await self._pulse.check(row.run_id, row.lease)
            try:
                return storable(await handling.assistant.ask(row.question.text))
            except ENDS_RUN:
                raise
            except ServiceError as error:
                return error
            except Exception as error:  # noqa: BLE001 - a backend's fault ends its row, never the run
                return row_fault(error, run=row.run_id, row=row.number)

    async def _judge(self, row: RowRecord, answer: Answer, handling: Handling) -> None:
        judge = KeepingJudge(handling.tools.judge, row, self._store, self._pulse)
        embedder = WatchedEmbedder(handling.tools.embedder)
        case = Case(question=row.question, answer=answer)
        verdicts: Mapping[str, Verdict]
        try:
            tools = Tools(judge=handling.judging.judge(judge), embedder=embedder)
            verdicts = await evaluate(case, handling.flags, tools)
        except Exception as error:  # noqa: BLE001 - the same for a fault in the judging of one row
            fault = row_fault(error, run=row.run_id, row=row.number)
            verdicts = unanswered(fault.code, fault.message, handling.flags)
        broken = judge.unstored or judge.closed or embedder.closed
        if broken:
            raise broken
        if not judge.stopped:
            await self._store.rows.settle(row.run_id, row.number, storable_verdicts(verdicts), row.lease)
