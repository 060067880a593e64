"""The process in which one file is parsed and written, and which ends with it.

It is started afresh for every file, limited in time and memory, and imports the standard library only. A request
comes in on standard input (and rows to write, in batches), plain values go out on standard output.
"""

import gc
import os
import pickle
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

from service.errors import ServiceError, WorkbookIsExperiment, WorkbookTooLarge
from service.workbook._limits import MB, Limits
from service.workbook._package import Package
from service.workbook._records import Finding, RowValues, Section, Summary, Terms

TaskName = Literal["read", "write", "adopt", "flags"]
Reply = Callable[[str, object], None]
_BATCH: Final = 256


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is to be done in a folder that holds `in` (and `template` when `in` is CSV); a result goes to `out`."""

    task: TaskName
    folder: str
    is_csv: bool
    terms: Terms
    limits: Limits
    sections: tuple[Section, ...] = ()


def main() -> None:
    """Serve one request; whatever happens, the last reply says what came of it."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def reply(kind: str, value: object) -> None:
        pickler = pickle.Pickler(replies, protocol=5)
        pickler.fast = True  # texts of a sheet are not looked up among those already sent
        pickler.dump((kind, value))
        replies.flush()

    request: Request = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the service itself, not from a file
    limit_process(request.limits)
    gc.set_threshold(50_000, 20, 20)  # rows come and go by the thousand, and few of them are cycles
    try:
        _TASKS[request.task](request, reply)
    except ServiceError as error:
        reply("refused", (type(error).__name__, error.params))
    except MemoryError:
        limit = f"{request.limits.memory_mb} MB"
        reply("refused", (WorkbookTooLarge.__name__, {"what": "the memory it needs", "limit": limit}))
    except Exception as error:  # noqa: BLE001 - the service names it, and logs where it came from
        reply("fault", (type(error).__name__, str(error)[:500], traceback.format_exc()[-4000:]))


def limit_process(limits: Limits) -> None:
    """Limit this process's memory, processor time and files, as far as the system can."""
    try:
        import resource
    except ImportError:  # not on Windows: there the service's own clock ends a child
        return
    wanted = {
        resource.RLIMIT_AS: limits.memory_mb * MB,
        resource.RLIMIT_CPU: limits.seconds,
        resource.RLIMIT_FSIZE: limits.total_mb * 4 * MB,
        resource.RLIMIT_CORE: 0,
    }
    for kind, value in wanted.items():
        _, hard = resource.getrlimit(kind)
        top = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (top, top))


def _source(request: Request, notes: list[Finding] | None = None) -> BinaryIO:
    """Return the workbook to work on: `in`, or one made of it when it is CSV, with what is to be said of that."""
    folder = Path(request.folder)
    if not request.is_csv:
        return (folder / "in").open("rb")
    from service.workbook._csv import csv_to_xlsx

    with (folder / "template").open("rb") as template, (folder / "made").open("w+b") as made:
        found = csv_to_xlsx((folder / "in").read_bytes(), Package(template, request.limits), made)
        if notes is not None:
            notes += found
    return (folder / "made").open("rb")


def _read(request: Request, reply: Reply) -> None:
    from service.workbook._read import read_rows
    from service.workbook._read_cells import is_experiment, read_cells

    notes: list[Finding] = []
    with _source(request, notes) as source:
        package, sheet = Package(source, request.limits), request.terms.sheet
        kind = "cells" if is_experiment(package, sheet) else "rows"
        records: Iterator[Any] = iter(read_cells(package) if kind == "cells" else read_rows(package, sheet))
        while batch := list(islice(records, _BATCH)):
            summary = batch.pop() if isinstance(batch[-1], Summary) else None
            reply(kind, [tuple(record) for record in batch])
            if summary is not None:
                of_file = tuple((one.row, one.cell, one.code, one.message) for one in notes)
                reply("summary", tuple(summary._replace(notes=(*of_file, *summary.notes))))


def _flags(request: Request, reply: Reply) -> None:
    from service.workbook._flagged import read_flags, read_report

    with _source(request) as source:
        package = Package(source, request.limits)
        rows = read_flags(package, request.terms.sheet)
        while batch := [tuple(row) for row in islice(rows, _BATCH)]:
            reply("rows", batch)
        reply("report", read_report(package))


def _write(request: Request, reply: Reply) -> None:
    from service.workbook._write import write_xlsx

    with _source(request) as source, (Path(request.folder) / "out").open("w+b") as out:
        write_xlsx(Package(source, request.limits), _rows(sys.stdin.buffer), request.sections, request.terms, out)
    reply("done", None)


def _adopt(request: Request, reply: Reply) -> None:
    from service.workbook._adopt import adopt_xlsx
    from service.workbook._read_cells import is_experiment

    with _source(request) as source, (Path(request.folder) / "out").open("w+b") as out:
        if is_experiment(Package(source, request.limits), request.terms.sheet):
            raise WorkbookIsExperiment()
        reply("done", adopt_xlsx(Package(source, request.limits), request.terms, out))


def _rows(feed: BinaryIO) -> Iterator[RowValues]:
    while batch := _next_batch(feed):
        yield from batch


def _next_batch(feed: BinaryIO) -> Any:
    return pickle.load(feed)  # noqa: S301 - from the service itself, not from a file


_TASKS: Final[dict[str, Callable[[Request, Reply], None]]] = {
    "read": _read,
    "write": _write,
    "adopt": _adopt,
    "flags": _flags,
}
