"""States of runs → server-sent events."""

from collections.abc import AsyncIterator
from functools import cache
from typing import Any

from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import TypeAdapter

from service.runs import RunView

LEFT_OUT = {"notes", "options", "spaces"}
"""What does not change while a run goes on, and may be long."""

COME_BACK_MS = 5_000
"""After so long a client that lost its stream should come back, in milliseconds."""


class EventStream(EventSourceResponse):
    """Marks a route that sends events; without a type of its own, its errors are described as the JSON they are."""

    media_type = ""


async def run_events(views: AsyncIterator[RunView]) -> AsyncIterator[ServerSentEvent]:
    """Yield an event for each state; the last is named `end`, the others `progress`."""
    async for view in views:
        over = view.state not in ("queued", "in_progress")
        yield ServerSentEvent(event="end" if over else "progress", data=_state(view), retry=COME_BACK_MS)


def _state(view: RunView) -> Any:
    return _shape().dump_python(view, mode="json", exclude=LEFT_OUT)


@cache
def _shape() -> TypeAdapter[RunView]:
    return TypeAdapter(RunView)
