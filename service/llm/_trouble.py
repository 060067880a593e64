"""What a failed call means: whether to try again and when, and under which code it ends."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from service.errors import (
    EndpointBroken,
    EndpointFailed,
    EndpointFiltered,
    EndpointKeyRejected,
    EndpointModelUnknown,
    EndpointQuotaUsedUp,
    EndpointRateLimited,
    EndpointRefusedRequest,
    EndpointTextTooLong,
    EndpointTimeout,
    EndpointUnreachable,
)

ALWAYS = 10_000
HOPELESS = 3
"""Tries for troubles that hardly ever pass by themselves, such as a name no DNS knows."""
_TRIED_AGAIN = frozenset({408, 409, 425})
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "": 1.0}


@dataclass(frozen=True)
class Trouble:
    """The error to end with, how often to try before, and how long the endpoint asked to wait (None: it did not)."""

    kind: type[EndpointFailed]
    tries: int = 1
    wait: float | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


def trouble_of(error: Exception) -> Trouble:
    """Return what an exception of a call means."""
    import openai

    if isinstance(error, openai.APIStatusError):
        return _status(error)
    if isinstance(error, TimeoutError):
        return Trouble(EndpointTimeout, ALWAYS)
    if isinstance(error, openai.APIConnectionError):
        return _connection(error)
    return Trouble(EndpointBroken, ALWAYS, params={"problem": "its reply was not one of a chat endpoint"})


def seconds_of(headers: Mapping[str, str]) -> float | None:
    """Return how long the endpoint asks to wait: retry-after-ms, else retry-after in seconds or as a date."""
    if milliseconds := _number(headers.get("retry-after-ms", "")):
        return milliseconds / 1000
    after = headers.get("retry-after", "")
    if not after or _number(after) is not None:
        return _number(after)
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, (parsedate_to_datetime(after) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None


def used_up(headers: Mapping[str, str]) -> float:
    """Return for how many seconds the allowance told in x-ratelimit headers is used up; 0 when some is left."""
    waits = [
        duration(headers.get(f"x-ratelimit-reset-{what}", ""))
        for what in ("requests", "tokens")
        if headers.get(f"x-ratelimit-remaining-{what}") == "0"
    ]
    return max(waits, default=0.0)


def duration(text: str) -> float:
    """Return the seconds in a text such as `6m0s`, `120ms` or `1.5`."""
    return sum(float(amount) * _UNITS[unit] for amount, unit in _DURATION.findall(text))


def _status(error: Any) -> Trouble:
    status, code = error.status_code, str(error.code or "")
    if status in (401, 403):
        return Trouble(EndpointKeyRejected, params={"status": status})
    if status == 404:
        return Trouble(EndpointModelUnknown)
    if status == 429:
        if code == "insufficient_quota":
            return Trouble(EndpointQuotaUsedUp)
        return Trouble(EndpointRateLimited, ALWAYS, seconds_of(error.response.headers))
    if status >= 500 or status in _TRIED_AGAIN:
        params = {"problem": f"status {status}"}
        return Trouble(EndpointBroken, ALWAYS, seconds_of(error.response.headers), params)
    return _refused(error, code)


def _refused(error: Any, code: str) -> Trouble:
    told = error.body.get("message") if isinstance(error.body, dict) else None
    said = " ".join(str(told or error.message).split())[:300]
    if code == "content_filter":
        return Trouble(EndpointFiltered)
    if code in ("context_length_exceeded", "string_above_max_length") or error.status_code == 413:
        return Trouble(EndpointTextTooLong)
    if "maximum context length" in said or "context window" in said:
        return Trouble(EndpointTextTooLong)
    return Trouble(EndpointRefusedRequest, params={"problem": said or f"status {error.status_code}"})


def _connection(error: Exception) -> Trouble:
    """Tell a slow endpoint from one that cannot be reached: the client reports a refused connection as a timeout."""
    causes = list(_causes(error))
    names = {type(cause).__name__ for cause in causes}
    slow = any(isinstance(cause, asyncio.TimeoutError) for cause in causes)
    if slow and "ConnectionTimeoutError" not in names:
        return Trouble(EndpointTimeout, ALWAYS)
    hopeless = names & {"ClientConnectorDNSError", "ClientConnectorCertificateError", "InvalidUrlClientError"}
    problem = " ".join(str(causes[-1]).split())[:200] or type(causes[-1]).__name__
    return Trouble(EndpointUnreachable, HOPELESS if hopeless else ALWAYS, params={"problem": problem})


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and those it came from, as far as the HTTP library's own."""
    while error is not None:
        yield error
        error = error.__cause__


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d+(?:\.\d+)?", text.strip()) else None
