"""Which rows to look at first, and which of those nobody would look at all the same."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from flags._case import Verdict
from flags.extent import MISSING

Level = Literal["meaning", "content", "sources", "similarity", "not judged", "approved", "clear", "open"]

APPROVED = "approved"
"""Among a row's verdicts: a person accepted this answer before; the reason says who and when."""
FINAL = "final"

LABELS = {
    "contradiction": "Contradiction",
    "hallucination": "Hallucination",
    "extent missing": "Extent",
    "relation": "Relation",
    "extent": "Extent",
    "": "",
    "source": "Sources",
    "module": "Modules",
    "embedding": "Similarity",
}
"""How findings are called, heaviest first; the empty name is the place of flags not listed here."""
_ORDER = tuple(LABELS)
_LEVELS: tuple[tuple[Level, frozenset[str]], ...] = (
    ("meaning", frozenset({"contradiction", "hallucination"})),
    ("sources", frozenset({"source", "module"})),
    ("similarity", frozenset({"embedding"})),
)
LEVELS: tuple[Level, ...] = ("meaning", "content", "sources", "similarity", "not judged", "approved", "clear", "open")


@dataclass(frozen=True, kw_only=True, order=True)
class Severity:
    """How urgent a row is; smaller ones go first. `finding` is its heaviest flag, "" where there is none.

    Within a level the heaviest finding goes first, then the row with more findings (`spare` counts those it has less).
    """

    rank: int
    weight: int = 0
    spare: int = 0
    level: Level = field(compare=False)
    finding: str = field(default="", compare=False)


def severity(verdicts: Mapping[str, Verdict], counts: tuple[str, ...] | None = None) -> Severity:
    """Return how urgent a row with these verdicts is; `counts` names the flags that decide, None all of them.

    Contradictions and hallucinations go above missing content, that above sources and modules, these above similarity
    alone. Then come rows that could not be judged, answers that a person accepted before, rows without a finding, and
    those without verdicts.
    """
    final = verdicts.get(FINAL)
    if final is None:
        return _at("open")
    if final.code:
        return _at("not judged")
    if not final.value:
        return _at("clear")
    findings = [
        name for name, one in verdicts.items() if one.value and name != FINAL and (counts is None or name in counts)
    ]
    findings.sort(key=lambda name: weight(name, verdicts))
    finding = findings[0] if findings else ""
    level: Level = "approved" if APPROVED in verdicts else _level(finding)
    return Severity(
        rank=LEVELS.index(level),
        weight=weight(finding, verdicts) if finding else len(_ORDER),
        spare=len(_ORDER) - len(findings),
        level=level,
        finding=finding,
    )


def weight(name: str, verdicts: Mapping[str, Verdict]) -> int:
    """Return a finding's place among the others, the heaviest first."""
    if name == "extent" and verdicts[name].reason.startswith(MISSING):
        name = "extent missing"
    return _ORDER.index(name if name in LABELS else "")


def label(name: str) -> str:
    """Return what a person reads as the name of a flag."""
    return LABELS.get(name) or name.capitalize()


def audit_sample(seed: str, rows: Iterable[int], size: int) -> tuple[int, ...]:
    """Return `size` of the rows (all where there are fewer), in ascending order: each is as likely as any other.

    A row's lot depends on the seed and the row alone, so that a row more or less changes the sample by one at most.
    """
    lots = sorted(rows, key=lambda row: hashlib.sha256(f"{seed} {row}".encode()).digest())
    return tuple(sorted(lots[: max(0, size)]))


def _at(level: Level) -> Severity:
    return Severity(rank=LEVELS.index(level), level=level)


def _level(finding: str) -> Level:
    return next((level for level, names in _LEVELS if finding in names), "content")
