"""What a judge's reply says: every field of the rubric, whole and allowed, or nothing at all."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from flags import Judgement, Rubric

_OBJECTS = 20
"""So many beginnings of an object are looked at in a reply that is more than one."""


class Unusable(Exception):
    """A reply that is not what the rubric asks for; the text says what is wrong with it."""


class NoJson(Unusable):
    """A reply in which no JSON object stands at all."""


@cache  # there are a handful of rubrics
def schema_of(rubric: Rubric) -> dict[str, Any]:
    """Return the strict JSON schema of a rubric's reply, its fields in their order."""
    fields = {
        field.name: {
            "type": "string",
            "description": field.description,
            **({"enum": list(field.choices)} if field.choices else {}),
        }
        for field in rubric.fields
    }
    return {
        "type": "object",
        "title": rubric.name,
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def read_judgement(text: str, rubric: Rubric, prompt: str = "") -> Judgement:
    """Return the rubric's fields in a reply; raise `Unusable` unless every one of them is there and allowed.

    The reply is one JSON object; fences and words around it do not matter. An object that stands in the `prompt` is no
    reply: an answer under judgement may hold one ready-made. A choice is compared as a whole, without regard to case:
    a verdict is never looked for inside other words.
    """
    if not text.strip():
        raise Unusable("it is empty.")
    found = list(_objects(text.strip()))
    if not found:
        raise NoJson("it is not JSON with an object, or it broke off.")
    if len(found) > 1:
        raise Unusable("it holds more than one JSON object.")
    raw, reply = found[0]
    if "{" in prompt and _squeezed(raw) in _squeezed(prompt):
        raise Unusable("it repeats an object that stands in the texts to judge.")
    return {field.name: _value(reply, field.name, field.choices) for field in rubric.fields}


def _objects(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the JSON objects of a text with their characters; what stands inside another is part of it."""
    if text[0] in '["':
        raise Unusable("it is not a JSON object.")
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    start = -1
    for _ in range(_OBJECTS):
        start = text.find("{", start + 1)
        if start < 0:
            return
        try:
            reply, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield text[start:end], reply
        start = end - 1


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object's fields; one that names a field twice is not clear about it."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise Unusable("it gives a field twice.")
    return fields


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _value(reply: Mapping[str, Any], name: str, choices: Sequence[str]) -> str:
    if name not in reply:
        raise Unusable(f"the field “{name}” is missing.")
    value = reply[name]
    if not isinstance(value, str):
        raise Unusable(f"the field “{name}” is not a text.")
    if not choices:
        return value
    said = value.strip().casefold()
    meant = [choice for choice in choices if choice.casefold() == said]
    if not meant:
        raise Unusable(f"the field “{name}” is none of: {', '.join(choices)}.")
    return meant[0]
