"""What an assistant is, what a backend is, and what a backend may borrow."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, ValidationError

from flags import Answer, Embedder
from service.assistants._discover import backend_named
from service.assistants._shelf import Shelf
from service.assistants._space import Space
from service.assistants._trouble import troubles
from service.errors import SpaceBroken

Message = Mapping[str, Any]
"""One chat message as OpenAI writes it: `{"role": …, "content": …}`."""


class Assistant(Protocol):
    """Answers questions, each in a new conversation, as many at the same time as the caller likes."""

    async def ask(self, question: str) -> Answer:
        """Return the answer, or raise a `ServiceError` that says why there is none."""
        ...

    async def aclose(self) -> None:
        """Let go of what the assistant holds."""
        ...


@runtime_checkable
class Reader(Protocol):
    """An assistant that reads documents of its own: one is indexed for a single question about it."""

    async def ask_about(self, question: str, document: str) -> Answer:
        """Return the answer that a text alone gives to a question."""
        ...


class ChatReply(Protocol):
    """One reply of a chat endpoint; token counts are None where the endpoint does not tell them."""

    @property
    def text(self) -> str: ...
    @property
    def refusal(self) -> str: ...
    @property
    def finish_reason(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def prompt_tokens(self) -> int | None: ...
    @property
    def completion_tokens(self) -> int | None: ...
    @property
    def seconds(self) -> float: ...


class Chat(Protocol):
    """An OpenAI-compatible chat endpoint behind its limiter."""

    async def complete(self, messages: Sequence[Message], *, model: str, **options: Any) -> ChatReply:
        """Return the reply; `options` are the endpoint's own request fields. Raise `EndpointFailed` otherwise."""
        ...

    async def structured(
        self, messages: Sequence[Message], *, model: str, schema: Mapping[str, Any], **options: Any
    ) -> ChatReply:
        """Return a reply whose text is meant to be JSON of the schema (not checked here)."""
        ...


class Chats(Protocol):
    """Opens chat endpoints; the same address and key give the same endpoint and limiter."""

    def open(self, base_url: str | None, api_key_env: str | None, *, concurrency: int) -> Chat:
        """Return the endpoint; raise `KeyMissing` when the variable is not set."""
        ...


@dataclass(frozen=True, kw_only=True)
class Kit:
    """What a backend may borrow: an embedder, chat endpoints, a folder for document indexes.

    One kit serves a process; `shelf` keeps the indexes built so far so that each is built once.
    """

    embedder: Embedder
    chat: Chats
    index_folder: Path
    shelf: Shelf = field(default_factory=Shelf, repr=False)


@dataclass(frozen=True, kw_only=True)
class PlannedCall:
    """A call a backend would make: its model, the text it sends, and how many passages it adds to that.

    `reply_tokens` None: its reply is as long as an answer.
    """

    model: str
    text: str
    passages: int = 0
    reply_tokens: int | None = None


class Backend(BaseModel, ABC):
    """A way to reach an assistant; its settings are its fields, unknown ones are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def problems(self) -> Iterator[str]:
        """Yield what would keep the space from being asked and can be seen without asking."""
        yield from ()

    def calls(self, question: str) -> tuple[PlannedCall, ...] | None:
        """Return the calls to models that a question costs; None where flagbook does not see them."""
        return None

    @abstractmethod
    def open(self, space: Space, kit: Kit) -> Assistant:
        """Return the assistant of the space; nothing slow happens before its first question."""


def open_assistant(space: Space, kit: Kit) -> Assistant:
    """Return the assistant of a space, also of a snapshot that another process took.

    Raise `SpaceBroken` when its settings cannot be used (any more), `KeyMissing` when a variable is not set.
    """
    backend = _backend(space)
    problems = list(backend.problems())
    if problems:
        raise SpaceBroken(space=space.name, problem=" ".join(f"{problem}." for problem in problems))
    return backend.open(space, kit)


def calls_of(space: Space, question: str) -> tuple[PlannedCall, ...] | None:
    """Return the calls to models that a question to a space costs; None where flagbook does not see them.

    A space that cannot be asked costs nothing.
    """
    try:
        return _backend(space).calls(question)
    except SpaceBroken:
        return ()


def _backend(space: Space) -> Backend:
    kind = backend_named(space.backend)
    if kind is None:
        raise SpaceBroken(space=space.name, problem=f"there is no backend “{space.backend}”.")
    try:
        return kind.model_validate(space.settings)
    except ValidationError as error:
        raise SpaceBroken(space=space.name, problem=" ".join(f"{t}." for t in troubles(error, kind))) from None
