"""The fake shipped beside the real assistants: it says what it was told to, or repeats the question."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from flags import Answer, Source
from service.assistants._assistant import Backend as Base
from service.assistants._assistant import Kit, PlannedCall
from service.assistants._space import Location, Space
from service.assistants._trouble import troubles
from service.errors import AnswerScripted


class ScriptedSource(BaseModel):
    """A source a scripted answer cites."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(description="What stands in column Sources.")
    pages: str = Field("", description="Its pages, such as `3, 4`.")
    identity: str = Field("", description="Its content id or address, where names are not enough.")
    text: str = Field("", description="What it says; hallucination is judged by it.")


class Script(BaseModel):
    """What to say to one question; a plain text stands for `answer` alone, `error` for a failure with that code."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer: str = Field("", description="The answer.")
    sources: tuple[ScriptedSource, ...] = Field((), description="The sources it cites.")
    modules: tuple[str, ...] = Field((), description="The modules it chose.")
    followup: bool | None = Field(None, description="Whether it took the question for a follow-up.")
    error: str = Field("", description="Instead of an answer: the code of the error to fail with.")

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return {"answer": value} if isinstance(value, str) else value


_Scripts = TypeAdapter(dict[str, Script])


class Backend(Base):
    """Scripted answers by question; a question without one is repeated. `answers` win over `answers_file`."""

    answers: dict[str, Script] = Field(default_factory=dict, description="What to say, by question.")
    answers_file: Location | None = Field(None, description="A YAML or JSON file of further answers, by question.")
    latency_ms: float = Field(0, ge=0, description="Time an answer takes, in milliseconds.")

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the file of answers."""
        if self.answers_file:
            try:
                _read(self.answers_file)
            except (OSError, ValueError, yaml.YAMLError) as error:
                yield f"answers_file {self.answers_file} cannot be used ({_said(error)})"

    def calls(self, question: str) -> tuple[PlannedCall, ...]:
        """Return no call: no model is asked."""
        return ()

    def open(self, space: Space, kit: Kit) -> "EchoAssistant":
        """Return the assistant."""
        return EchoAssistant(space.name, self)


class EchoAssistant:
    """Answers from its scripts; a file of answers is read again when it was changed."""

    def __init__(self, space: str, settings: Backend) -> None:
        self._space = space
        self._settings = settings
        self._stamp: tuple[int, int] | None = None
        self._scripts: Mapping[str, Script] = settings.answers

    async def ask(self, question: str) -> Answer:
        """Return the scripted answer, or the question; raise `AnswerScripted` under the scripted code."""
        await asyncio.sleep(self._settings.latency_ms / 1000)
        script = self._known().get(question.strip()) or Script(answer=question)
        if script.error:
            failure = AnswerScripted(space=self._space)
            failure.code = script.error  # type: ignore[misc]  # a rehearsal of any code, not of one class
            raise failure
        sources = tuple(Source(**source.model_dump()) for source in script.sources)
        return Answer(
            text=script.answer,
            sources=sources,
            passages=sources,
            modules=script.modules,
            followup=script.followup,
            messages={"question": question, "model": "echo"},
        )

    async def aclose(self) -> None:
        """Hold nothing."""

    def _known(self) -> Mapping[str, Script]:
        path = self._settings.answers_file
        if path:
            told = path.stat()
            stamp = told.st_mtime_ns, told.st_size
            if stamp != self._stamp:
                self._stamp, self._scripts = stamp, {**_read(path), **self._settings.answers}
        return self._scripts


def _read(path: Path) -> dict[str, Script]:
    return _Scripts.validate_python(yaml.safe_load(path.read_text(encoding="utf-8-sig")) or {})


def _said(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return "; ".join(map(str, troubles(error, Script)))
    return " ".join(str(error).split())
