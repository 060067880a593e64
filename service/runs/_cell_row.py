"""One cell: build its document, ask, store the answer, score it, store the score."""

import asyncio
import hashlib
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from flags import Answer, Tools, Verdict
from flags.niah import Borrowed, NiahError, Score, Spec, Trial, discover_tasks
from flags.niah import score as score_response
from service.assistants import Assistant, Reader, Space
from service.errors import (
    AnswerEmpty,
    AssistantUnreachable,
    EndpointClosed,
    NiahAnswerCut,
    NiahWindowExceeded,
    ServiceError,
    niah_problem,
)
from service.runs._builder import Asked, Builder, without_document
from service.runs._cells import NiahPlan, spec_from_json
from service.runs._experiment import borrowed_of
from service.runs._faults import row_fault
from service.runs._keeping import KeepingJudge, Shelf
from service.runs._places import Places
from service.runs._pulse import Pulse, Stopped
from service.runs._text import storable, storable_verdicts
from service.store import RowRecord, Store

T = TypeVar("T")

_TOLD = ("model", "finish_reason", "tokens", "call_seconds")
"""What is kept of an assistant's own record; its messages hold the document."""


@dataclass(frozen=True, kw_only=True)
class CellHandling:
    """What the cells of one shard are handled with; `places` are those of the space, and of the run where it has own.

    `assistant` may be the reason why there is none.
    """

    assistant: Assistant | ServiceError
    places: tuple[Places, ...]
    tools: Tools
    space: Space
    plan: NiahPlan
    company: str

    @property
    def most(self) -> int:
        """How many places there are."""
        return min(places.most for places in self.places)


class CellWork:
    """Carries a cell from where it stands to its score; what goes wrong with it is that cell's error alone.

    Errors of the store, and those of an endpoint that would fail every call, pass through and end the run.
    """

    def __init__(self, store: Store, pulse: Pulse) -> None:
        self._store = store
        self._pulse = pulse
        self._builder = Builder(store)

    async def carry(self, row: RowRecord, handling: CellHandling, answered: Callable[[], None] = lambda: None) -> None:
        """Ask and score one cell; leave it as it stands when the run was stopped meanwhile.

        `answered` is called when nothing has to be asked any more.
        """
        spec = spec_from_json(row.cell or {})
        try:
            verdicts = await self._carried(row, spec, handling, answered)
        except Stopped:
            return
        await self._store.rows.settle(row.run_id, row.number, storable_verdicts(verdicts), row.lease)

    async def _carried(
        self, row: RowRecord, spec: Spec, handling: CellHandling, answered: Callable[[], None]
    ) -> Mapping[str, Verdict]:
        if row.answer is None:
            found = await self._own(row, self._asked(row, spec, handling))
            answered()
            if isinstance(found, ServiceError):
                return unscored(found)
            key, trial, new = found
            answer = await self._store.rows.answer(row.run_id, row.number, new, row.lease, content_key=key)
            if answer is None:
                raise Stopped(row.run_id)
        else:
            answer = row.answer
            again = await self._own(row, self._trial(spec, handling))
            if isinstance(again, ServiceError):
                return unscored(again)
            trial = again
        return await self._scored(row, spec, (trial, answer), handling)

    async def _own(self, row: RowRecord, work: Awaitable[T]) -> T | ServiceError:
        """Return what came of a step, or the error that is the cell's own."""
        try:
            return await work
        except (Stopped, EndpointClosed):
            raise
        except ServiceError as error:
            return error
        except Exception as error:  # noqa: BLE001 - a backend's fault ends its cell, never the run
            return row_fault(error, run=row.run_id, row=row.number)

    async def _trial(self, spec: Spec, handling: CellHandling) -> Trial:
        async with self._builder.room.hold(spec.context_length):
            return without_document(await self._builder.build(spec, handling.company, handling.plan.corpora))

    async def _asked(self, row: RowRecord, spec: Spec, handling: CellHandling) -> tuple[str, Trial, Answer]:
        """Return the answer of a cell with its trial and the key it is kept under."""
        assistant = handling.assistant
        if isinstance(assistant, ServiceError):
            raise assistant
        _guard(spec.context_length if discover_tasks()[spec.task].has_filler else 0, handling)
        async with AsyncExitStack() as stack:
            for places in handling.places:
                await stack.enter_async_context(places.place())
            await stack.enter_async_context(self._builder.room.hold(spec.context_length))
            await self._pulse.check(row.run_id, row.lease)
            asked = await self._builder.build(spec, handling.company, handling.plan.corpora)
            _guard(asked.tokens, handling)
            key = content_key(handling.space, asked, spec.trial)
            kept = await self._store.rows.known(handling.company, key) if handling.plan.cache else None
            answer = _from_cache(kept) if kept else await _answer(assistant, asked, handling)
            return key, without_document(asked), answer

    async def _scored(
        self, row: RowRecord, spec: Spec, said: tuple[Trial, Answer], handling: CellHandling
    ) -> Mapping[str, Verdict]:
        trial, answer = said
        problem = _unusable(answer, handling.space)
        if problem:
            return unscored(problem)
        judge = KeepingJudge(handling.tools.judge, Shelf(row=row), self._store, self._pulse)
        borrowed = borrowed_of(handling.tools)
        if borrowed.judge:
            borrowed = replace(borrowed, judge=judge)
        score = await self._own(row, _score(spec, trial, answer.text, borrowed))
        broken = judge.unstored or judge.closed
        if broken:
            raise broken
        if judge.stopped:
            raise Stopped(row.run_id)
        return unscored(score) if isinstance(score, ServiceError) else scored(score)


async def _answer(assistant: Assistant, asked: Asked, handling: CellHandling) -> Answer:
    """Return what the assistant answers: to the whole prompt, or to the question about a document it indexes."""
    started = time.perf_counter()
    try:
        async with asyncio.timeout(_patience(handling)):
            if isinstance(assistant, Reader):
                answer = await assistant.ask_about(asked.trial.question, asked.trial.document)
            else:
                answer = await assistant.ask(asked.prompt)
    except TimeoutError:
        problem = f"it took longer than {handling.plan.timeout_seconds:g} s"
        raise AssistantUnreachable(space=handling.space.name, problem=problem) from None
    return storable(_slim(answer, asked, time.perf_counter() - started))


async def _score(spec: Spec, trial: Trial, response: str, borrowed: Borrowed) -> Score:
    try:
        return await score_response(spec, trial, response, borrowed)
    except NiahError as error:
        raise niah_problem(error) from None


def _guard(tokens: int, handling: CellHandling) -> None:
    """Raise `NiahWindowExceeded` where prompt and answer do not fit into the window."""
    window, longest = handling.plan.window(handling.space), handling.plan.max_tokens
    if window is not None and tokens + longest > window:
        raise NiahWindowExceeded(prompt=tokens, answer=longest, window=window, space=handling.space.name)


def _unusable(answer: Answer, space: Space) -> ServiceError | None:
    """Return why an answer is not scored: it was cut, or there is none."""
    if answer.messages.get("finish_reason") == "length":
        return NiahAnswerCut(tokens=(answer.messages.get("tokens") or {}).get("completion") or "its last")
    if not answer.text.strip():
        return AnswerEmpty(space=space.name, model=answer.messages.get("model") or "unknown")
    return None


def _patience(handling: CellHandling) -> float | None:
    """Return how long an assistant may take, None where its endpoint counts each call itself."""
    is_counted = "timeout_s" in handling.space.settings.get("options", {})
    return None if is_counted else handling.plan.timeout_seconds


def content_key(space: Space, asked: Asked, trial: int) -> str:
    """Return what an answer depends on: who is asked, with which settings, what, and which trial it is."""
    who = json.dumps([space.backend, space.settings], sort_keys=True, default=str)
    return hashlib.sha256(f"{who}\0{asked.sha256}\0{trial}".encode()).hexdigest()


def _from_cache(answer: Answer) -> Answer:
    return replace(answer, messages={**answer.messages, "cached": True})


def _slim(answer: Answer, asked: Asked, seconds: float) -> Answer:
    """Return the answer without the document; what the sheet shows of the cell is kept with it."""
    told: dict[str, Any] = {name: answer.messages[name] for name in _TOLD if name in answer.messages}
    trial = asked.trial
    cell = {
        "question": trial.question,
        "expected": list(trial.expected),
        "depths": [round(needle.depth, 6) for needle in trial.needles],
        "prompt_tokens": asked.tokens,
        "sha256": asked.sha256,
    }
    return Answer(text=answer.text, messages={**told, "seconds": round(seconds, 3), "cell": cell})


def scored(score: Score) -> dict[str, Verdict]:
    """Return the verdicts of a scored cell; a score that could not be given carries its code."""
    about = {"category": Verdict.given(False, score.category), "scorer": Verdict.given(False, score.scorer)}
    if score.score is None:
        failed = Verdict.failed(score.code, score.explanation)
        return {"score": failed, **about, "final": Verdict.given(True, score.explanation, code=score.code)}
    wrong = score.score < 1
    given = Verdict.given(wrong, score.explanation, score=score.score)
    return {"score": given, **about, "final": Verdict.given(wrong, score.explanation)}


_CATEGORIES = {
    NiahWindowExceeded.code: "skipped",
    NiahAnswerCut.code: "cut",
    AnswerEmpty.code: "empty",
}


def unscored(error: ServiceError) -> dict[str, Verdict]:
    """Return the verdicts of a cell without a score."""
    return without_score(error.code, error.message)


def without_score(code: str, message: str) -> dict[str, Verdict]:
    """Return the verdicts of a cell that has an error instead of a score."""
    return {
        "score": Verdict.failed(code, message),
        "category": Verdict.given(False, _CATEGORIES.get(code, "failed")),
        "final": Verdict.given(True, message, code=code),
    }
