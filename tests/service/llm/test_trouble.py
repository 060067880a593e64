"""What a failed call means."""

import errno
import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey

from service.llm._clients import Received, ReplyTooLarge
from service.llm._trouble import ALWAYS, HOPELESS, StatusRefused, duration, seconds_of, trouble_of, used_up

HOST = ConnectionKey("nowhere.invalid", 443, True, True, None, None, None)


def refused(status: int, code: str | None = None, message: str = "no") -> Exception:
    """Return the exception for a status, with the error as OpenAI writes it."""
    return replied(status, {"error": {"message": message, "code": code}})


def replied(status: int, body: Any) -> Exception:
    """Return the exception for a status and the JSON it came with."""
    return StatusRefused(Received(status, {}, json.dumps(body).encode()))


STATUSES = [
    (refused(401), "endpoint_key_rejected", 1),
    (refused(403), "endpoint_key_rejected", 1),
    (refused(404), "endpoint_model_unknown", 1),
    (refused(429), "endpoint_rate_limited", ALWAYS),
    (refused(429, "insufficient_quota"), "endpoint_quota_used_up", 1),
    (refused(500), "endpoint_broken", ALWAYS),
    (refused(503), "endpoint_broken", ALWAYS),
    (refused(408), "endpoint_broken", ALWAYS),
    (refused(400), "endpoint_refused_request", 1),
    (refused(422), "endpoint_refused_request", 1),
    (refused(400, "content_filter"), "endpoint_filtered", 1),
    (refused(400, "context_length_exceeded"), "endpoint_text_too_long", 1),
    (refused(400, None, "This model's maximum context length is 8 tokens"), "endpoint_text_too_long", 1),
    (refused(413), "endpoint_text_too_long", 1),
    (ValueError("not JSON"), "endpoint_broken", ALWAYS),
    (ReplyTooLarge(), "endpoint_broken", ALWAYS),
    (TimeoutError(), "endpoint_timeout", ALWAYS),
    (aiohttp.ServerTimeoutError(), "endpoint_timeout", ALWAYS),
    (aiohttp.ConnectionTimeoutError("far"), "endpoint_unreachable", ALWAYS),
    (ConnectionResetError("reset"), "endpoint_unreachable", ALWAYS),
    (aiohttp.ServerDisconnectedError(), "endpoint_unreachable", ALWAYS),
    (aiohttp.ClientPayloadError("cut off"), "endpoint_unreachable", ALWAYS),
    (aiohttp.ClientConnectorError(HOST, OSError(errno.ECONNREFUSED, "refused")), "endpoint_unreachable", ALWAYS),
    (aiohttp.ClientConnectorDNSError(HOST, OSError(-2, "no such name")), "endpoint_unreachable", HOPELESS),
    (aiohttp.InvalidURL("https://user:secret@"), "endpoint_unreachable", HOPELESS),
]


@pytest.mark.parametrize(("error", "code", "tries"), STATUSES, ids=lambda value: str(value)[:40])
def test_each_way_to_fail_has_its_code_and_only_what_may_pass_is_tried_again(
    error: Exception, code: str, tries: int
) -> None:
    """A rejected key is not tried for five minutes, a busy server is."""
    trouble = trouble_of(error)
    assert (trouble.kind.code, trouble.tries) == (code, tries)


def test_a_refusal_tells_what_the_endpoint_said_and_not_more_than_a_line() -> None:
    """The person needs the reason; a page of it would hide it."""
    assert trouble_of(refused(400, None, "bad\n  field")).params["problem"] == "bad field"
    assert len(trouble_of(refused(400, None, "x" * 9000)).params["problem"]) == 300
    assert trouble_of(refused(400, None, "")).params["problem"] == "status 400"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"error": {"message": "as OpenAI"}}, "as OpenAI"),
        ({"error": "as Ollama"}, "as Ollama"),
        ({"object": "error", "message": "as vLLM", "code": 400}, "as vLLM"),
        ({"detail": "as FastAPI"}, "as FastAPI"),
        ({"error": None}, "status 400"),
        (["no object"], "status 400"),
    ],
)
def test_a_refusal_is_read_in_the_forms_servers_write_it(body: Any, told: str) -> None:
    """Whatever server it is, the person sees what it said."""
    assert trouble_of(replied(400, body)).params["problem"] == told


def test_a_page_instead_of_a_reason_is_not_shown() -> None:
    """HTML of a proxy says less than the status."""
    page = StatusRefused(Received(400, {}, b"<html>Bad Request</html>"))
    assert trouble_of(page).params["problem"] == "status 400"


def test_how_long_to_wait_is_taken_from_the_refusal() -> None:
    """The header belongs to the reply that refused."""
    assert trouble_of(StatusRefused(Received(429, {"retry-after": "7"}, b""))).wait == 7
    assert trouble_of(StatusRefused(Received(503, {"retry-after": "8"}, b""))).wait == 8
    used = {"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m3s"}
    assert trouble_of(StatusRefused(Received(429, used, b""))).wait == 63
    assert trouble_of(StatusRefused(Received(429, {}, b""))).wait is None


@pytest.mark.parametrize(
    ("error", "unsure"),
    [
        (TimeoutError(), True),
        (ValueError("not JSON"), True),
        (refused(500), False),
        (refused(504), True),
        (refused(429), False),
        (ConnectionResetError("reset"), True),
    ],
)
def test_it_is_known_which_failed_calls_may_have_been_charged(error: Exception, unsure: bool) -> None:
    """A limit of the cost must count what nobody can tell."""
    assert trouble_of(error).unsure is unsure


def test_a_connection_error_without_words_is_named_by_its_kind() -> None:
    """An empty reason would help nobody; an address that is none may hold a password."""
    assert trouble_of(BrokenPipeError()).params["problem"] == "BrokenPipeError"
    assert trouble_of(aiohttp.InvalidURL("https://user:secret@")).params["problem"] == "InvalidURL"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "soon"}, None),
    ],
)
def test_how_long_to_wait_is_read_as_endpoints_write_it(headers: dict[str, str], seconds: float | None) -> None:
    """Milliseconds are more exact than seconds; nonsense is no wish."""
    assert seconds_of(headers) == seconds


def test_a_date_to_wait_for_is_turned_into_seconds() -> None:
    """One in the past means now."""
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 50 < (seconds_of({"retry-after": later}) or 0) <= 60
    assert seconds_of({"retry-after": "Mon, 01 Jan 2001 00:00:00 GMT"}) == 0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0.0),
        ({"x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": "60s"}, 0.0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "120ms"}, 0.12),
        (
            {
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "1m1.5s",
            },
            61.5,
        ),
    ],
)
def test_an_allowance_that_is_used_up_makes_calls_wait_before_they_are_refused(
    headers: dict[str, str], seconds: float
) -> None:
    """The longer of the two waits counts."""
    assert used_up(headers) == pytest.approx(seconds)


@pytest.mark.parametrize(("text", "seconds"), [("", 0), ("6m0s", 360), ("1.5", 1.5), ("1h2m3s", 3723), ("20ms", 0.02)])
def test_durations_are_read_as_endpoints_write_them(text: str, seconds: float) -> None:
    """Go's notation, and plain seconds."""
    assert duration(text) == pytest.approx(seconds)
