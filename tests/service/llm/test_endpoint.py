"""Calls to a real server on this machine."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from service.errors import (
    EndpointBroken,
    EndpointClosed,
    EndpointFailed,
    EndpointKeyRejected,
    EndpointRateLimited,
    EndpointRefusedRequest,
    EndpointTimeout,
    EndpointUnreachable,
    KeyMissing,
)
from service.llm import Endpoint, Endpoints, with_consent

KEY = "FLAGBOOK_TEST_KEY"
SCHEMA = {"type": "object", "title": "t", "properties": {"verdict": {"type": "string", "enum": ["no_way", "yes"]}}}

pytestmark = pytest.mark.usefixtures("shared_openai_server")


async def test_a_question_is_answered_with_its_cost(endpoint: Endpoint) -> None:
    """Text, model, tokens and time come back."""
    reply = await endpoint.complete(said("hello"), model="m")
    assert reply.text == "This is what is known about “hello”."
    assert reply.model == "m"
    assert reply.completion_tokens == len(reply.text) // 4
    assert reply.seconds > 0


async def test_after_429_the_call_waits_as_asked_and_succeeds(endpoint: Endpoint, shared_openai_server: Any) -> None:
    """Every third request is refused, and every question is answered all the same."""
    shared_openai_server.reset(every_429=3, retry_after=0.02)
    replies = await asyncio.gather(*(endpoint.complete(said(f"q{at}"), model="m") for at in range(12)))
    stats = shared_openai_server.stats()
    assert len(replies) == 12
    assert stats["r429"] >= 3
    assert stats["questions"] == {f"q{at}": 1 for at in range(12)}
    assert endpoint.limiter.limit < 4


@pytest.mark.parametrize(
    ("knob", "counter"), [("every_500", "r500"), ("every_drop", "dropped")], ids=["500", "connection reset"]
)
async def test_what_may_pass_is_tried_again(
    endpoint: Endpoint, shared_openai_server: Any, knob: str, counter: str
) -> None:
    """Every second request fails, none of the questions does."""
    shared_openai_server.reset(**{knob: 2})
    for at in range(3):
        await endpoint.complete(said(f"q{at}"), model="m")
    assert shared_openai_server.stats()[counter] == 2


async def test_no_more_calls_reach_the_server_than_allowed(endpoint: Endpoint, shared_openai_server: Any) -> None:
    """The limit holds where it matters: on the wire."""
    shared_openai_server.reset(latency_ms=10)
    await asyncio.gather(*(endpoint.complete(said(f"q{at}"), model="m") for at in range(20)))
    assert shared_openai_server.stats()["max_in_flight"] == 4


async def test_a_call_that_nobody_wants_any_more_is_not_made(endpoint: Endpoint, shared_openai_server: Any) -> None:
    """It waited for its turn, or to be repeated, while the one who wanted it changed their mind."""
    shared_openai_server.reset(latency_ms=100)
    wanted = True

    async def consent() -> None:
        if not wanted:
            raise NoLongerWanted

    with with_consent(consent):
        calls = [asyncio.ensure_future(endpoint.complete(said(f"q{at}"), model="m")) for at in range(12)]
        await asyncio.sleep(0.05)
        wanted = False
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert shared_openai_server.stats()["chat"] == 4
    assert [isinstance(outcome, NoLongerWanted) for outcome in outcomes] == [False] * 4 + [True] * 8
    assert endpoint.limiter.in_flight == 0


class NoLongerWanted(Exception):
    """Whoever wanted a call changed their mind."""


async def test_judge_and_assistants_have_limits_of_their_own_on_one_endpoint(
    endpoints: Endpoints, shared_openai_server: Any
) -> None:
    """Judging does not starve asking; two spaces on one endpoint share a limit."""
    base_url = shared_openai_server.base_url
    judge = endpoints.open(base_url, KEY, caller="judge", concurrency=2)
    space = endpoints.lane("assistants").open(base_url, KEY, concurrency=2)
    same = endpoints.lane("assistants").open(base_url + "/", KEY, concurrency=3)
    assert space is same
    assert judge is not space
    shared_openai_server.reset(latency_ms=50)
    await asyncio.gather(*(one.complete(said("q"), model="m") for one in (judge, space) for _ in range(6)))
    assert shared_openai_server.stats()["max_in_flight"] == 5


async def test_a_limit_for_the_whole_endpoint_holds_over_judge_and_assistants(shared_openai_server: Any) -> None:
    """A provider counts calls, whoever makes them; embeddings have their own limit."""
    base_url = shared_openai_server.base_url
    endpoints = Endpoints(together=3)
    open_ones = [endpoints.open(base_url, KEY, caller=caller, concurrency=8) for caller in ("judge", "assistants")]
    embedder = endpoints.open(base_url, KEY, caller="embedder")
    shared_openai_server.reset(latency_ms=20)
    calls = [one.complete(said("q"), model="m") for one in open_ones for _ in range(8)]
    await asyncio.gather(*calls, embedder.embed(["a"], model="m"))
    assert shared_openai_server.stats()["max_chat_in_flight"] == 3
    await endpoints.aclose()


IMPATIENT = [
    ({"every_500": 1}, EndpointBroken),
    ({"every_429": 1, "retry_after": 0}, EndpointRateLimited),
    ({"every_429": 1, "retry_after": 3600}, EndpointRateLimited),
    ({"every_drop": 1}, EndpointUnreachable),
    ({"latency_ms": 5000}, EndpointTimeout),
]


@pytest.mark.parametrize(("knobs", "kind"), IMPATIENT, ids=lambda value: str(value))
async def test_a_call_ends_with_a_code_when_its_time_is_up(
    shared_openai_server: Any, knobs: dict[str, float], kind: type[EndpointFailed]
) -> None:
    """The sentence says which endpoint it was and how often it was tried."""
    shared_openai_server.reset(**knobs)
    async with opened(shared_openai_server.base_url, timeout_s=0.1, retry_budget_s=0.1) as endpoint:
        with pytest.raises(kind) as caught:
            await endpoint.complete(said("q"), model="m")
    assert caught.value.params["tries"] == 1
    assert "127.0.0.1" in caught.value.message
    assert not isinstance(caught.value, EndpointClosed)


async def test_one_call_may_have_a_time_of_its_own(shared_openai_server: Any) -> None:
    """Shorter or longer than the endpoint's; the option itself is not sent."""
    shared_openai_server.reset(latency_ms=300)
    async with opened(shared_openai_server.base_url, timeout_s=0.05, retry_budget_s=0) as endpoint:
        assert (await endpoint.complete(said("q"), model="m", timeout_s=20)).text
        with pytest.raises(EndpointTimeout, match=r"0\.1"):
            await endpoint.complete(said("q"), model="m", timeout_s=0.1)


async def test_nobody_listening_is_unreachable_not_slow(unused_port: int) -> None:
    """A refused connection is told from a time-out."""
    async with opened(f"http://127.0.0.1:{unused_port}/v1", retry_budget_s=0) as endpoint:
        with pytest.raises(EndpointUnreachable, match="could not be reached"):
            await endpoint.complete(said("q"), model="m")


async def test_half_a_character_is_sent_as_it_is(shared_openai_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text cut in the middle of an emoji is asked like any other."""
    monkeypatch.setenv(KEY, "a-key")
    async with opened(shared_openai_server.base_url) as endpoint:
        assert (await endpoint.complete(said("cut \ud83d"), model="m")).text


@pytest.mark.parametrize(
    ("key", "model", "code"),
    [
        ("wrong-key", "m", "endpoint_key_rejected"),
        ("poor-key", "m", "endpoint_quota_used_up"),
        ("a-key", "no-such-model", "endpoint_model_unknown"),
    ],
)
async def test_what_nobody_can_pass_fails_at_once_and_can_stop_a_run(
    shared_openai_server: Any, monkeypatch: pytest.MonkeyPatch, key: str, model: str, code: str
) -> None:
    """One call is enough to know; the key itself is never shown, its variable is."""
    monkeypatch.setenv(KEY, key)
    async with opened(shared_openai_server.base_url) as endpoint:
        with pytest.raises(EndpointClosed) as caught:
            await endpoint.complete(said("q"), model=model)
    assert caught.value.code == code
    assert shared_openai_server.stats()["requests"] == 1
    assert key not in caught.value.message
    assert isinstance(caught.value, EndpointKeyRejected) <= (KEY in caught.value.message)


@pytest.mark.parametrize(("text", "code"), [("TOO LONG", "endpoint_text_too_long"), ("FORBIDDEN", "endpoint_filtered")])
async def test_texts_an_endpoint_will_not_read_have_their_own_codes(endpoint: Endpoint, text: str, code: str) -> None:
    """A long text and a forbidden one are no broken endpoint."""
    with pytest.raises(EndpointFailed) as caught:
        await endpoint.complete(said(text), model="m")
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("refuse", "form"),
    [
        ("", "json_schema"),
        ("json_schema", "tool"),
        ("json_schema,tool", "json_object"),
        ("json_schema,tool,json_object", "words"),
    ],
)
async def test_an_endpoint_is_asked_for_json_in_the_strictest_form_it_takes_and_that_is_remembered(
    endpoint: Endpoint, shared_openai_server: Any, refuse: str, form: str
) -> None:
    """Two replies cost as many refusals as one."""
    shared_openai_server.reset(refuse=refuse)
    for _ in range(2):
        reply = await endpoint.structured(said("judge this"), model="m", schema=SCHEMA)
        assert reply.text == '{"verdict": "yes"}'
    stats = shared_openai_server.stats()
    assert stats["forms"] == {form: 2}
    assert stats["r400"] == len(list(filter(None, refuse.split(","))))


async def test_an_endpoint_that_takes_no_form_says_why(endpoint: Endpoint, shared_openai_server: Any) -> None:
    """Even words alone can be refused."""
    shared_openai_server.reset(refuse="json_schema,tool,json_object,words")
    with pytest.raises(EndpointRefusedRequest, match="'words' is not supported"):
        await endpoint.structured(said("judge this"), model="m", schema=SCHEMA)
    assert shared_openai_server.stats()["r400"] == 4


async def test_a_request_refused_for_another_reason_is_not_tried_in_other_forms(
    endpoint: Endpoint, shared_openai_server: Any
) -> None:
    """What the endpoint names is not the form of the reply."""
    shared_openai_server.reset(refuse="messages")
    with pytest.raises(EndpointRefusedRequest, match="messages"):
        await endpoint.structured(said("q"), model="m", schema=SCHEMA)
    assert shared_openai_server.stats()["r400"] == 1


async def test_an_endpoint_that_does_not_heed_the_form_is_asked_in_words(
    endpoint: Endpoint, shared_openai_server: Any
) -> None:
    """The judge notices, the endpoint remembers."""
    endpoint.in_words("m")
    reply = await endpoint.structured(said("judge this"), model="m", schema=SCHEMA)
    assert reply.text == '{"verdict": "yes"}'
    assert shared_openai_server.stats()["forms"] == {"words": 1}


async def test_a_model_without_temperature_is_asked_without_one_from_then_on(
    endpoint: Endpoint, shared_openai_server: Any
) -> None:
    """It costs one refusal, once."""
    shared_openai_server.reset(refuse="temperature")
    for _ in range(2):
        await endpoint.complete(said("q"), model="m", temperature=0)
    assert shared_openai_server.stats()["r400"] == 1


async def test_other_refusals_are_not_taken_for_one_of_the_temperature(
    endpoint: Endpoint, shared_openai_server: Any
) -> None:
    """Nothing is tried a second time for no reason."""
    shared_openai_server.reset(refuse="json_object")
    with pytest.raises(EndpointRefusedRequest):
        await endpoint.complete(said("q"), model="m", temperature=0, response_format={"type": "json_object"})
    assert shared_openai_server.stats()["r400"] == 1


async def test_a_missing_key_is_named_by_its_variable(endpoints: Endpoints, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is asked."""
    monkeypatch.delenv(KEY)
    with pytest.raises(KeyMissing, match=KEY):
        endpoints.open("http://127.0.0.1:9/v1", KEY, caller="judge")


async def test_an_endpoint_without_keys_needs_none(endpoints: Endpoints, shared_openai_server: Any) -> None:
    """Local servers look at no key."""
    endpoint = endpoints.open(shared_openai_server.base_url, "", caller="judge")
    assert (await endpoint.complete(said("q"), model="m")).text


async def test_the_address_falls_back_to_the_variable_every_client_knows(
    endpoints: Endpoints, shared_openai_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OPENAI_BASE_URL, as the openai client reads it."""
    monkeypatch.setenv("OPENAI_BASE_URL", shared_openai_server.base_url)
    assert (await endpoints.open(None, KEY, caller="judge").complete(said("q"), model="m")).text


def test_neither_key_nor_password_of_the_address_is_ever_shown() -> None:
    """An endpoint is shown as its host."""
    endpoint = Endpoints().open("http://user:secret@127.0.0.1:9/v1", KEY, caller="judge")
    assert repr(endpoint) == "Endpoint(127.0.0.1:9)"


async def test_one_endpoint_serves_two_event_loops(shared_openai_server: Any) -> None:
    """A connection belongs to its loop, the endpoint to the process."""
    endpoints = Endpoints()
    endpoint = endpoints.open(shared_openai_server.base_url, KEY, caller="judge")

    async def call() -> str:
        reply = await endpoint.complete(said("q"), model="m")
        await endpoints.aclose()
        return reply.text

    assert await call() == await asyncio.to_thread(lambda: asyncio.run(call()))


@pytest.mark.parametrize(
    "reply",
    [b"<html>Sign in</html>", b'{"data": []}', b'{"data": [{"index": 0}]}', b'{"data": 3}'],
    ids=["a page", "too few", "no vector", "no list"],
)
async def test_a_reply_that_is_none_is_a_broken_endpoint(serve_bytes: Callable[[bytes], Any], reply: bytes) -> None:
    """A proxy's sign-in page with status 200 is neither an answer nor a vector."""
    async with serve_bytes(reply) as base_url, opened(base_url, retry_budget_s=0) as endpoint:
        with pytest.raises(EndpointBroken, match="not one of a chat endpoint"):
            await endpoint.complete(said("q"), model="m")
        with pytest.raises(EndpointBroken):
            await endpoint.embed(["a", "b"], model="m")


async def test_an_allowance_used_up_pauses_the_endpoint(serve_bytes: Callable[..., Any]) -> None:
    """The next call waits instead of being refused."""
    reply = b'{"choices": [{"message": {"content": "ok"}}]}'
    headers = "x-ratelimit-remaining-requests: 0\r\nx-ratelimit-reset-requests: 1h\r\n"
    async with serve_bytes(reply, headers) as base_url, opened(base_url) as endpoint:
        await endpoint.complete(said("q"), model="m")
        second = asyncio.create_task(endpoint.complete(said("q"), model="m"))
        await asyncio.sleep(0.05)
        assert not second.done()
        assert endpoint.limiter.in_flight == 0
        second.cancel()


def said(text: str) -> list[dict[str, str]]:
    """Return a conversation of one question."""
    return [{"role": "user", "content": text}]


@asynccontextmanager
async def opened(base_url: str, **patience: float) -> AsyncIterator[Endpoint]:
    """Return an endpoint with patience of its own."""
    endpoints = Endpoints(**{"timeout_s": 2.0, "retry_budget_s": 2.0, **patience})
    yield endpoints.open(base_url, KEY, caller="judge")
    await endpoints.aclose()
