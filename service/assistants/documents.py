"""The embedded assistant: answers with the best sentences of the space's documents. No key, no network."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from flags import Answer, Embedder, Language, Source, language_of, words
from service.assistants._assistant import Backend as Base
from service.assistants._assistant import Kit, PlannedCall
from service.assistants._chunks import pages_of
from service.assistants._citations import merged
from service.assistants._files import missing
from service.assistants._quotes import Quote, chosen, rank_quotes
from service.assistants._retriever import Retrieved, Retriever, indexed
from service.assistants._space import Locations, Name, Space
from service.assistants._told import told_of

NO_ANSWER: dict[Language, str] = {
    "en": "The documents contain no answer to this question.",
    "de": "Die Dokumente enthalten keine Antwort auf diese Frage.",
    "fr": "Les documents ne contiennent aucune réponse à cette question.",
    "it": "I documenti non contengono alcuna risposta a questa domanda.",
}


class Module(BaseModel):
    """A part of the assistant with a matter of its own; without documents it reads those of the space."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name = Field(description="What stands in column Modules.")
    description: str = Field(min_length=1, description="Its matter; the question is compared with it.")
    documents: Locations = Field((), description="Its files and folders; none: those of the space.")


class Backend(Base):
    """Answers with sentences of `documents` (txt, md, html, pdf, docx); with `modules` it chooses one by question."""

    documents: Locations = Field((), description="A folder or file, or a list of them (txt, md, html, pdf, docx).")
    passages: int = Field(6, ge=1, le=50, description="Passages looked at for each question.")
    sentences: int = Field(4, ge=1, le=20, description="Sentences an answer has at most.")
    modules: tuple[Module, ...] = Field((), description="Parts of the assistant, of which one answers.")

    def problems(self) -> Iterator[str]:
        """Yield missing files and folders, and modules that have nothing to read."""
        yield from missing(self.documents)
        for module in self.modules:
            yield from missing(module.documents)
        idle = [module.name for module in self.modules if not module.documents and not self.documents]
        if idle:
            yield f"documents is missing: the module {idle[0]} has nothing to read"
        if not self.modules and not self.documents:
            yield "documents is missing: name the folder or the files to answer from"

    def calls(self, question: str) -> tuple[PlannedCall, ...]:
        """Return no call: no model is asked."""
        return ()

    def open(self, space: Space, kit: Kit) -> "DocumentsAssistant":
        """Return the assistant; documents are read at the first question."""
        places = {module.name: module.documents or self.documents for module in self.modules}
        readers = {files: Retriever(space.name, files, kit) for files in (*places.values(), self.documents) if files}
        return DocumentsAssistant(self, kit.embedder, readers)


@dataclass(frozen=True)
class _Attempt:
    """What one set of documents says to a question, and how well its module fits."""

    module: str
    retrieved: Retrieved
    quotes: Sequence[Quote]
    score: float


class DocumentsAssistant:
    """Quotes the documents of a space; the same question has the same answer."""

    def __init__(self, settings: Backend, embedder: Embedder, readers: dict[tuple[Path, ...], Retriever]) -> None:
        self._settings = settings
        self._embedder = embedder
        self._readers = readers

    async def ask(self, question: str) -> Answer:
        """Return the sentences that answer the question with their sources, or that the documents do not answer it."""
        started = time.perf_counter()
        attempt = await self._attempt(question)
        quotes = chosen(attempt.quotes, self._settings.sentences)
        text, sources = _written(quotes) if quotes else (_declined(question, attempt.retrieved), ())
        return Answer(
            text=text,
            sources=sources,
            passages=tuple(found.passage.source for found in attempt.retrieved.found),
            modules=(attempt.module,) if attempt.module else (),
            followup=False,
            messages=self._messages(question, attempt, time.perf_counter() - started),
        )

    async def ask_about(self, question: str, document: str) -> Answer:
        """Return the sentences of one text that answer the question; it is indexed for this question alone.

        There are no marks in the answer: all of it stands in the one text, and `[1]` would be read as a value.
        """
        started = time.perf_counter()
        [vector] = await self._embedder.embed([question])
        index = await indexed(document, question, self._embedder, self._settings.passages)
        found = await asyncio.to_thread(index.search, question, vector, self._settings.passages)
        retrieved = Retrieved(found, vector, index, ())
        quotes = chosen(await rank_quotes(question, retrieved, self._embedder), self._settings.sentences)
        text = " ".join(_closed(quote.sentence.text) for quote in quotes) or _declined(question, retrieved)
        told = {"model": f"documents, {self._embedder.name}", "seconds": round(time.perf_counter() - started, 3)}
        sources = (_source(quotes),) if quotes else ()
        return Answer(text=text, sources=sources, followup=False, messages=told)

    async def aclose(self) -> None:
        """Hold nothing that must be let go."""

    async def _attempt(self, question: str) -> _Attempt:
        """Return the attempt of the module that fits best; equal ones keep the order of the file."""
        settings = self._settings
        if not settings.modules:
            return await self._look("", settings.documents, question)
        fits = await self._embedder.embed([question, *(f"{m.name}: {m.description}" for m in settings.modules)])
        attempts = []
        for module, fit in zip(settings.modules, fits[1:] @ fits[0], strict=True):
            attempt = await self._look(module.name, module.documents or settings.documents, question)
            attempts.append(replace(attempt, score=round(attempt.score + float(fit), 4)))
        return max(attempts, key=lambda attempt: attempt.score)

    async def _look(self, module: str, places: tuple[Path, ...], question: str) -> _Attempt:
        retrieved = await self._readers[places].find(question, self._settings.passages)
        quotes = await rank_quotes(question, retrieved, self._embedder)
        return _Attempt(module, retrieved, quotes, quotes[0].score if quotes else 0.0)

    def _messages(self, question: str, attempt: _Attempt, seconds: float) -> dict[str, Any]:
        told: dict[str, Any] = {
            "question": question,
            "model": f"documents, {self._embedder.name}",
            "seconds": round(seconds, 3),
            "passages": [told_of(found) for found in attempt.retrieved.found],
        }
        if attempt.module:
            told["module"] = {"name": attempt.module, "score": attempt.score}
        if attempt.retrieved.notes:
            told["notes"] = list(attempt.retrieved.notes)
        return told


def _written(quotes: Sequence[Quote]) -> tuple[str, tuple[Source, ...]]:
    """Return the quotes as one text with marks, and one source a document."""
    by_document: dict[str, list[Quote]] = {}
    for quote in quotes:
        by_document.setdefault(quote.found.passage.identity, []).append(quote)
    texts = [
        " ".join(_closed(quote.sentence.text) for quote in group) + f" [{number}]"
        for number, group in enumerate(by_document.values(), start=1)
    ]
    return " ".join(texts), tuple(_source(group) for group in by_document.values())


def _source(quotes: Sequence[Quote]) -> Source:
    """Return the document of the quotes with the pages they stand on."""
    whole = merged(quote.found.passage.source for quote in quotes)
    return replace(whole, pages=pages_of(quote.sentence for quote in quotes))


def _closed(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", "…", ":", "”", '"', ")")) else f"{sentence}."


def _declined(question: str, retrieved: Retrieved) -> str:
    """Return that the documents do not answer, in the question's language, else in that of the documents."""
    spoken: Language = retrieved.found[0].passage.language if retrieved.found else "en"
    return NO_ANSWER[language_of(words(question), spoken)]
