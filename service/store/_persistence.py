"""A database that is away for a while: what was to be written is written when it is back."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from service.errors import DatabaseFull

T = TypeVar("T")

FULL = ("disk is full", "no space left", "disk full", "quota")

FULL_IN_SQLITE = ("SQLITE_FULL", "SQLITE_IOERR_WRITE")
"""The second is what a used-up quota, or a limit on the size of files, looks like."""

OURS = ("no such", "syntax error", "already exists", "cannot start a transaction")


@dataclass(frozen=True, kw_only=True)
class Persistence:
    """For how long work is tried again, and how long is waited in between at most, in seconds."""

    tries_s: float = 90.0
    wait_s: float = 1.0

    def carry_out(self, work: Callable[[], T]) -> T:
        """Return what `work` returned; when the database is away, locked or in a deadlock it is tried again.

        Raises `DatabaseFull` at once, and the database's own error when the time is over.
        """
        give_up_at = time.monotonic() + self.tries_s
        wait = 0.05
        while True:
            try:
                return work()
            except DBAPIError as error:
                if is_full(error):
                    raise DatabaseFull from error
                if time.monotonic() + wait > give_up_at or not passes(error):
                    raise
            time.sleep(wait * (0.5 + random.random() / 2))  # noqa: S311  # nothing is kept secret by it
            wait = min(self.wait_s, wait * 2)


def is_full(error: BaseException) -> bool:
    """Return whether the disk of the database is full."""
    cause: BaseException | None = error
    while cause is not None:
        kind = getattr(getattr(cause, "orig", None), "sqlite_errorname", "")
        if kind in FULL_IN_SQLITE or any(sign in str(cause).casefold() for sign in FULL):
            return True
        cause = cause.__context__  # a full SQLite forgets its savepoints, and going back to one fails as well
    return False


def passes(error: BaseException) -> bool:
    """Return whether a database error may be gone at the next try; one about our own statement is not."""
    if not isinstance(error, OperationalError | InterfaceError):
        return isinstance(error, DBAPIError) and error.connection_invalidated
    said = str(error.orig or error).casefold()
    return not any(sign in said for sign in OURS)
