"""One process of a name on one home."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from service.errors import HomeBusy, HomeUnusable


@contextlib.contextmanager
def only_one(home: Path, executor: str) -> Iterator[None]:
    """Hold the name `executor` on this home; the system lets it go when the process dies.

    Raises `HomeUnusable`, and `HomeBusy`: two processes of one name would take each other's running work for left over.
    """
    path = _path(home, executor)
    try:
        home.mkdir(parents=True, exist_ok=True)
        file = path.open("a")
    except OSError as error:
        raise HomeUnusable(home=home, problem=error.strerror or str(error)) from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # A file that its last holder removed meanwhile is nobody's name any more.
            held = path.stat().st_ino == os.fstat(file.fileno()).st_ino
        except OSError:
            held = False
        if not held:
            raise HomeBusy(home=home, executor=executor)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def is_alive(home: Path, executor: str) -> bool:
    """Return whether a process holds the name."""
    try:
        with _path(home, executor).open("r") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False


def _path(home: Path, executor: str) -> Path:
    return home / f"{executor}.lock"
