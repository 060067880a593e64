"""A reply of a chat endpoint, as much of it as flagbook looks at."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.llm._errand import Charge

_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Completion:
    """The reply's text (a tool call's arguments where a tool was called), why it ended, and what it cost.

    `refusal` is the model's own words where it declined through that field. Token counts are None where the endpoint
    does not tell them; `seconds` is the time of the call that succeeded.
    """

    text: str
    finish_reason: str = "stop"
    refusal: str = ""
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float = 0.0


def completion_of(body: Any, seconds: float) -> Completion:
    """Return the completion in a response's JSON; raise `ValueError` when it is not one."""
    try:
        choice = body["choices"][0]
        message = choice["message"]
        usage = body.get("usage") or {}
        return Completion(
            text=_text(message),
            finish_reason=str(choice.get("finish_reason") or "stop"),
            refusal=str(message.get("refusal") or ""),
            model=str(body.get("model") or ""),
            prompt_tokens=_count(usage, "prompt_tokens"),
            completion_tokens=_count(usage, "completion_tokens"),
            seconds=round(seconds, 3),
        )
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError("not a chat completion") from error


def charge_of(body: Any, caller: str, model: str) -> Charge:
    """Return what a response's JSON says a call was charged for; tokens it does not tell stay None."""
    usage = body.get("usage") if isinstance(body, dict) else None
    usage = usage if isinstance(usage, dict) else {}
    details = usage.get("prompt_tokens_details")
    tokens = _count(usage, "prompt_tokens")
    return Charge(
        caller=caller,
        model=model,
        input=tokens,
        cached=min(tokens or 0, _count(details if isinstance(details, dict) else {}, "cached_tokens") or 0),
        # an endpoint of embeddings tells no tokens of a reply, since there is none
        output=_count(usage, "completion_tokens") if "choices" in body else 0,
    )


def _text(message: Mapping[str, Any]) -> str:
    calls = message.get("tool_calls")
    if calls:
        return str(calls[0]["function"]["arguments"])
    content = message.get("content") or ""
    if not isinstance(content, str):
        content = "".join(str(part.get("text") or "") for part in content)
    return _THOUGHTS.sub("", content)


def _count(usage: Mapping[str, Any], name: str) -> int | None:
    value = usage.get(name)
    return int(value) if isinstance(value, int | float) else None
