"""A language model as judge: a strict schema, one chance to mend a malformed reply, then failed and never guessed."""

import json
import re
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
    JudgeTextTooLong,
    JudgeTruncated,
    ServiceError,
)
from service.llm._completion import Completion

_SYSTEM = (
    "You are a careful judge of answers given to benchmark questions. Follow the rules of the task to the letter, "
    "rest every finding on words that stand in the texts, and reply in the form asked for."
)
_MEND = "That reply cannot be used: {problem} Give the whole reply again, in the form asked for, and nothing else."
_FENCE = re.compile(r"\A[^`{]{0,500}```(?:json)?\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL | re.IGNORECASE)

_log = structlog.get_logger(__name__)

Message = Mapping[str, Any]


class Structured(Protocol):
    """The part of an endpoint the judge needs."""

    async def structured(
        self, messages: Sequence[Message], *, model: str, schema: Mapping[str, Any], **options: Any
    ) -> Completion:
        """Return a reply meant to be JSON of the schema."""
        ...


class Unusable(Exception):
    """A reply that is not what the rubric asks for; the text says what is wrong with it."""


class LlmJudge:
    """Asks a model each rubric at temperature 0 and checks the reply; whatever goes wrong is `JudgeFailed`."""

    def __init__(self, endpoint: Structured, model: str, *, max_chars: int = 400_000) -> None:
        self._endpoint = endpoint
        self._model = model
        self._max_chars = max_chars

    @property
    def name(self) -> str:
        """Return which judge this is."""
        return f"llm {self._model}"

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Return a value for each field of the rubric, or raise `JudgeFailed` with the code of what went wrong."""
        prompt = render(rubric, case, secrets.token_hex(8))
        if len(prompt) > self._max_chars:
            raise _failed(JudgeTextTooLong(length=len(prompt), limit=self._max_chars))
        messages: list[Message] = [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": prompt}]
        reply = await self._ask(messages, rubric)
        try:
            return read_judgement(reply.text, rubric)
        except Unusable as problem:
            _log.info("judge asked again", judge=self.name, rubric=rubric.name)
            said = {"role": "assistant", "content": reply.text.strip() or "(nothing)"}
            wish = {"role": "user", "content": _MEND.format(problem=problem)}
        mended = await self._ask([*messages, said, wish], rubric)
        try:
            return read_judgement(mended.text, rubric)
        except Unusable as problem:
            told = {"model": self._model, "rubric": rubric.name}
            empty = not mended.text.strip()
            raise _failed(JudgeEmpty(**told) if empty else JudgeMalformed(problem=problem, **told)) from None

    async def _ask(self, messages: Sequence[Message], rubric: Rubric) -> Completion:
        """Return a complete reply; one that was cut short, filtered or refused is none."""
        told = {"model": self._model, "rubric": rubric.name}
        try:
            reply = await self._endpoint.structured(
                messages, model=self._model, schema=schema_of(rubric), temperature=0
            )
        except EndpointFailed as error:
            raise _failed(error) from error
        if reply.finish_reason == "length":
            raise _failed(JudgeTruncated(**told))
        if reply.finish_reason == "content_filter":
            raise _failed(JudgeFiltered(**told))
        if reply.refusal:
            raise _failed(JudgeRefused(problem=reply.refusal[:300], **told))
        return reply


def schema_of(rubric: Rubric) -> dict[str, Any]:
    """Return the strict JSON schema of a rubric's reply, its fields in their order."""
    fields = {
        field.name: {
            "type": "string",
            "description": field.description,
            **({"enum": list(field.choices)} if field.choices else {}),
        }
        for field in rubric.fields
    }
    return {
        "type": "object",
        "title": rubric.name,
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def read_judgement(text: str, rubric: Rubric) -> Judgement:
    """Return the rubric's fields in a reply; raise `Unusable` unless every one of them is there and allowed.

    A choice is compared as a whole, without regard to case: a verdict is never looked for inside other words.
    """
    if not text.strip():
        raise Unusable("it is empty.")
    fenced = _FENCE.match(text.strip())
    try:
        reply = json.loads(fenced[1] if fenced else text)
    except json.JSONDecodeError:
        raise Unusable("it is not JSON.") from None
    if not isinstance(reply, dict):
        raise Unusable("it is not a JSON object.")
    return {field.name: _value(reply, field.name, field.choices) for field in rubric.fields}


def _value(reply: Mapping[str, Any], name: str, choices: Sequence[str]) -> str:
    if name not in reply:
        raise Unusable(f"the field “{name}” is missing.")
    value = reply[name]
    if not isinstance(value, str):
        raise Unusable(f"the field “{name}” is not a text.")
    if not choices:
        return value
    said = value.strip().casefold()
    meant = [choice for choice in choices if choice.casefold() == said]
    if not meant:
        raise Unusable(f"the field “{name}” is none of: {', '.join(choices)}.")
    return meant[0]


def _failed(error: ServiceError) -> JudgeFailed:
    return JudgeFailed(error.code, error.message)
