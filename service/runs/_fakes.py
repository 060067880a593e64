"""A run room on an empty home, with assistants, a judge and an embedder that do as they are told."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flags import Answer, Case, Embedder, JudgeFailed, Judgement, Rubric, Source, Tools
from flags._fakes import WordEmbedder
from service.assistants import Space
from service.runs._bench import Bench
from service.runs._open import open_runs
from service.runs._runs import Runs
from service.settings import Settings
from service.workbook import Limits

CALM = {"agrees", "answers", "equal", "fully_supported"}


@dataclass
class ToldAssistant:
    """Answers each question with the text set for it (else with the question itself), with those of a list in turn.

    It waits while `gate` is closed, and with the questions in `holds` until `release` (with each one that was asked
    `most` times before as well); `waiting` are those it
    keeps waiting.
    """

    says: dict[str, str | Exception | list[str | Exception]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    waiting: set[str] = field(default_factory=set)
    holds: set[str] = field(default_factory=set)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    held: asyncio.Event = field(default_factory=asyncio.Event)
    most_at_once: int = 0
    most: int = 10_000

    async def ask(self, question: str) -> Answer:
        """Return the answer, or raise what was set."""
        turn = self.asked.count(question)
        self.asked.append(question)
        self.waiting.add(question)
        self.most_at_once = max(self.most_at_once, len(self.waiting))
        try:
            await asyncio.sleep(0)
            await self.gate.wait()
            if question in self.holds or turn >= self.most:
                await self.held.wait()
        finally:
            self.waiting.discard(question)
        said = self.says.get(question, question)
        if isinstance(said, list):
            said = said[turn % len(said)]
        if isinstance(said, Exception):
            raise said
        source = Source(name="Manual.pdf", text=said)
        return Answer(text=said, sources=(source,), passages=(source,), messages={"model": "told-1"})

    def release(self) -> None:
        """Answer the questions held."""
        self.held.set()

    async def aclose(self) -> None:
        """Hold nothing."""


class WordJudge:
    """Finds nothing, except a contradiction where the answer says WRONG, and no verdict where it says UNCLEAR."""

    name = "words 1"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Return a calm choice for each field."""
        self.asked.append((rubric.name, case.question.text))
        if "UNCLEAR" in case.answer.text:
            raise JudgeFailed("judge_malformed", "The judge's reply could not be read.")
        reply = {}
        for each in rubric.fields:
            calm = next((choice for choice in each.choices if choice in CALM), "nothing")
            wrong = "contradicts" in each.choices and "WRONG" in case.answer.text
            reply[each.name] = "contradicts" if wrong else calm
        return reply


@dataclass
class World:
    """Everything a test needs to have runs, and to look at what became of them."""

    home: Path
    spaces: tuple[Space, ...]
    assistants: dict[str, ToldAssistant]
    judge: WordJudge = field(default_factory=WordJudge)
    embedder: Embedder = field(default_factory=WordEmbedder)
    changes: dict[str, Any] = field(default_factory=dict)
    opened: list[Space] = field(default_factory=list)
    fault: Exception | None = None
    closed: dict[str, Exception] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        """The settings the run room is opened with."""
        return Settings(home=self.home, judge="local", **self.changes)

    @asynccontextmanager
    async def open(self, executor: str = "serve") -> AsyncIterator[Runs]:
        """Open the run room as a process of that name would."""
        bench = self.bench()
        async with open_runs(self.settings, executor=executor, spaces=self.spaces, bench=bench, grace_s=0.3) as runs:
            yield runs
        await bench.aclose()

    def bench(self) -> Bench:
        """Return what a process asks and judges with."""
        return Bench(
            tools=self._tools,
            assistant=self._assistant,
            rows_at_once=self.settings.rows_at_once,
            limits=Limits.of(self.settings),
        )

    def asked(self) -> list[str]:
        """Return every question that was asked, in order of the spaces."""
        return [question for assistant in self.assistants.values() for question in assistant.asked]

    def open_gates(self) -> None:
        """Let every assistant answer."""
        for assistant in self.assistants.values():
            assistant.gate.set()

    def _tools(self, judging: Mapping[str, Any]) -> Tools:
        if self.fault:
            raise self.fault
        return Tools(judge=self.judge, embedder=self.embedder)

    def _assistant(self, space: Space) -> ToldAssistant:
        self.opened.append(space)
        if space.name in self.closed:
            raise self.closed[space.name]
        return self.assistants[space.name]
