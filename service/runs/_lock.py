"""One process of a name on one home."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from service.errors import HomeBusy


@contextlib.contextmanager
def only_one(home: Path, executor: str) -> Iterator[None]:
    """Hold the name `executor` on this home; the system lets it go when the process dies.

    Raises `HomeBusy`: two processes of one name would take each other's running work for left over.
    """
    home.mkdir(parents=True, exist_ok=True)
    path = _path(home, executor)
    with path.open("a") as file:
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
