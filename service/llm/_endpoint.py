"""A call to an OpenAI-compatible endpoint: limited, tried again where that can help, ended with a code."""

import asyncio
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import structlog
from numpy.typing import NDArray

from service.errors import EmbedderUnreachable, EndpointFailed, EndpointRefusedRequest, EndpointUnreachable
from service.llm._clients import Clients
from service.llm._completion import Completion, charge_of, completion_of
from service.llm._consent import look_for_consent
from service.llm._errand import Charge, Errand, this_errand
from service.llm._habits import Habits
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
    """How long one call may take, and how much time a row may lose to calls that are made again, in seconds.

    `reply_tokens` are put aside for a reply where a run's cost is limited.
    """

    timeout_s: float = 120.0
    retry_budget_s: float = 300.0
    reply_tokens: int = 4096


class Meter(Protocol):
    """Hears of every call that was sent and of what was charged."""

    def called(self, endpoint: "Endpoint", outcome: str, seconds: float) -> None:
        """Note a call that ended: `ok`, `broken_off`, or the code it failed with."""
        ...

    def charged(self, charge: Charge) -> None:
        """Note the tokens of a call."""
        ...


class Unheard:
    """A meter that listens to nothing."""

    def called(self, endpoint: "Endpoint", outcome: str, seconds: float) -> None:
        """Pass over it."""

    def charged(self, charge: Charge) -> None:
        """Pass over it."""


class Endpoint:
    """An endpoint as one kind of caller sees it (judge, assistants or embedder), behind a limiter of its own."""

    def __init__(
        self, clients: Clients, limiter: Limiter, patience: Patience, *, caller: str, meter: Meter | None = None
    ) -> None:
        self._clients = clients
        self._patience = patience
        self._meter = meter or Unheard()
        self._habits: dict[str, Habits] = {}
        self._forms: dict[str, str] = {}
        self._fixed_temperature: set[str] = set()
        self.limiter = limiter
        self.caller = caller
        self.label = clients.label

    def __repr__(self) -> str:
        return f"Endpoint({self.label})"

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

        return unit(await self._call(_Request("/embeddings", body, read, self._patience.timeout_s)))

    async def _complete(self, messages: Sequence[Message], model: str, options: Mapping[str, Any]) -> Completion:
        fields = dict(options)
        timeout_s = fields.pop("timeout_s", None)
        body = {"model": model, "messages": list(messages), **fields}
        request = _Request("/chat/completions", body, completion_of, timeout_s or self._patience.timeout_s)
        return await self._call(request)

    async def _call(self, request: "_Request[T]") -> T:
        """Return what is read of the reply; what fails is tried again as long as the row has patience."""
        errand, tries = this_errand(), 0
        with ExitStack() as failing:
            while True:
                tries += 1
                try:
                    return await self._paid(request, errand, again=tries > 1)
                except _Failed as failed:
                    trouble = failed.trouble
                if tries == 1:
                    failing.enter_context(errand.failing())
                wait = _wait(trouble, tries)
                ends = tries >= trouble.tries or errand.lost + wait > self._patience.retry_budget_s
                _log.info("call failed", endpoint=self.label, model=request.model, code=trouble.kind.code, tries=tries)
                if ends:
                    raise self._error(trouble, request, tries)
                await asyncio.sleep(wait)

    async def _paid(self, request: "_Request[T]", errand: Errand, *, again: bool) -> T:
        """Return the reply; what it may cost at most is put aside before anything is sent."""
        habits = self._habits.setdefault(request.model, Habits(self._patience.reply_tokens))
        tokens_in, tokens_out = habits.expect(len(request.content), request.body)
        most = Charge(caller=self.caller, model=request.model, input=tokens_in, output=tokens_out)
        async with self.limiter.turn(again=again) as started:
            reserved = await errand.reserve(most)
            try:
                await look_for_consent()
            except BaseException:
                errand.pay(reserved, None)
                raise
            try:
                reply, charge = await self._once(request, started)
            except _Failed as failed:
                if failed.trouble.unsure:
                    errand.lose(reserved)
                else:
                    errand.pay(reserved, None)
                raise
            except BaseException:
                errand.lose(reserved)
                raise
        habits.learn(len(request.content), charge.input, charge.output)
        errand.pay(reserved, charge)
        self._meter.charged(charge)
        return reply

    async def _once(self, request: "_Request[T]", started: float) -> tuple[T, Charge]:
        from aiohttp import ClientError

        outcome = "broken_off"
        try:
            async with asyncio.timeout(request.timeout_s):
                received = await self._clients.post(request.path, request.content)
            if received.status >= 300:
                raise StatusRefused(received)
            body = _decoded(received.content)
            reply = request.read(body, time.monotonic() - started)
            outcome = "ok"
        except (StatusRefused, ClientError, OSError, ValueError) as error:  # TimeoutError is an OSError
            trouble = trouble_of(error)
            outcome = trouble.kind.code
            self._learn(trouble, started)
            raise _Failed(trouble) from error
        finally:
            self._meter.called(self, outcome, time.monotonic() - started)
        self.limiter.succeeded()
        if wait := used_up(received.headers):
            self._pause(wait)
        return reply, charge_of(body, self.caller, request.model)

    def _learn(self, trouble: Trouble, started: float) -> None:
        if trouble.kind.code == "endpoint_rate_limited":
            self.limiter.refused(started)
        if trouble.wait:
            self._pause(trouble.wait)

    def _pause(self, seconds: float) -> None:
        """Let nobody in for a while, though never for longer than a row is patient: it is to fail, not to hang."""
        self.limiter.pause(min(seconds, self._patience.retry_budget_s))

    def _error(self, trouble: Trouble, request: "_Request[Any]", tries: int) -> EndpointFailed:
        told = {"endpoint": self.label, "model": request.model, "tries": tries, "variable": self._clients.variable}
        kind = trouble.kind
        if kind is EndpointUnreachable and self.caller == "embedder":
            kind = EmbedderUnreachable  # no row can be judged without, so that the run may stop at the first
        return kind(**{"seconds": request.timeout_s, **told, **trouble.params})


def _decoded(content: bytes) -> Any:
    """Return the JSON of a reply; raise `ValueError` when it is none."""
    from pydantic_core import from_json

    try:
        return from_json(content)  # reads a vector's numbers five times as fast as the standard library
    except ValueError:
        return json.loads(content)  # which takes half characters


def _encoded(body: Mapping[str, Any]) -> bytes:
    from pydantic_core import to_json

    try:
        return to_json(body)
    except ValueError:
        return json.dumps(body).encode()  # which takes half characters


class _Request(Generic[T]):
    def __init__(self, path: str, body: Mapping[str, Any], read: Callable[[Any, float], T], timeout_s: float) -> None:
        self.path = path
        self.body = body
        self.content = _encoded(body)
        self.model = str(body["model"])
        self.read = read
        self.timeout_s = timeout_s


class _Failed(Exception):
    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.kind.code)
        self.trouble = trouble


def _wait(trouble: Trouble, tries: int) -> float:
    """Return how long to wait: what the endpoint asked for, else twice as long each time; spread a little."""
    longest = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2 ** min(tries - 1, 10))
    spread = random.random()  # noqa: S311  # nothing is kept secret by it
    return longest * (0.5 + spread / 2) if trouble.wait is None else trouble.wait + min(1.0, trouble.wait) * spread / 4
