"""Waiting for the end of a run, with a look at it now and then."""

import inspect
import time
from collections.abc import Awaitable, Callable

from service.runs._pulse import GOING
from service.runs._shapes import RunView

Progress = Callable[[RunView], Awaitable[None] | None]

LOOK_S = 0.5
"""How often a run is looked at, in seconds; less often where a look takes long: the run needs the time itself."""


async def until_ended(
    look: Callable[[], Awaitable[RunView]],
    pause: Callable[[float], Awaitable[None]],
    on_progress: Progress | None = None,
) -> RunView:
    """Return the run once it is ready, failed or cancelled; `on_progress` is called with each change."""
    shown: RunView | None = None
    while True:
        began = time.monotonic()
        view = await look()
        looked_s = time.monotonic() - began
        if on_progress and view != shown:
            shown, reply = view, on_progress(view)
            if inspect.isawaitable(reply):
                await reply
        if view.state not in GOING:
            return view
        await pause(max(LOOK_S, 30 * looked_s))
