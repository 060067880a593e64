"""The local judge: the flags' rubrics answered by rules."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from flags._case import Case
from flags._clean import answer_of, reference_of
from flags._errors import JudgeFailed
from flags._evidence import evidence
from flags._flag import Embedder, Entailment, Judgement, Rubric
from flags._local import _replies, _verdicts
from flags._local._claims import Text, read
from flags._local._inference import inferred
from flags._local._language import language_of
from flags._local._memory import Memory
from flags._local._pairs import Pairs, pair
from flags._local._score import Blend
from flags._local._words import words

_SHOWS = 2000
"""So many characters of an answer show its language."""


@dataclass(frozen=True, kw_only=True)
class _Read:
    """A case as the rules read it."""

    question: Text
    reference: Text
    answer: Text


_Compared: TypeAlias = tuple[_Read, Pairs, _verdicts.Difference]


class LocalJudge:
    """A judge without a language model.

    It compares numbers, dates, names, negations and opposites exactly, and sentences by their words and by the
    borrowed embedder (one call a case). It knows English, German, French and Italian. A borrowed model of inference
    (`entailment`) is asked about the sentences of both answers that are most alike.
    """

    def __init__(self, embedder: Embedder, blend: Blend | None = None, *, entailment: Entailment | None = None) -> None:
        self.name = f"local 2 with {entailment.name}" if entailment else "local 2"
        self._embedder = embedder
        self._entailment = entailment
        self._blend = blend or Blend()
        self._known: Memory[_Compared] = Memory()
        self._rulings: Mapping[str, Callable[[Case], Awaitable[Judgement]]] = {
            "equivalence": self._equivalence,
            "contradiction": self._contradiction,
            "coverage": self._coverage,
            "relation": self._relation,
            "hallucination": self._hallucination,
        }

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Return the reply to one of the five rubrics it knows; raise `JudgeFailed` for others."""
        ruling = self._rulings.get(rubric.name)
        if ruling is None:
            raise JudgeFailed(
                "judge_unable", f"The local judge has no rules for “{rubric.name}”; use a language model."
            )
        return await ruling(case)

    async def difference(self, case: Case) -> _verdicts.Difference:
        """Return how surely reference and answer differ, with all that was measured."""
        return (await self._compared(case))[2]

    async def _equivalence(self, case: Case) -> Judgement:
        texts, pairs, found = await self._compared(case)
        return await asyncio.to_thread(_verdicts.equivalence, found, pairs, texts.question)

    async def _contradiction(self, case: Case) -> Judgement:
        _, pairs, found = await self._compared(case)
        return _replies.contradiction(found, pairs)

    async def _coverage(self, case: Case) -> Judgement:
        texts, pairs, found = await self._compared(case)
        nearness = await self._nearness(texts, case)
        return await asyncio.to_thread(_replies.coverage, found, pairs, texts.question, nearness)

    async def _relation(self, case: Case) -> Judgement:
        texts = await asyncio.to_thread(_read, case)
        return _replies.relation(texts.answer, texts.question, await self._nearness(texts, case))

    async def _hallucination(self, case: Case) -> Judgement:
        texts = await asyncio.to_thread(_read, case)
        content = "\n".join(source.text for source in evidence(case))
        sources = await asyncio.to_thread(read, content, texts.answer.language)
        pairs = await pair(sources, texts.answer)
        return await asyncio.to_thread(_replies.hallucinated, pairs, texts.question)

    async def _compared(self, case: Case) -> _Compared:
        key = (case.question.text, case.question.reference, case.answer.text)
        return await self._known.once(key, lambda: self._compare(case))

    async def _compare(self, case: Case) -> _Compared:
        texts = await asyncio.to_thread(_read, case)
        pairs = await pair(texts.reference, texts.answer, self._embedder, case.question.text)
        found = await asyncio.to_thread(_verdicts.difference, pairs, texts.question, self._blend)
        return texts, pairs, await inferred(found, pairs, self._entailment) if self._entailment else found

    async def _nearness(self, texts: _Read, case: Case) -> float:
        """Return the cosine of question and answer where words alone do not show that they belong together."""
        if not _replies.looks_off_topic(texts.answer, texts.question):
            return 1.0
        vectors = np.asarray(await self._embedder.embed([case.question.text, answer_of(case)]), dtype=np.float64)
        return float(np.nan_to_num(vectors[0] @ vectors[1]))


def _read(case: Case) -> _Read:
    reference, answer = reference_of(case), answer_of(case)
    # a question of a few names shows its language least
    question = read(case.question.text, language_of(words(f"{reference[:_SHOWS]} {answer[:_SHOWS]}")))
    return _Read(
        question=question, reference=read(reference, question.language), answer=read(answer, question.language)
    )
