"""The room's doors: each handles one file in a process of its own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from service.errors import WorkbookTooLarge
from service.workbook._cells import flagged, output_values
from service.workbook._child import Request, TaskName
from service.workbook._limits import MB, Limits
from service.workbook._nouns import make_reading
from service.workbook._parent import child
from service.workbook._recognise import recognise
from service.workbook._records import AddedSheet, CellRecord, RowRecord, RowValues, Section, Summary, Terms
from service.workbook._shapes import Adoption, Delivery, Flagged, FlaggedReading, Measured, Reading, Result
from service.workbook.niah_columns import SHEET


def read(content: bytes, *, filename: str = "", sheet: str | None = None, limits: Limits | None = None) -> Reading:
    """Return what a workbook or CSV file holds; `WorkbookRefused` says in one sentence why it cannot be run.

    Results that come back are read with `limits.for_results()`; writing and adopting do so by themselves.
    """
    task = _Task("read", content, Terms(sheet=sheet), limits or Limits(), filename)
    with TemporaryDirectory(prefix="flagbook-") as folder:
        return make_reading(_records(task.request(folder)))


def read_flagged(
    content: bytes, *, filename: str = "", sheet: str | None = None, limits: Limits | None = None
) -> FlaggedReading:
    """Return a result with the flags in it; `WorkbookRefused` says in one sentence why it cannot be read."""
    limits = (limits or Limits()).for_results()
    reading = read(content, filename=filename, sheet=sheet, limits=limits)
    task = _Task("flags", content, Terms(sheet=reading.sheet), limits, filename)
    rows: dict[int, Flagged] = {}
    report: dict[str, list[tuple[str, ...]]] = {}
    with TemporaryDirectory(prefix="flagbook-") as folder, child(task.request(folder)) as running:
        for kind, value in running.replies():
            if kind == "report":
                report = value
            else:
                rows.update((number, flagged(texts)) for number, texts in value)
    return FlaggedReading(reading=reading, rows=rows, report=report)


def write(
    content: bytes,
    results: Iterable[Result],
    run_sheet: Sequence[Section],
    delivery: Delivery | None = None,
) -> bytes:
    """Return the workbook with the results in it and the sheet `Run` added or replaced.

    Results must come in ascending order of `number`; each must be a row of the sheet (a row with an error in the
    reading may have one too). Rows without a result stay as they are. A CSV file comes back as a workbook on the
    template.
    """
    delivery = delivery or Delivery()
    rows = ((result.number, output_values(result)) for result in results)
    terms = Terms(sheet=delivery.sheet, flagged=delivery.flagged)
    task = _Task("write", content, terms, delivery.limits.for_results())
    del content  # a caller who lets go of the file has it in memory only until it stands in the child's folder
    return _written(task, rows, run_sheet)


def write_niah(
    content: bytes,
    results: Iterable[tuple[int, Measured]],
    run_sheet: Sequence[Section],
    sheets: Sequence[AddedSheet],
    limits: Limits | None = None,
) -> bytes:
    """Return the experiment with the results in its sheet `NIAH`, and with `Run` and further sheets added or replaced.

    Results are (row number, result) in ascending order.
    """
    from service.workbook._niah_nouns import measured_values

    rows = ((number, measured_values(measured)) for number, measured in results)
    terms = Terms(sheet=SHEET, niah=True, sheets=tuple(sheets))
    return _written(_Task("write", content, terms, (limits or Limits()).for_results()), rows, run_sheet)


def _written(task: "_Task", rows: Iterable[RowValues], run_sheet: Sequence[Section]) -> bytes:
    with TemporaryDirectory(prefix="flagbook-") as folder:
        request = task.request(folder, run_sheet)
        task.content = b""
        with child(request) as running:
            running.feed(rows)
            for _ in running.replies():
                pass
        return (Path(folder) / "out").read_bytes()


def adopt(
    content: bytes,
    *,
    every: bool = False,
    lineage: Mapping[str, str],
    sheet: str | None = None,
    limits: Limits | None = None,
) -> Adoption:
    """Return the next benchmark set: new answers become benchmark answers, what the run filled is emptied.

    A row is adopted when it has a new answer and its review, if any, says yes (`every`: whatever the review says).
    `lineage` (set, run, who, when) is kept in the file's properties.
    """
    terms = Terms(sheet=sheet, every=every, lineage=dict(lineage))
    large = (limits or Limits()).for_results()
    with TemporaryDirectory(prefix="flagbook-") as folder:
        with child(_Task("adopt", content, terms, large).request(folder)) as running:
            [(_, (adopted, kept, notes))] = running.replies()
        return Adoption((Path(folder) / "out").read_bytes(), adopted, kept, notes)


class _Task:
    def __init__(self, name: TaskName, content: bytes, terms: Terms, limits: Limits, filename: str = "") -> None:
        if len(content) > limits.file_mb * MB:
            raise WorkbookTooLarge(what="the file", limit=f"{limits.file_mb} MB")
        self.name = name
        self.content = content
        self.terms = terms
        self.limits = limits
        self.is_csv = recognise(content, filename) == "csv"

    def request(self, folder: str, sections: Sequence[Section] = ()) -> Request:
        """Return the request for a folder, with the files it needs put there."""
        (Path(folder) / "in").write_bytes(self.content)
        if self.is_csv:
            from service.workbook._template import build_template

            (Path(folder) / "template").write_bytes(build_template())
        return Request(
            task=self.name,
            folder=folder,
            is_csv=self.is_csv,
            terms=self.terms,
            limits=self.limits,
            sections=tuple(sections),
        )


def _records(request: Request) -> Iterator[RowRecord | CellRecord | Summary]:
    with child(request) as running:
        for kind, value in running.replies():
            if kind == "summary":
                yield Summary(*value)
            else:
                made: type[RowRecord | CellRecord] = CellRecord if kind == "cells" else RowRecord
                yield from (made(*record) for record in value)
