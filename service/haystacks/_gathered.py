"""What a source gives: a text, and all that is needed to say where it comes from."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

_SPACE = re.compile(r"[^\S\n]+")
_BLANK = re.compile(r"\n{3,}")


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """A haystack's text, its paragraphs ended by an empty line; `about` is its origin as JSON has it.

    `notes` are sentences about what was left out.
    """

    text: str
    about: Mapping[str, Any]
    notes: tuple[str, ...] = ()


class Source(Protocol):
    """Somewhere a haystack comes from."""

    async def gather(self) -> Gathered:
        """Return the text; raise a `ServiceError` that says what is missing."""
        ...


def joined(texts: Iterable[str]) -> str:
    """Return the texts one after the other, with single spaces, and paragraphs ended by one empty line."""
    whole = "\n\n".join(text.strip() for text in texts)
    return _BLANK.sub("\n\n", _SPACE.sub(" ", whole.replace("\r\n", "\n")).replace(" \n", "\n")).strip()
