"""The ways to ask an endpoint for JSON of a schema, from the strictest to plain words, which every model can read."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

WORDS = "words"
FORMS = ("json_schema", "tool", "json_object", WORDS)

_ABOUT_THE_FORM = re.compile(
    r"response.?format|json.?(?:schema|object|mode)|tool|function|schema|structured|grammar|strict|"
    r"(?:un|not )support|(?:un|not )recogni[sz]|extra (?:fields|inputs)|unknown (?:field|name|parameter|argument)",
    re.IGNORECASE,
)

Message = Mapping[str, Any]


def shaped(form: str, messages: Sequence[Message], schema: Mapping[str, Any]) -> tuple[list[Message], dict[str, Any]]:
    """Return messages and request fields that ask for the schema (its `title` is its name) in one of the forms."""
    name = str(schema.get("title") or "reply")
    plain = {key: value for key, value in schema.items() if key != "title"}
    if form == "json_schema":
        wanted = {"name": name, "strict": True, "schema": plain}
        return list(messages), {"response_format": {"type": "json_schema", "json_schema": wanted}}
    if form == "tool":
        function = {"name": name, "description": "Give the reply.", "parameters": plain, "strict": True}
        choice = {"type": "function", "function": {"name": name}}
        return list(messages), {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
    wish = {"role": "system", "content": in_words(schema)}
    return [wish, *messages], {} if form == WORDS else {"response_format": {"type": "json_object"}}


def in_words(schema: Mapping[str, Any]) -> str:
    """Return the wish for JSON of the schema as a sentence."""
    return f"Reply with one JSON object and nothing else. Its JSON schema:\n{json.dumps(schema)}"


def refuses_form(problem: str) -> bool:
    """Tell whether an endpoint that refused a request names the form of the reply as what it cannot do."""
    return bool(_ABOUT_THE_FORM.search(problem))
