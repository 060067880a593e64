"""What the tests of the flags share: a way to write a case in one line, and tools that are fakes."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from flags import Answer, Case, Judgement, LocalJudge, Question, Source, Tools, Verdict, discover, evaluate
from flags._fakes import ScriptedJudge, WordEmbedder

MakeCase = Callable[..., Case]
JudgeLocally = Callable[..., Awaitable[dict[str, Verdict]]]


@pytest.fixture
def make_case() -> MakeCase:
    """A case from question, reference and answer; sources and modules by keyword."""

    def make(reference: str, answer: str, question: str = "What is the limit?", **more: Any) -> Case:
        right = {key: more.pop(key) for key in ("sources", "passages", "modules") if key in more}
        return Case(
            question=Question(text=question, space="Travel", reference=reference, **more),
            answer=Answer(text=answer, **right),
        )

    return make


@pytest.fixture
def agreeable() -> dict[str, Judgement]:
    """A judge's replies when nothing is wrong."""
    return {
        "contradiction": {"reference_quote": "", "answer_quote": "", "reason": "Same.", "verdict": "agrees"},
        "coverage": {
            "missing_quote": "",
            "extra_quote": "",
            "extent_reason": "Same points.",
            "extent": "equal",
            "relation_reason": "It answers.",
            "relation": "answers",
        },
        "relation": {"relation_reason": "It answers.", "relation": "answers"},
        "hallucination": {"unsupported_quote": "", "reason": "All there.", "verdict": "fully_supported"},
    }


@pytest.fixture
def scripted(agreeable: dict[str, Judgement]) -> Callable[..., Tools]:
    """Tools whose judge is agreeable but for the fields given as `rubric={field: value}`."""

    def make(**changes: Any) -> Tools:
        script = {
            name: {**reply, **changes[name]} if isinstance(changes.get(name), dict) else changes.get(name, reply)
            for name, reply in agreeable.items()
        }
        return Tools(judge=ScriptedJudge(script), embedder=WordEmbedder())

    return make


@pytest.fixture
def judge_locally(make_case: MakeCase) -> JudgeLocally:
    """All flags on a case, judged by rules."""

    async def judge(reference: str, answer: str, question: str, *sources: str, **settings: Any) -> dict[str, Verdict]:
        read = tuple(Source(name=f"Source {n}", text=text) for n, text in enumerate(sources, start=1))
        tools = Tools(judge=LocalJudge(WordEmbedder()), embedder=WordEmbedder())
        return await evaluate(make_case(reference, answer, question, sources=read), discover(settings), tools)

    return judge
