"""The nouns every flag speaks of: question, source, answer, verdict, case."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["given", "skipped", "failed"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A document (or a passage of it) that an answer refers to.

    `identity` is a content id or URL where the assistant knows one; two sources are the same document when their
    `document` is equal (see `flags.documents`). `text` is the passage's content, empty when unknown.
    """

    name: str
    pages: str = ""
    identity: str = ""
    text: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A row's left half: what is asked of which space, and the answer accepted last time (the reference).

    `correct` is column D: True yes, False no, None not said. `reference` is empty in a first run.
    """

    text: str
    space: str
    id: str = ""
    correct: bool | None = None
    reference: str = ""
    reference_sources: tuple[Source, ...] = ()
    reference_modules: tuple[str, ...] = ()
    reference_followup: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What an assistant said.

    `sources` are those the answer references, `passages` all that were retrieved for it (both may carry texts).
    `followup` is None where the assistant reports nothing. `messages` is the JSON-able content of column N:
    messages, retrieved passages, model, tokens, times.
    """

    text: str
    sources: tuple[Source, ...] = ()
    passages: tuple[Source, ...] = ()
    modules: tuple[str, ...] = ()
    followup: bool | None = None
    messages: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """A flag's opinion of one answer.

    `value` is set only when `status` is "given": TRUE means a deviation. `score` is a number the opinion rests on
    (cosine in [-1, 1]). `code` names the failure of a failed verdict, and on a final verdict that the row could not
    be judged.
    """

    status: Status
    value: bool | None = None
    reason: str = ""
    score: float | None = None
    code: str = ""

    @classmethod
    def given(cls, value: bool, reason: str = "", *, score: float | None = None, code: str = "") -> "Verdict":
        """Return an opinion that was formed."""
        return cls(status="given", value=bool(value), reason=reason, score=score, code=code)

    @classmethod
    def skipped(cls, reason: str) -> "Verdict":
        """Return 'there was nothing to judge', with the reason."""
        return cls(status="skipped", reason=reason)

    @classmethod
    def failed(cls, code: str, reason: str) -> "Verdict":
        """Return 'it should have been judged and could not be', with a code and a sentence."""
        return cls(status="failed", reason=reason, code=code)

    def __bool__(self) -> bool:
        raise TypeError("a verdict is not a bool: read .status, then .value")


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One question with its new answer, and the verdicts given so far (by flag name)."""

    question: Question
    answer: Answer
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
