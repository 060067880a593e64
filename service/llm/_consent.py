"""Whether a call may still be made: whoever wanted it may have changed their mind while it waited for its turn."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Consent = Callable[[], Awaitable[None]]
"""Returns when the call may be made, else raises."""

_consent: ContextVar[Consent | None] = ContextVar("consent", default=None)


@contextmanager
def with_consent(consent: Consent) -> Iterator[None]:
    """Have `consent` looked for before every call, and before every repetition of one, that is made in this block."""
    token = _consent.set(consent)
    try:
        yield
    finally:
        _consent.reset(token)


async def look_for_consent() -> None:
    """Return when a call may be made now, else raise what the one who wanted it raises."""
    consent = _consent.get()
    if consent is not None:
        await consent()
