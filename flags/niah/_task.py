"""The nouns of needle in a haystack: spec, needle, trial, score, task, and what a task borrows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from flags._flag import Embedder, Judge

if TYPE_CHECKING:
    from flags.niah._corpus import Corpus

Distribution = Literal["uniform", "centered", "random", "bookends"]
Category = Literal[
    "correct", "partial", "wrong", "refused", "negated", "ambiguous", "dump",
    "first", "last", "both", "neither", "empty", "failed", "skipped", "cut",
]  # fmt: skip
EXCLUDED: frozenset[str] = frozenset({"failed", "skipped", "cut", "empty"})
"""Categories that are counted apart and left out of every mean."""


class Tokenizer(Protocol):
    """Counts text as a model would read it."""

    @property
    def name(self) -> str:
        """Which vocabulary this is, as recorded with the run."""
        ...

    @property
    def splits_before_words(self) -> bool:
        """Whether a text always splits after a letter before a space and a letter, whatever stands around."""
        ...

    def encode(self, text: str) -> NDArray[np.int32]:
        """Return the ids of the text's tokens."""
        ...

    def widths(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return how many UTF-8 bytes each token stands for."""
        ...

    def count(self, text: str) -> int:
        """Return how many tokens the text has."""
        ...


@dataclass(frozen=True, kw_only=True)
class Spec:
    """One cell of an experiment.

    `context_length` is the length of the document in tokens, `depth` in [0, 1]. `num_needles` None and
    `distribution` "" stand for the task's own default. `parameters` are the task's settings, as JSON has them.
    """

    task: str
    context_length: int
    depth: float = 0.5
    num_needles: int | None = None
    distribution: Distribution | Literal[""] = ""
    haystack: str = "synthetic"
    seed: int = 0
    trial: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Needle:
    """A fact in the document.

    `wanted` is the depth that was asked for; `position` the token at which the needle begins and `depth` that
    position as a share of the document's tokens (the true depth), both known once the document is built.
    """

    text: str
    value: str
    entity: str = ""
    attribute: str = ""
    wanted: float = 0.5
    position: int = 0
    depth: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A document with its question, and what a right answer is.

    `known` are names that stand in the question and are no answers, `decoys` wrong answers of the right kind that
    stand in the document. `details` holds what only the trial's own task reads. Question and expected answers alone
    are enough to score a response.
    """

    question: str = ""
    expected: tuple[str, ...] = ()
    document: str = ""
    tokens: int = 0
    needles: tuple[Needle, ...] = ()
    known: tuple[str, ...] = ()
    decoys: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Score:
    """What a response is worth, in [0, 1]; `score` is None only where it could not be judged (category "failed")."""

    score: float | None
    category: Category
    scorer: str
    explanation: str
    code: str = ""


@dataclass(frozen=True, kw_only=True)
class Borrowed:
    """What a scorer may borrow from the service; without it the semantic and the judge scorer fail with a code."""

    embedder: Embedder | None = None
    judge: Judge | None = None


class Task(Protocol):
    """A frozen dataclass whose fields are its parameters.

    `counts` are the least, the default and the greatest number of needles. `distribution` is the default strategy,
    None where needles have no depth. `is_swept` tells whether the depth axis says something whatever the strategy;
    `has_filler` whether a corpus is read.
    """

    title: ClassVar[str]
    counts: ClassVar[tuple[int, int, int]]
    distribution: ClassVar[Distribution | None]
    is_swept: ClassVar[bool]
    has_filler: ClassVar[bool]

    def make(self, spec: Spec, corpus: "Corpus | None", tokenizer: Tokenizer) -> Trial:
        """Return the trial of a cell: the same for the same spec and corpus, on any machine."""
        ...

    async def score(self, trial: Trial, response: str, borrowed: Borrowed) -> Score:
        """Return what a response is worth."""
        ...
