"""What tests/openai_server.py says: refusals, schemas filled, replies spoilt, vectors of words."""

import hashlib
import json
import math
import re
from typing import Any

PASSING = ("agrees", "equal", "answers", "fully", "no", "yes")
SENTENCE = "Both texts say the same about this point."
DIMENSIONS = 64
REASONS = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    429: "Too Many Requests",
    500: "Internal Server Error",
}


Reply = tuple[int, dict[str, Any], dict[str, str]]


class Refused(Exception):
    """A request that gets an error instead of an answer."""

    def __init__(self, status: int, code: str, message: str, param: str | None = None, **headers: str) -> None:
        super().__init__(message)
        self.reply: Reply = (
            status,
            {"error": {"message": message, "type": code, "code": code, "param": param}},
            {name.replace("_", "-"): value for name, value in headers.items()},
        )


def wanted(body: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """Return in which form a reply is wanted: form, name of the schema, schema."""
    if body.get("tools"):
        function = body["tools"][0]["function"]
        return "tool", function["name"], function["parameters"]
    form = body.get("response_format") or {"type": "text"}
    if form["type"] == "json_schema":
        return "json_schema", form["json_schema"]["name"], form["json_schema"]["schema"]
    # the schema stands in the prompt, as its last JSON object
    prompt = "\n".join(text_of(message) for message in body["messages"])
    start = prompt.rfind('{"type": "object"')
    schema = json.JSONDecoder().raw_decode(prompt[start:])[0] if start >= 0 else {}
    if form["type"] == "json_object":
        return "json_object", schema.get("title", ""), schema
    return ("words", schema["title"], schema) if schema else ("text", "", {})


def filled(schema: dict[str, Any], given: dict[str, str]) -> dict[str, str]:
    """Return a value for each property of a schema."""
    values = {}
    for name, field in schema.get("properties", {}).items():
        choices = field.get("enum", [SENTENCE])
        values[name] = given.get(name) or next((word for word in PASSING if word in choices), choices[0])
    return values


def malformed(values: dict[str, str], schema: dict[str, Any], how: str) -> str:
    """Return a reply that is wrong in one way (`fenced` is only unusual)."""
    last = list(values)[-1]
    enumerated = [name for name, field in schema["properties"].items() if "enum" in field] or [last]
    changed: dict[str, Any] = {
        "missing": {name: value for name, value in values.items() if name != last},
        "choice": {**values, enumerated[-1]: "in" + values[enumerated[-1]]},
        "number": {**values, last: 7},
        "list": [values],
    }
    if how == "fenced":
        return f"Here it is:\n```json\n{json.dumps(values)}\n```"
    return json.dumps(changed[how]) if how in changed else f"I think the verdict is {values[last]}."


def text_of(message: dict[str, Any]) -> str:
    """Return a message's text, also when it comes in parts."""
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def unfenced(prompt: str) -> str:
    """Return a judge's prompt with its random fence replaced, so that the same case has the same prompt."""
    marker = re.search(r"<<([0-9a-f]{8,}) ", prompt)
    return prompt.replace(marker[1], "fence") if marker else prompt


def vector(text: str) -> list[float]:
    """Return a unit vector that counts hashed words."""
    counts = [0.0] * DIMENSIONS
    for word in re.findall(r"\w+", text.lower()) or [""]:
        counts[int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest()) % DIMENSIONS] += 1
    length = math.sqrt(sum(count * count for count in counts))
    return [count / length for count in counts]
