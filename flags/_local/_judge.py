"""The local judge: the flags' rubrics answered by rules."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import numpy as np

from flags._case import Case
from flags._clean import answer_of, reference_of
from flags._errors import JudgeFailed
from flags._evidence import evidence
from flags._flag import Embedder, Judgement, Rubric
from flags._local import _replies
from flags._local._claims import Text, read
from flags._local._memory import Memory
from flags._local._pairs import Pairs, pair


@dataclass(frozen=True, kw_only=True)
class _Read:
    """A case as the rules read it."""

    question: Text
    reference: Text
    answer: Text


class LocalJudge:
    """A judge without a language model.

    It compares numbers, dates, names, negations and opposites exactly, and sentences by their words and by the
    borrowed embedder (one call a case). It knows English, German, French and Italian.
    """

    name = "local 1"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._pairs: Memory[Pairs] = Memory()
        self._rulings: Mapping[str, Callable[[Case], Awaitable[Judgement]]] = {
            "contradiction": self._contradiction,
            "coverage": self._coverage,
            "relation": self._relation,
            "hallucination": self._hallucination,
        }

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Return the reply to one of the four rubrics it knows; raise `JudgeFailed` for others."""
        ruling = self._rulings.get(rubric.name)
        if ruling is None:
            raise JudgeFailed(
                "judge_unable", f"The local judge has no rules for “{rubric.name}”; use a language model."
            )
        return await ruling(case)

    async def _contradiction(self, case: Case) -> Judgement:
        texts = await asyncio.to_thread(_read, case)
        pairs = await self._side_by_side(texts, case)
        return await asyncio.to_thread(_replies.contradiction, pairs, texts.question)

    async def _coverage(self, case: Case) -> Judgement:
        texts = await asyncio.to_thread(_read, case)
        pairs = await self._side_by_side(texts, case)
        nearness = await self._nearness(texts, case)
        return await asyncio.to_thread(_replies.coverage, pairs, texts.question, nearness)

    async def _relation(self, case: Case) -> Judgement:
        texts = await asyncio.to_thread(_read, case)
        return _replies.relation(texts.answer, texts.question, await self._nearness(texts, case))

    async def _hallucination(self, case: Case) -> Judgement:
        texts = await asyncio.to_thread(_read, case)
        content = "\n".join(source.text for source in evidence(case))
        sources = await asyncio.to_thread(read, content, texts.answer.language)
        pairs = await pair(sources, texts.answer)
        return await asyncio.to_thread(_replies.hallucinated, pairs, texts.question)

    async def _side_by_side(self, texts: _Read, case: Case) -> Pairs:
        key = (case.question.text, case.question.reference, case.answer.text)
        return await self._pairs.once(key, lambda: pair(texts.reference, texts.answer, self._embedder))

    async def _nearness(self, texts: _Read, case: Case) -> float:
        """Return the cosine of question and answer where words alone do not show that they belong together."""
        if not _replies.looks_off_topic(texts.answer, texts.question):
            return 1.0
        vectors = np.asarray(await self._embedder.embed([case.question.text, answer_of(case)]), dtype=np.float64)
        return float(np.nan_to_num(vectors[0] @ vectors[1]))


def _read(case: Case) -> _Read:
    question = read(case.question.text)
    return _Read(
        question=question,
        reference=read(reference_of(case), question.language),
        answer=read(answer_of(case), question.language),
    )
