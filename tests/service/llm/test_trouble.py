"""What a failed call means."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import httpx2
import openai
import pytest

from service.llm._trouble import ALWAYS, HOPELESS, duration, seconds_of, trouble_of, used_up

REQUEST = httpx2.Request("POST", "http://127.0.0.1/v1/chat/completions")


def refused(status: int, code: str | None = None, message: str = "no", **headers: str) -> Exception:
    """Return the client's exception for a status."""
    kinds: dict[int, Any] = {
        400: openai.BadRequestError,
        401: openai.AuthenticationError,
        403: openai.PermissionDeniedError,
        404: openai.NotFoundError,
        429: openai.RateLimitError,
    }
    response = httpx2.Response(
        status, request=REQUEST, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    body = {"message": message, "code": code}
    return kinds.get(status, openai.APIStatusError)(f"Error code: {status}", response=response, body=body)  # type: ignore[no-any-return]


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
    (TimeoutError(), "endpoint_timeout", ALWAYS),
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
    bare = openai.BadRequestError("", response=httpx2.Response(400, request=REQUEST), body=None)
    assert trouble_of(bare).params["problem"] == "status 400"


class ServerTimeoutError(TimeoutError):
    """As aiohttp names a reply that did not come."""


class ConnectionTimeoutError(ServerTimeoutError):
    """As aiohttp names a connection that did not come about."""


class ClientConnectorDNSError(OSError):
    """As aiohttp names an unknown host."""


@pytest.mark.parametrize(
    ("cause", "code", "tries"),
    [
        (ServerTimeoutError("slow"), "endpoint_timeout", ALWAYS),
        (ConnectionTimeoutError("far"), "endpoint_unreachable", ALWAYS),
        (ConnectionResetError("reset"), "endpoint_unreachable", ALWAYS),
        (ClientConnectorDNSError("no such name"), "endpoint_unreachable", HOPELESS),
    ],
    ids=lambda value: str(value),
)
def test_a_slow_endpoint_is_told_from_one_that_cannot_be_reached(cause: Exception, code: str, tries: int) -> None:
    """The client calls both a timeout; the exceptions below it tell them apart."""
    error = openai.APITimeoutError(request=REQUEST)
    error.__cause__ = httpx2.ConnectTimeout("…")
    error.__cause__.__cause__ = cause
    trouble = trouble_of(error)
    assert (trouble.kind.code, trouble.tries) == (code, tries)


def test_a_connection_error_without_words_is_named_by_its_kind() -> None:
    """An empty reason would help nobody."""
    error = openai.APIConnectionError(request=REQUEST)
    error.__cause__ = BrokenPipeError()
    assert trouble_of(error).params["problem"] == "BrokenPipeError"


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
