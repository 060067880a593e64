"""One row: ask, store the answer, judge, store the verdicts."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from flags import Answer, Case, Flag, Tools, Verdict, evaluate, unanswered
from service.assistants import Assistant
from service.errors import ServiceError
from service.runs._approvals import Flagged, approved, is_flagged
from service.runs._faults import ENDS_RUN, row_fault
from service.runs._judging import Judging
from service.runs._keeping import KeepingJudge, Shelf, WatchedEmbedder
from service.runs._majority import settled
from service.runs._places import Places
from service.runs._pulse import Pulse, Stopped
from service.runs._text import storable, storable_verdicts
from service.store import RowRecord, Store, Trial


@dataclass(frozen=True, kw_only=True)
class Handling:
    """What the rows of one shard are handled with; `assistant` may be the reason why there is none.

    An answer that somebody of the `company` accepted before stays flagged unless it `clears`.
    """

    assistant: Assistant | ServiceError
    places: Places
    flags: Mapping[str, Flag]
    tools: Tools
    judging: Judging
    company: str = ""
    clears: bool = False

    @property
    def most(self) -> int:
        """How many places there are."""
        return self.places.most


class RowWork:
    """Carries a row from where it stands to its verdicts; whatever goes wrong with it is that row's error alone.

    Errors of the store are not the row's, and those of an endpoint that would fail every call are not either: they pass
    through and end the run.
    """

    def __init__(self, store: Store, pulse: Pulse) -> None:
        self._store = store
        self._pulse = pulse

    async def carry(self, row: RowRecord, handling: Handling, answered: Callable[[], None] = lambda: None) -> None:
        """Ask and judge one row; leave it as it stands when the run was stopped meanwhile.

        `answered` is called when nothing has to be asked any more.
        """
        if handling.judging.trials > 1:
            await self._carry_trials(row, handling)
            return
        try:
            outcome = row.answer or await self._asked(row, handling)
        except Stopped:
            return
        answered()
        if isinstance(outcome, ServiceError):
            await self._settle(row, unanswered(outcome.code, outcome.message, handling.flags))
            return
        answer = await self._store.rows.answer(row.run_id, row.number, outcome, row.lease)
        if answer is not None:
            verdicts = await self._judged(Shelf(row=row), answer, handling)
            await self._settle(row, await self._approved(row, answer, verdicts, handling))

    async def _carry_trials(self, row: RowRecord, handling: Handling) -> None:
        """Ask and judge one row several times, at the same time where there are places; settle it by the majority."""
        known = {trial.trial: trial for trial in row.trials}
        numbers = range(1, handling.judging.trials + 1)
        carried = (self._trial(row, known.get(number, Trial(trial=number)), handling) for number in numbers)
        trials: list[Trial] = []
        for outcome in await asyncio.gather(*carried, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome
            if outcome is not None:
                trials.append(outcome)
        if len(trials) == len(numbers):
            answer, verdicts = await settled(row.question, trials, handling.flags, handling.tools)
            await self._settle(row, await self._approved(row, answer, verdicts, handling), answer)

    async def _trial(self, row: RowRecord, trial: Trial, handling: Handling) -> Trial | None:
        """Bring one trial to its verdicts, storing each step; None when the run was stopped meanwhile."""
        if trial.verdicts:
            return trial
        try:
            outcome = trial.answer or await self._asked(row, handling)
        except Stopped:
            return None
        verdicts: Mapping[str, Verdict] | None
        if isinstance(outcome, ServiceError):
            verdicts = unanswered(outcome.code, outcome.message, handling.flags)
        else:
            trial = replace(trial, answer=outcome)
            await self._store.trials.keep(row, trial)
            verdicts = await self._judged(Shelf(row=row, trial=trial.trial), outcome, handling)
        if verdicts is None:
            return None
        trial = replace(trial, verdicts=storable_verdicts(verdicts), code=verdicts["final"].code)
        await self._store.trials.keep(row, trial)
        return trial

    async def _settle(
        self, row: RowRecord, verdicts: Mapping[str, Verdict] | None, answer: Answer | None = None
    ) -> None:
        if verdicts is not None:
            storable = storable_verdicts(verdicts)
            await self._store.rows.settle(row.run_id, row.number, storable, row.lease, answer=answer)

    async def _asked(self, row: RowRecord, handling: Handling) -> Answer | ServiceError:
        if isinstance(handling.assistant, ServiceError):
            return handling.assistant
        async with handling.places.place():
            await self._pulse.check(row.run_id, row.lease)
            try:
                return storable(await handling.assistant.ask(row.question.text))
            except (*ENDS_RUN, Stopped):
                raise
            except ServiceError as error:
                return error
            except Exception as error:  # noqa: BLE001 - a backend's fault ends its row, never the run
                return row_fault(error, run=row.run_id, row=row.number)

    async def _judged(self, shelf: Shelf, answer: Answer, handling: Handling) -> Mapping[str, Verdict] | None:
        """Return the verdicts on an answer; None when the run was stopped meanwhile."""
        case = Case(question=shelf.row.question, answer=answer)
        return await self._with_judge(shelf, handling, lambda tools: evaluate(case, handling.flags, tools))

    async def _approved(
        self, row: RowRecord, answer: Answer | None, verdicts: Mapping[str, Verdict] | None, handling: Handling
    ) -> Mapping[str, Verdict] | None:
        """Say in the verdicts of a flagged row who accepted this answer before; None when the run was stopped."""
        if verdicts is None or answer is None or not is_flagged(verdicts):
            return verdicts
        known = await self._store.approved.of_question(handling.company, row.space, row.question.text)
        if not known:
            return verdicts
        flagged = Flagged(question=row.question, answer=answer.text, verdicts=verdicts, clears=handling.clears)
        return await self._with_judge(
            Shelf(row=row), handling, lambda tools: approved(flagged, known, handling.flags, tools)
        )

    async def _with_judge(
        self, shelf: Shelf, handling: Handling, work: Callable[[Tools], Awaitable[Mapping[str, Verdict]]]
    ) -> Mapping[str, Verdict] | None:
        """Return what comes of work with a judge that keeps its replies; None when the run was stopped meanwhile."""
        row = shelf.row
        shelf = replace(shelf, cache=handling.judging.cache)
        judge = KeepingJudge(handling.tools.judge, shelf, self._store, self._pulse)
        embedder = WatchedEmbedder(handling.tools.embedder)
        verdicts: Mapping[str, Verdict]
        try:
            verdicts = await work(Tools(judge=handling.judging.judge(judge), embedder=embedder))
        except Exception as error:  # noqa: BLE001 - the same for a fault in the judging of one row
            fault = row_fault(error, run=row.run_id, row=row.number)
            verdicts = unanswered(fault.code, fault.message, handling.flags)
        broken = judge.unstored or judge.closed or embedder.closed
        if broken:
            raise broken
        return None if judge.stopped or embedder.stopped else verdicts
