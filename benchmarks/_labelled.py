"""Items a person has labelled, as cases."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flags import Answer, Case, Question, Source

_PREFIX = "label_"
LABELS = ("contradiction", "extent", "hallucination", "relation", "equivalent")
"""What can be labelled. TRUE of `equivalent` means that nothing deviates, TRUE of the others that something does."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """A case with its labels: TRUE where a flag should be TRUE; what nobody labelled is left out."""

    origin: str
    case: Case
    deviates: Mapping[str, bool]


def read_items(path: Path) -> list[Item]:
    """Return the items of a JSONL file; raise `ValueError` naming the line that cannot be read."""
    items = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if line.strip():
            try:
                items.append(_item(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError) as problem:
                raise ValueError(f"{path}, line {number}: not a labelled item ({problem!r})") from None
    return items


def _item(said: Mapping[str, Any]) -> Item:
    question = Question(text=said.get("question") or "", space="benchmark", reference=said.get("reference") or "")
    sources = tuple(_source(number, one) for number, one in enumerate(said.get("sources") or (), 1))
    labels = {name: said.get(f"{_PREFIX}{name}") for name in LABELS}
    return Item(
        origin=str(said.get("origin") or "unnamed"),
        case=Case(question=question, answer=Answer(text=said["answer"] or "", sources=sources)),
        deviates={name: bool(value) != (name == "equivalent") for name, value in labels.items() if value is not None},
    )


def _source(number: int, said: str | Mapping[str, Any]) -> Source:
    if isinstance(said, str):
        return Source(name=f"Source {number}", text=said)
    return Source(name=said.get("name") or f"Source {number}", text=said.get("text") or said.get("content") or "")
