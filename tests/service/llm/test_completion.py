"""A reply of a chat endpoint."""

from typing import Any

import pytest

from service.llm._completion import completion_of


def body(**message: Any) -> dict[str, Any]:
    """Return a response with one message."""
    return {"model": "m-2", "choices": [{"message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 7}}


def test_text_cost_and_model_are_kept() -> None:
    """What the endpoint does not tell is None, not zero."""
    reply = completion_of(body(content="Hello"), 1.23456)
    assert (reply.text, reply.model, reply.prompt_tokens, reply.completion_tokens) == ("Hello", "m-2", 7, None)
    assert (reply.finish_reason, reply.refusal, reply.seconds) == ("stop", "", 1.235)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": [{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}]}, "in parts"),
        ({"content": None, "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}, "{}"),
        ({"content": "<think>\nhm\n</think>\n\nYes."}, "Yes."),
        ({"content": "No <think> here"}, "No <think> here"),
        ({"content": None}, ""),
    ],
)
def test_the_text_is_found_where_endpoints_put_it(message: dict[str, Any], text: str) -> None:
    """In parts, in a tool call, behind a model's thoughts."""
    assert completion_of(body(**message), 0).text == text


@pytest.mark.parametrize("reply", [{}, {"choices": []}, {"choices": [{}]}, [], "text", {"choices": [{"message": 3}]}])
def test_a_reply_that_is_no_completion_is_refused(reply: Any) -> None:
    """A proxy's error page with status 200 is no answer."""
    with pytest.raises(ValueError, match="not a chat completion"):
        completion_of(reply, 0)
