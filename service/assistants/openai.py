"""Any OpenAI-compatible chat endpoint, alone or with documents it must cite and modules it chooses from."""

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from flags import Answer, Source
from service.assistants._assistant import Backend as Base
from service.assistants._assistant import Chat, ChatReply, Kit, Message, PlannedCall
from service.assistants._citations import cite
from service.assistants._files import missing
from service.assistants._prompts import GROUNDED, passages_for, select_prompt, select_schema
from service.assistants._retriever import Retrieved, Retriever
from service.assistants._space import Locations, Name, Space, Variable
from service.assistants._told import told_of
from service.errors import AnswerEmpty, AnswerFiltered, ModuleNotChosen

CHOICE_TOKENS = 40
"""A reason of a few words and the name of a module."""


def _without_secrets(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError("write the address as http://… or https://…")
    if "@" in parts.netloc or parts.query:
        raise ValueError("write the address without user, password or key; name the key's variable in api_key_env")
    return url


Address = Annotated[str, AfterValidator(_without_secrets)]


class Module(BaseModel):
    """A part of the assistant with a prompt and documents of its own; what it leaves out is that of the space."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name = Field(description="What stands in column Modules.")
    description: str = Field(min_length=1, description="Its matter; the model chooses by it.")
    system_prompt: str = Field("", description="Its system prompt; none: that of the space.")
    documents: Locations = Field((), description="Its files and folders; none: those of the space.")


class Backend(Base):
    """Asks a model; with documents it answers from retrieved passages, with modules it chooses one first."""

    model: Name = Field(description="The model's name at the endpoint.")
    base_url: Address | None = Field(None, description="The endpoint; none: `OPENAI_BASE_URL`, else OpenAI.")
    api_key_env: Variable | None = Field(
        "OPENAI_API_KEY", description="Name of the variable with the key; `null` for an endpoint without keys."
    )
    system_prompt: str = Field("", description="What the model is told before each question.")
    options: dict[str, Any] = Field(
        default_factory=dict, description="Further fields of each request, such as `{temperature: 0, seed: 1}`."
    )
    documents: Locations = Field((), description="A folder or file, or a list of them, to answer from and to cite.")
    passages: int = Field(6, ge=1, le=50, description="Passages given to the model with each question.")
    modules: tuple[Module, ...] = Field((), description="Parts of the assistant, of which one answers.")

    def problems(self) -> Iterator[str]:
        """Yield missing files and folders."""
        for places in (self.documents, *(module.documents for module in self.modules)):
            yield from missing(places)
        if reserved := {"model", "messages", "stream", "n", "response_format", "tools"} & set(self.options):
            yield f"options.{min(reserved)} cannot be set: flagbook sets it itself"

    def calls(self, question: str) -> tuple[PlannedCall, ...]:
        """Return the choice of a module, where there are some, and the question itself."""
        documents = self.documents or any(module.documents for module in self.modules)
        system = "\n\n".join(part for part in (self.system_prompt, GROUNDED if documents else "") if part)
        asked = PlannedCall(model=self.model, text=f"{system}\n{question}", passages=self.passages if documents else 0)
        if not self.modules:
            return (asked,)
        choice = select_prompt((module.name, module.description) for module in self.modules)
        return (PlannedCall(model=self.model, text=f"{choice}\n{question}", reply_tokens=CHOICE_TOKENS), asked)

    def open(self, space: Space, kit: Kit) -> "OpenAIAssistant":
        """Return the assistant; raise `KeyMissing` when the variable is not set."""
        chat = kit.chat.open(self.base_url, self.api_key_env, concurrency=space.concurrency)
        places = {self.documents, *(module.documents for module in self.modules)}
        readers = {files: Retriever(space.name, files, kit) for files in places if files}
        return OpenAIAssistant(self, space.name, chat, readers)


@dataclass
class _Turn:
    """What was found out on the way to one answer."""

    module: Module | None = None
    retrieved: Retrieved | None = None
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def passages(self) -> tuple[Source, ...]:
        return tuple(found.passage.source for found in self.retrieved.found) if self.retrieved else ()


class OpenAIAssistant:
    """One conversation a question: choose a module, look passages up, ask, read the citations."""

    def __init__(
        self, settings: Backend, space: str, chat: Chat, readers: Mapping[tuple[Path, ...], Retriever]
    ) -> None:
        self._settings = settings
        self._space = space
        self._chat = chat
        self._readers = readers

    async def ask(self, question: str) -> Answer:
        """Return the model's answer with the sources it cites.

        A refusal in the model's words is an answer, an answer cut short is kept and marked in the messages. Raise
        `AnswerEmpty`, `AnswerFiltered`, `ModuleNotChosen` or `EndpointFailed` when there is none.
        """
        started = time.perf_counter()
        turn = _Turn()
        if self._settings.modules:
            turn.module = await self._module(question, turn)
        documents = (turn.module and turn.module.documents) or self._settings.documents
        if documents:
            turn.retrieved = await self._readers[documents].find(question, self._settings.passages)
        prompt = (turn.module and turn.module.system_prompt) or self._settings.system_prompt
        reply = await self._reply(question, prompt, turn)
        text, sources, lost = cite(self._text(reply), turn.passages)
        if lost and turn.retrieved:
            turn.told["marks_without_passage"] = list(lost)
        turn.told["seconds"] = round(time.perf_counter() - started, 3)
        return Answer(
            text=text,
            sources=sources,
            passages=turn.passages,
            modules=(turn.module.name,) if turn.module else (),
            messages=turn.told,
        )

    async def aclose(self) -> None:
        """Hold nothing; the endpoint is closed by those who opened it."""

    async def _reply(self, question: str, prompt: str, turn: _Turn) -> ChatReply:
        instructions = "\n\n".join(part for part in (prompt, GROUNDED if turn.retrieved else "") if part)
        user: Message = {"role": "user", "content": question}
        shown = [{"role": "system", "content": instructions}] if instructions else []
        sent = list(shown)
        if turn.retrieved:
            sent = [{"role": "system", "content": f"{instructions}\n\n{passages_for(turn.passages)}"}]
            turn.told["passages"] = [told_of(found) for found in turn.retrieved.found]
            if turn.retrieved.notes:
                turn.told["notes"] = list(turn.retrieved.notes)
        reply = await self._chat.complete([*sent, user], model=self._settings.model, **self._settings.options)
        said = {"role": "assistant", "content": reply.text or reply.refusal}
        turn.told |= {"messages": [*shown, user, said], **_cost(reply)}
        return reply

    def _text(self, reply: ChatReply) -> str:
        text = reply.text.strip() or reply.refusal.strip()
        if text:
            return text
        failure = AnswerFiltered if reply.finish_reason == "content_filter" else AnswerEmpty
        raise failure(space=self._space, model=self._settings.model)

    async def _module(self, question: str, turn: _Turn) -> Module:
        """Return the module the model chooses; nothing is guessed when it chooses none."""
        modules = {module.name: module for module in self._settings.modules}
        task = select_prompt((module.name, module.description) for module in modules.values())
        messages = [{"role": "system", "content": task}, {"role": "user", "content": question}]
        reply = await self._chat.structured(messages, model=self._settings.model, schema=select_schema(list(modules)))
        try:
            choice = json.loads(reply.text)
            chosen = modules[choice["module"]]
        except (ValueError, KeyError, TypeError):
            problem = reply.refusal[:200] or f"its reply named none of {', '.join(modules)}."
            raise ModuleNotChosen(space=self._space, problem=problem) from None
        turn.told["module"] = {"name": chosen.name, "reason": str(choice.get("reason", "")), **_cost(reply)}
        return chosen


def _cost(reply: ChatReply) -> dict[str, Any]:
    return {
        "model": reply.model,
        "finish_reason": reply.finish_reason,
        "tokens": {"prompt": reply.prompt_tokens, "completion": reply.completion_tokens},
        "call_seconds": reply.seconds,
    }
