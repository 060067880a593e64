"""What a process asks and judges with: opened when first needed, shared by its runs."""

import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any

from flags import Tools
from service.assistants import Assistant, Space
from service.runs._places import OwnPlaces
from service.runs._turns import Turns
from service.workbook import Limits

OpenTools = Callable[[Mapping[str, Any]], Tools]
OpenAssistant = Callable[[Space], Assistant]


class Bench:
    """Judges, embedders and assistants of a process, how many rows may be open at once, and how large a workbook is.

    Assistants are kept by their snapshot: a run goes on with the space as it was, also when spaces.yaml changed.
    """

    def __init__(
        self, *, tools: OpenTools, assistant: OpenAssistant, rows_at_once: int, limits: Limits | None = None
    ) -> None:
        self._open_tools = tools
        self._open_assistant = assistant
        self._tools: dict[str, Tools] = {}
        self._assistants: dict[str, Assistant] = {}
        self._places: dict[str, OwnPlaces] = {}
        self._closing = AsyncExitStack()
        self.turns = Turns(rows_at_once)
        self.limits = limits or Limits()

    def tools(self, judging: Mapping[str, Any]) -> Tools:
        """Return judge and embedder for a run's `judging`; raise a `ServiceError` when they cannot be had."""
        key = json.dumps(judging, sort_keys=True)
        if key not in self._tools:
            self._tools[key] = self._open_tools(judging)
        return self._tools[key]

    def assistant(self, space: Space) -> Assistant:
        """Return the assistant behind a space; raise a `ServiceError` when it cannot be had."""
        key = space.model_dump_json()
        if key not in self._assistants:
            opened = self._assistants[key] = self._open_assistant(space)
            self.closes(opened.aclose)
        return self._assistants[key]

    def places(self, space: Space) -> OwnPlaces:
        """Return the limit of questions that this process may have open to a space at the same time."""
        return self._places.setdefault(space.name, OwnPlaces(space.concurrency))

    def closes(self, close: Callable[[], Awaitable[None]]) -> None:
        """Have something closed with the bench."""
        self._closing.push_async_callback(close)

    async def aclose(self) -> None:
        """Close what was opened, the last first."""
        await self._closing.aclose()
