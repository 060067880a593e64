"""What a failed call means: whether to try again and when, and under which code it ends."""

import json
import re
from collections.abc import Mapping
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
from service.llm._clients import Received, ReplyTooLarge

ALWAYS = 10_000
HOPELESS = 3
"""Tries for troubles that hardly ever pass by themselves, such as a name no DNS knows."""
_TRIED_AGAIN = frozenset({408, 409, 425})
_ANSWERED_TOO_LATE = frozenset({408, 504})
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "": 1.0}


@dataclass(frozen=True)
class Trouble:
    """The error to end with, how often to try before, and how long the endpoint asked to wait (None: it did not).

    `unsure` where nobody can tell whether the call was charged all the same.
    """

    kind: type[EndpointFailed]
    tries: int = 1
    wait: float | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    unsure: bool = False


class StatusRefused(Exception):
    """A reply whose status says that there is none."""

    def __init__(self, received: Received) -> None:
        super().__init__(f"status {received.status}")
        self.received = received


def trouble_of(error: Exception) -> Trouble:
    """Return what an exception of a call means."""
    from aiohttp import ClientError, ConnectionTimeoutError

    if isinstance(error, StatusRefused):
        return _status(error.received)
    if isinstance(error, TimeoutError) and not isinstance(error, ConnectionTimeoutError):
        return Trouble(EndpointTimeout, ALWAYS, unsure=True)
    if isinstance(error, ClientError | OSError):
        return _connection(error)
    what = "is larger than flagbook reads" if isinstance(error, ReplyTooLarge) else "was not one of a chat endpoint"
    return Trouble(EndpointBroken, ALWAYS, params={"problem": f"its reply {what}"}, unsure=True)


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


def _status(received: Received) -> Trouble:
    status = received.status
    code, said = _told(received.content)
    if status in (401, 403):
        return Trouble(EndpointKeyRejected, params={"status": status})
    if status == 404:
        return Trouble(EndpointModelUnknown)
    if status == 429:
        if code == "insufficient_quota":
            return Trouble(EndpointQuotaUsedUp)
        wait = seconds_of(received.headers)
        return Trouble(EndpointRateLimited, ALWAYS, used_up(received.headers) or None if wait is None else wait)
    if status >= 500 or status in _TRIED_AGAIN:
        problem = {"problem": f"status {status}"}
        return Trouble(
            EndpointBroken, ALWAYS, seconds_of(received.headers), problem, unsure=status in _ANSWERED_TOO_LATE
        )
    return _refused(status, code, said)


def _told(content: bytes) -> tuple[str, str]:
    """Return code and message of an error reply, in the forms endpoints write it; empty where there is none."""
    try:
        body = json.loads(content)
    except ValueError:
        return "", ""
    error = body.get("error", body) if isinstance(body, dict) else {}
    if isinstance(error, str):
        return "", error
    if not isinstance(error, dict):
        return "", ""
    said, field_named = str(error.get("message") or error.get("detail") or ""), str(error.get("param") or "")
    return str(error.get("code") or ""), said if field_named in said else f"{said} ({field_named})"


def _refused(status: int, code: str, told: str) -> Trouble:
    said = " ".join(told.split())[:300]
    if code == "content_filter":
        return Trouble(EndpointFiltered)
    if code in ("context_length_exceeded", "string_above_max_length") or status == 413:
        return Trouble(EndpointTextTooLong)
    if "maximum context length" in said or "context window" in said:
        return Trouble(EndpointTextTooLong)
    return Trouble(EndpointRefusedRequest, params={"problem": said or f"status {status}"})


def _connection(error: Exception) -> Trouble:
    from aiohttp import (
        ClientConnectorCertificateError,
        ClientConnectorDNSError,
        ClientConnectorError,
        ConnectionTimeoutError,
        InvalidURL,
    )

    hopeless = isinstance(error, ClientConnectorDNSError | ClientConnectorCertificateError | InvalidURL)
    # an address that is none is not repeated: it may hold a password
    told = "" if isinstance(error, InvalidURL) else " ".join(str(error).split())[:200]
    problem = told or type(error).__name__
    unsent = isinstance(error, ClientConnectorError | ConnectionTimeoutError | InvalidURL)
    return Trouble(
        EndpointUnreachable, HOPELESS if hopeless else ALWAYS, params={"problem": problem}, unsure=not unsent
    )


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d+(?:\.\d+)?", text.strip()) else None
