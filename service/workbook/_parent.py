"""Starting the process that handles one file, feeding it, and naming whatever becomes of it."""

import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final, NoReturn

from service import errors
from service.errors import ServiceError, WorkbookDamaged, WorkbookTooLarge, WorkbookTooSlow
from service.workbook._child import Request
from service.workbook._limits import Limits
from service.workbook._records import RowValues

_ROOT: Final = str(Path(__file__).parents[2])
_START: Final = "import sys; sys.path.insert(0, sys.argv[1]); from service.workbook._child import main; main()"
_BATCH: Final = 128
_LOG: Final = logging.getLogger(__name__)


class Child:
    """One running child; replies come as (kind, value), errors as exceptions with a code."""

    def __init__(self, process: "subprocess.Popen[bytes]", limits: Limits) -> None:
        self._process = process
        self._limits = limits
        self._timed_out = False
        self._timer = threading.Timer(limits.seconds, self._time_out)
        self._timer.daemon = True
        self._timer.start()

    def _time_out(self) -> None:
        self._timed_out = True
        self.kill()

    def kill(self) -> None:
        """End the child and whatever it may have started."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the child if it still runs and free what it holds."""
        self._timer.cancel()
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._process.wait()

    def feed(self, rows: Iterable[RowValues]) -> None:
        """Send rows to write; a child that has given up early is not an error here, its reply says why."""
        pipe = self._process.stdin
        assert pipe is not None
        feed = iter(rows)
        with suppress(BrokenPipeError):
            while batch := list(islice(feed, _BATCH)):
                pickle.dump(batch, pipe, protocol=5)
            pickle.dump([], pipe, protocol=5)
            pipe.flush()

    def replies(self) -> Iterator[tuple[str, Any]]:
        """Yield replies until the child is done; its refusals are raised."""
        assert self._process.stdout is not None
        while True:
            try:
                # A fresh reader each time: what one remembers must not be mistaken for the next message's.
                kind, value = _PlainUnpickler(self._process.stdout).load()
            except (EOFError, pickle.UnpicklingError, OSError, ValueError):
                break
            if kind == "refused":
                _refuse(*value)
            if kind == "fault":
                self._fault(*value)
            yield kind, value
        self._check_end()

    def _fault(self, kind: str, message: str, trace: str) -> NoReturn:
        if kind == "ValueError" and "has a result" in message:
            raise ValueError(message)
        _LOG.warning("a workbook could not be handled: %s", trace)
        raise WorkbookDamaged(problem=f"it is built in a way that cannot be read: {kind}")

    def _check_end(self) -> None:
        code = self._process.wait()
        if self._timed_out or code == -getattr(signal, "SIGXCPU", 0):
            raise WorkbookTooSlow(seconds=self._limits.seconds)
        if code in (-signal.SIGKILL, -signal.SIGABRT):
            raise WorkbookTooLarge(what="the memory it needs", limit=f"{self._limits.memory_mb} MB")
        if code != 0:
            raise WorkbookDamaged(problem=f"reading it ended with {code}")


class _PlainUnpickler(pickle.Unpickler):  # noqa: S301 - it reads plain values only
    """Reads plain values only: what comes from a process that has parsed a hostile file may not name code."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"{module}.{name} is not a plain value")


def _refuse(name: str, params: dict[str, Any]) -> NoReturn:
    kind = getattr(errors, name, None)
    if not (isinstance(kind, type) and issubclass(kind, ServiceError)):
        raise WorkbookDamaged(problem="reading it ended unexpectedly")
    raise kind(**params)


@contextmanager
def child(request: Request) -> Iterator[Child]:
    """Start a process for one request; it is gone when the block ends."""
    command = [sys.executable, "-I", "-S", "-c", _START, _ROOT]
    faults: IO[bytes]
    with (Path(request.folder) / "faults").open("wb") as faults:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and code
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=faults,
            cwd=request.folder,
            env={name: os.environ[name] for name in ("SYSTEMROOT", "PATH") if name in os.environ},
            start_new_session=True,
        )
    running = Child(process, request.limits)
    try:
        assert process.stdin is not None
        with suppress(BrokenPipeError):
            process.stdin.write(pickle.dumps(request, protocol=5))
            process.stdin.flush()
        yield running
    finally:
        running.close()
