"""Nouns of the flags ⇄ JSON columns."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from flags import Answer, Question, Source, Verdict

_FIELDS: Final = {noun: tuple(field.name for field in fields(noun)) for noun in (Question, Source, Verdict)}


def _flat(noun: Question | Source | Verdict) -> dict[str, Any]:
    """Return the fields as they are: `asdict` copies everything below them, many times slower."""
    return {name: getattr(noun, name) for name in _FIELDS[type(noun)]}


def _sources(items: Sequence[Mapping[str, Any]]) -> tuple[Source, ...]:
    return tuple(Source(**item) for item in items)


def question_to_json(question: Question) -> dict[str, Any]:
    """Return the question as plain JSON."""
    sources, modules = map(_flat, question.reference_sources), question.reference_modules
    return {**_flat(question), "reference_sources": list(sources), "reference_modules": list(modules)}


def question_from_json(stored: Mapping[str, Any]) -> Question:
    """Return the question that was stored."""
    sources, modules = _sources(stored["reference_sources"]), tuple(stored["reference_modules"])
    return Question(**{**stored, "reference_sources": sources, "reference_modules": modules})


def answer_to_json(answer: Answer) -> dict[str, Any]:
    """Return the answer as plain JSON; `messages` goes in as it is."""
    return {
        "text": answer.text,
        "sources": [_flat(source) for source in answer.sources],
        "passages": [_flat(source) for source in answer.passages],
        "modules": list(answer.modules),
        "followup": answer.followup,
        "messages": dict(answer.messages),
    }


def answer_from_json(stored: Mapping[str, Any]) -> Answer:
    """Return the answer that was stored."""
    return Answer(
        text=stored["text"],
        sources=_sources(stored["sources"]),
        passages=_sources(stored["passages"]),
        modules=tuple(stored["modules"]),
        followup=stored["followup"],
        messages=stored["messages"],
    )


def verdict_columns(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict's columns; a verdict's fields are flat."""
    return _flat(verdict)
