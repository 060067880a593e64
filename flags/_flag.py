"""What a flag is, and what it may borrow."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from flags._case import Case, Verdict

EVERY_OTHER = "*"
"""Among a flag's `needs`: all other flags; it then speaks last."""

_REFERENCE, _ANSWER = "{{ reference }}", "{{ answer }}"

Judgement = Mapping[str, str]
"""A judge's checked reply: the rubric's field names → what it said."""

Grid = Sequence[Sequence[Judgement]]
"""Replies on parts: a line for each part of the answer, in it a reply for each part of what it is held against."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """One field of a judge's reply; `choices` makes it an enumeration, empty means free text."""

    name: str
    description: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Rubric:
    """A question to a judge, kept beside the flag that asks it.

    `template` is Jinja2 over `question` and `answer` (see `flags.render`); the judge fences every untrusted text.
    `fields` stand in the order the judge must answer them: evidence, reason, verdict last. In a `symmetric` one the
    order in which the two answers are shown must not matter. `merge` says what replies on parts of long texts come to;
    without it long texts cannot be judged.
    """

    name: str
    template: str
    fields: tuple[Field, ...]
    symmetric: bool = False
    merge: Callable[[Grid], Judgement] | None = field(default=None, compare=False)

    @cached_property
    def version(self) -> str:
        """Return a digest of every word of the rubric: runs say by it which wording judged them."""
        words = [self.template, *(repr((each.name, each.description, each.choices)) for each in self.fields)]
        return hashlib.sha256("\0".join(words).encode()).hexdigest()[:8]

    def turned(self) -> "Rubric":
        """Return the rubric with the new answer shown before the reference; only a symmetric one can be turned."""
        parts = self.template.split(_REFERENCE)
        turned = [part.replace(_ANSWER, _REFERENCE) for part in parts]
        return replace(self, template=_ANSWER.join(turned))


class Judge(Protocol):
    """Answers a rubric about a case, or raises `JudgeFailed`."""

    @property
    def name(self) -> str:
        """Which judge this is, as recorded with the run (`local 1`, `llm gpt-4.1`)."""
        ...

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Return a value for each of the rubric's fields; choices are guaranteed to be one of those listed."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """Which model this is, as recorded with the run."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array (len(texts), dimensions) of unit rows; long texts are read in windows, never cut."""
        ...


class Entailment(Protocol):
    """Says whether one sentence follows from another."""

    @property
    def name(self) -> str:
        """Which model this is, as recorded with the run."""
        ...

    async def weigh(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Return an array (len(pairs), 2): how likely the first text entails, and contradicts, the second."""
        ...


@dataclass(frozen=True, kw_only=True)
class Tools:
    """What a flag may borrow from the service."""

    judge: Judge
    embedder: Embedder


class Flag(Protocol):
    """A frozen dataclass whose fields are its settings.

    `needs` names the flags that must speak first; `EVERY_OTHER` stands for all.
    """

    needs: ClassVar[tuple[str, ...]]

    async def __call__(self, case: Case, tools: Tools) -> Verdict:
        """Return this flag's verdict on the case."""
        ...


Settings = Mapping[str, Mapping[str, Any]]
"""Flag name → its settings."""
