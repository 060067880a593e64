"""The ways to ask an endpoint for JSON of a schema, from the strictest to the one nearly all of them know."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

FORMS = ("json_schema", "tool", "json_object")

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
    wish = {
        "role": "system",
        "content": f"Reply with one JSON object and nothing else. Its JSON schema:\n{json.dumps(schema)}",
    }
    return [wish, *messages], {"response_format": {"type": "json_object"}}
