"""What the `openai` backend says to its model beside the space's own system prompt."""

from collections.abc import Iterable, Sequence
from typing import Any

from flags import Source

GROUNDED = """\
Answer the question from the numbered passages below and from nothing else. After each statement put the number of the
passage it rests on in square brackets, such as [1] or [1, 3]. If the passages do not answer the question, say so
plainly and cite nothing. Answer in the language of the question."""

SELECT = """\
Choose the module that should answer the user's question. Reply with the reason in a few words and the module's name.

{modules}"""


def passages_for(sources: Sequence[Source]) -> str:
    """Return the retrieved passages as the model reads them, numbered from 1."""
    parts = [
        f"[{number}] {source.name}{f', page {source.pages}' if source.pages else ''}\n{source.text}"
        for number, source in enumerate(sources, start=1)
    ]
    return "\n\n".join(parts) or "(no passages were found)"


def select_prompt(modules: Iterable[tuple[str, str]]) -> str:
    """Return the selector's task for modules given as (name, description)."""
    return SELECT.format(modules="\n".join(f"- {name}: {description}" for name, description in modules))


def select_schema(names: Sequence[str]) -> dict[str, Any]:
    """Return the strict schema of the selector's reply."""
    return {
        "type": "object",
        "title": "module",
        "properties": {
            "reason": {"type": "string", "description": "Why, in a few words."},
            "module": {"type": "string", "enum": list(names), "description": "The module's name."},
        },
        "required": ["reason", "module"],
        "additionalProperties": False,
    }
