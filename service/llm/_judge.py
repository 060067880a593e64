"""A language model as judge: a strict schema, one chance to mend a malformed reply, then failed and never guessed."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import structlog

from flags import Case, JudgeFailed, Judgement, Rubric, render
from service.errors import (
    EndpointFailed,
    JudgeEmpty,
    JudgeFiltered,
    JudgeMalformed,
    JudgeRefused,
    JudgeTruncated,
    ServiceError,
)
from service.llm._completion import Completion
from service.llm._reply import NoJson, Unusable, read_judgement, schema_of
from service.llm._shapes_of_reply import in_words

_SYSTEM = (
    "You are a careful judge of answers given to benchmark questions. Follow the rules of the task to the letter, "
    "rest every finding on words that stand in the texts, and reply in the form asked for."
)
_MEND = "That reply cannot be used: {problem} Give the whole reply again. {wish}"
_CUT = frozenset({"length", "max_tokens"})
_FILTERED = frozenset({"content_filter", "safety"})
_DEAF = 3
"""So many replies without any JSON, mended once the schema was put into words, say that the form is not heeded."""

_log = structlog.get_logger(__name__)

Message = Mapping[str, Any]


class Structured(Protocol):
    """The part of an endpoint the judge needs."""

    async def structured(
        self, messages: Sequence[Message], *, model: str, schema: Mapping[str, Any], **options: Any
    ) -> Completion:
        """Return a reply meant to be JSON of the schema."""
        ...

    def in_words(self, model: str) -> None:
        """Put the schema into words for this model from now on."""
        ...


class LlmJudge:
    """Asks a model each rubric at temperature 0 and checks the reply; whatever goes wrong is `JudgeFailed`."""

    def __init__(self, endpoint: Structured, model: str) -> None:
        self._endpoint = endpoint
        self._model = model
        self._unheeded = 0

    @property
    def name(self) -> str:
        """Return which judge this is."""
        return f"llm {self._model}"

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Return a value for each field of the rubric, or raise `JudgeFailed` with the code of what went wrong."""
        prompt = render(rubric, case, secrets.token_hex(8))
        messages: list[Message] = [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": prompt}]
        reply = await self._ask(messages, rubric)
        try:
            return read_judgement(reply.text, rubric, prompt)
        except Unusable as problem:
            _log.info("judge asked again", judge=self.name, rubric=rubric.name)
            unusable = problem
        said = {"role": "assistant", "content": reply.text.strip() or "(nothing)"}
        wish = {"role": "user", "content": _MEND.format(problem=unusable, wish=in_words(schema_of(rubric)))}
        mended = await self._ask([*messages, said, wish], rubric)
        try:
            judgement = read_judgement(mended.text, rubric, prompt)
        except Unusable as problem:
            told = {"model": self._model, "rubric": rubric.name}
            empty = not mended.text.strip()
            raise _failed(JudgeEmpty(**told) if empty else JudgeMalformed(problem=problem, **told)) from None
        self._learn(isinstance(unusable, NoJson))
        return judgement

    def _learn(self, unheeded: bool) -> None:
        """Note whether the endpoint takes the form of the reply without heeding it: then each verdict is paid twice."""
        self._unheeded = self._unheeded + 1 if unheeded else 0
        if self._unheeded >= _DEAF:
            self._endpoint.in_words(self._model)

    async def _ask(self, messages: Sequence[Message], rubric: Rubric) -> Completion:
        """Return a complete reply; one that was cut short, filtered or refused is none."""
        told = {"model": self._model, "rubric": rubric.name}
        try:
            reply = await self._endpoint.structured(
                messages, model=self._model, schema=schema_of(rubric), temperature=0
            )
        except EndpointFailed as error:
            raise _failed(error) from error
        if reply.finish_reason.casefold() in _CUT:
            raise _failed(JudgeTruncated(**told))
        if reply.finish_reason.casefold() in _FILTERED:
            raise _failed(JudgeFiltered(**told))
        if reply.refusal:
            raise _failed(JudgeRefused(problem=reply.refusal[:300], **told))
        return reply


def _failed(error: ServiceError) -> JudgeFailed:
    return JudgeFailed(error.code, error.message)
