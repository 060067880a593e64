"""Texts as every database and workbook can hold them."""

import re
from dataclasses import replace
from typing import Any

from flags import Answer, Source

_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def storable(answer: Answer) -> Answer:
    """Return the answer without characters that XML or a database refuses: controls, half characters, no-characters."""
    return replace(
        answer,
        text=_clean(answer.text),
        sources=tuple(_source(source) for source in answer.sources),
        passages=tuple(_source(source) for source in answer.passages),
        modules=tuple(_clean(module) for module in answer.modules),
        messages=_deep(dict(answer.messages)),
    )


def _clean(text: str) -> str:
    return _UNSTORABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _source(source: Source) -> Source:
    return Source(
        name=_clean(source.name),
        pages=_clean(source.pages),
        identity=_clean(source.identity),
        text=_clean(source.text),
    )


def _deep(value: Any) -> Any:
    """Return plain JSON: what an assistant puts into `messages` may hold anything."""
    if isinstance(value, str):
        return _clean(value)
    if isinstance(value, bool | int | None):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    if isinstance(value, dict):
        return {_clean(str(key)): _deep(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set):
        return [_deep(each) for each in value]
    return _clean(str(value))
