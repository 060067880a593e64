"""A call to an OpenAI-compatible endpoint: limited, tried again where that can help, ended with a code."""

import asyncio
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
import structlog
from numpy.typing import NDArray

from service.errors import EndpointFailed, EndpointRefusedRequest
from service.llm._clients import Clients
from service.llm._completion import Completion, completion_of
from service.llm._limiter import Limiter
from service.llm._shapes_of_reply import FORMS, WORDS, Message, refuses_form, shaped
from service.llm._trouble import StatusRefused, Trouble, trouble_of, used_up
from service.llm._windows import unit

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 30.0

_log = structlog.get_logger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long one call may take, and for how long after its first failure it is tried again, in seconds."""

    timeout_s: float = 120.0
    retry_budget_s: float = 300.0


class Endpoint:
    """An endpoint as one kind of caller sees it (judge, assistants or embedder), behind a limiter of its own."""

    def __init__(self, clients: Clients, limiter: Limiter, patience: Patience) -> None:
        self._clients = clients
        self._patience = patience
        self._forms: dict[str, str] = {}
        self._fixed_temperature: set[str] = set()
        self.limiter = limiter

    def __repr__(self) -> str:
        return f"Endpoint({self._clients.label})"

    async def complete(self, messages: Sequence[Message], *, model: str, **options: Any) -> Completion:
        """Return the reply to a conversation; `options` are the endpoint's own request fields.

        The option `timeout_s` is ours: the time this call may take in place of the endpoint's usual one.

        Raise `EndpointFailed` with a code of its own for each way to fail. A model that knows no temperature is
        asked without one.
        """
        if model in self._fixed_temperature:
            options.pop("temperature", None)
        try:
            return await self._complete(messages, model, options)
        except EndpointRefusedRequest as refused:
            if "temperature" not in options or "temperature" not in refused.params["problem"]:
                raise
        del options["temperature"]
        reply = await self._complete(messages, model, options)
        self._fixed_temperature.add(model)
        return reply

    async def structured(
        self, messages: Sequence[Message], *, model: str, schema: Mapping[str, Any], **options: Any
    ) -> Completion:
        """Return a reply meant to be JSON of the schema, in the strictest form the endpoint takes.

        A form that the endpoint says it does not know (400) gives way to the next, and the one that worked is
        remembered for the model. A request refused for another reason fails at once.
        """
        forms = FORMS[FORMS.index(self._forms.get(model, FORMS[0])) :]
        for form in forms:
            asked, fields = shaped(form, messages, schema)
            try:
                reply = await self.complete(asked, model=model, **fields, **options)
            except EndpointRefusedRequest as refused:
                if form == WORDS or not refuses_form(refused.params["problem"]):
                    raise
                continue
            self._forms[model] = form
            return reply
        raise AssertionError("the last form returns or raises")

    def in_words(self, model: str) -> None:
        """Ask this model in plain words from now on: it takes the other forms, and does not heed them."""
        self._forms[model] = WORDS

    async def embed(self, texts: Sequence[str], *, model: str) -> NDArray[np.float32]:
        """Return unit rows for texts the model can read whole; raise `EndpointFailed` otherwise."""

        body = {"model": model, "input": list(texts), "encoding_format": "float"}

        def read(body: Any, seconds: float) -> NDArray[np.float32]:
            try:
                data = sorted(body["data"], key=lambda one: one["index"])
                rows = np.asarray([one["embedding"] for one in data], dtype=np.float32)
            except (KeyError, TypeError) as error:
                raise ValueError("not embeddings") from error
            if rows.ndim != 2 or len(rows) != len(texts):
                raise ValueError("not an embedding a text")
            return rows

        return unit(await self._call("/embeddings", body, read))

    async def _complete(self, messages: Sequence[Message], model: str, options: Mapping[str, Any]) -> Completion:
        fields = dict(options)
        timeout_s = fields.pop("timeout_s", None)
        body = {"model": model, "messages": list(messages), **fields}
        return await self._call("/chat/completions", body, completion_of, timeout_s=timeout_s)

    async def _call(
        self, path: str, body: Mapping[str, Any], read: Callable[[Any, float], T], *, timeout_s: float | None = None
    ) -> T:
        content = json.dumps(body).encode()
        patience = self._patience if timeout_s is None else replace(self._patience, timeout_s=timeout_s)
        once = partial(self._once, path, content, read, patience.timeout_s)
        tries, give_up_at = 0, 0.0
        while True:
            tries += 1
            try:
                return await once(again=tries > 1)
            except _Failed as failed:
                trouble = failed.trouble
            now = time.monotonic()
            give_up_at = give_up_at or now + self._patience.retry_budget_s
            wait = _wait(trouble, tries)
            ends = tries >= trouble.tries or now + wait > give_up_at
            _log.info(
                "call failed", endpoint=self._clients.label, model=body["model"], code=trouble.kind.code, tries=tries
            )
            if ends:
                raise self._error(trouble, body["model"], tries, patience)
            await asyncio.sleep(wait)

    async def _once(
        self, path: str, content: bytes, read: Callable[[Any, float], T], timeout_s: float, *, again: bool
    ) -> T:
        from aiohttp import ClientError

        async with self.limiter.turn(again=again) as started:
            try:
                async with asyncio.timeout(timeout_s):
                    received = await self._clients.post(path, content)
                if received.status >= 300:
                    raise StatusRefused(received)
                reply = read(_decoded(received.content), time.monotonic() - started)
            except (StatusRefused, ClientError, OSError, ValueError) as error:  # TimeoutError is an OSError
                trouble = trouble_of(error)
                self._learn(trouble, started)
                raise _Failed(trouble) from error
            self.limiter.succeeded()
            if wait := used_up(received.headers):
                self.limiter.pause(wait)
            return reply

    def _learn(self, trouble: Trouble, started: float) -> None:
        if trouble.kind.code == "endpoint_rate_limited":
            self.limiter.refused(started)
        if trouble.wait:
            self.limiter.pause(trouble.wait)

    def _error(self, trouble: Trouble, model: str, tries: int, patience: Patience) -> EndpointFailed:
        told = {"endpoint": self._clients.label, "model": model, "tries": tries, "variable": self._clients.variable}
        return trouble.kind(**{"seconds": patience.timeout_s, **told, **trouble.params})


def _decoded(content: bytes) -> Any:
    """Return the JSON of a reply; raise `ValueError` when it is none."""
    from pydantic_core import from_json

    try:
        return from_json(content)  # reads a vector's numbers five times as fast as the standard library
    except ValueError:
        return json.loads(content)  # which takes half characters


class _Failed(Exception):
    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.kind.code)
        self.trouble = trouble


def _wait(trouble: Trouble, tries: int) -> float:
    """Return how long to wait: what the endpoint asked for, else twice as long each time; spread a little."""
    longest = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2 ** min(tries - 1, 10))
    spread = random.random()  # noqa: S311  # nothing is kept secret by it
    return longest * (0.5 + spread / 2) if trouble.wait is None else trouble.wait + min(1.0, trouble.wait) * spread / 4
