"""Fakes for tests, shipped beside the real thing so that nobody needs to patch."""

import hashlib
import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from flags._case import Case
from flags._errors import JudgeFailed
from flags._flag import Judgement, Rubric


class ScriptedJudge:
    """A judge that says what it was told to, by rubric name, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, script: Mapping[str, Judgement | JudgeFailed]) -> None:
        self.script = script
        self.asked: list[str] = []

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Return the scripted judgement for the rubric, or raise the scripted failure."""
        self.asked.append(rubric.name)
        reply = self.script[rubric.name]
        if isinstance(reply, JudgeFailed):
            raise reply
        return reply


class WordEmbedder:
    """An embedder on hashed words: equal texts have cosine 1, texts without a common word 0."""

    name = "words"
    dimensions = 512

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows counting hashed lower-case words; an empty text is a zero row."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                row[int.from_bytes(hashlib.blake2b(word.encode(), digest_size=4).digest()) % self.dimensions] += 1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        np.divide(rows, lengths, out=rows, where=lengths > 0)
        return rows
