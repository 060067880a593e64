"""Texts as every database and workbook can hold them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flags import Answer, Source, Verdict
from service.workbook import clean_text


def storable(answer: Answer) -> Answer:
    """Return the answer without characters that XML or a database refuses: controls, half characters, no-characters."""
    return replace(
        answer,
        text=clean_text(answer.text),
        sources=tuple(_source(source) for source in answer.sources),
        passages=tuple(_source(source) for source in answer.passages),
        modules=tuple(clean_text(module) for module in answer.modules),
        messages=_deep(dict(answer.messages)),
    )


def storable_verdicts(verdicts: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """Return the verdicts with reasons that can be stored: a judge may say anything."""
    return {flag: replace(verdict, reason=clean_text(verdict.reason)) for flag, verdict in verdicts.items()}


def _source(source: Source) -> Source:
    return Source(
        name=clean_text(source.name),
        pages=clean_text(source.pages),
        identity=clean_text(source.identity),
        text=clean_text(source.text),
    )


def _deep(value: Any) -> Any:
    """Return plain JSON: what an assistant puts into `messages` may hold anything."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, bool | int | None):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    if isinstance(value, dict):
        return {clean_text(str(key)): _deep(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set):
        return [_deep(each) for each in value]
    return clean_text(str(value))
