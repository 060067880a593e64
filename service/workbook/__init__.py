"""The only room that knows xlsx: reads a benchmark workbook, writes results into it in place, adopts them."""

from collections.abc import Iterable, Mapping, Sequence

from service.workbook._limits import Limits
from service.workbook._shapes import Adoption, CellValue, Finding, Reading, Result, Review, Row, Section
from service.workbook._text import answer_hash, clean_text

__all__ = [
    "Adoption",
    "CellValue",
    "Finding",
    "Limits",
    "Reading",
    "Result",
    "Review",
    "Row",
    "Section",
    "adopt",
    "answer_hash",
    "clean_text",
    "read",
    "template",
    "write",
]


def read(content: bytes, *, filename: str = "", sheet: str | None = None, limits: Limits | None = None) -> Reading:
    """Return what a workbook holds; `WorkbookRefused` says in one sentence why it cannot be run."""
    from service.workbook._read import read_xlsx
    from service.workbook._recognise import recognise

    recognise(content, filename)
    return read_xlsx(content, limits or Limits(), sheet)


def write(
    content: bytes,
    results: Iterable[Result],
    run_sheet: Sequence[Section],
    *,
    sheet: str | None = None,
    flagged: bool = False,
) -> bytes:
    """Return the workbook with the results in it and the sheet `Run` added or replaced.

    Results must come in ascending order of `number`; each must be a row of the sheet (a row with an error in the
    reading may have one too). Rows without a result stay as they are. `flagged` sets the filter on final_flag = TRUE.
    """
    from service.workbook._cells import output_values
    from service.workbook._package import Package
    from service.workbook._write import write_xlsx

    rows = ((result.number, output_values(result)) for result in results)
    return write_xlsx(Package(content, Limits().for_results()), rows, run_sheet, sheet=sheet, flagged=flagged)


def template() -> bytes:
    """Return the template workbook: the headers A–AB with notes, drop-downs and rules, and a sheet that explains."""
    from service.workbook._template import build_template

    return build_template()


def adopt(content: bytes, *, every: bool = False, lineage: Mapping[str, str], sheet: str | None = None) -> Adoption:
    """Return the next benchmark set: new answers become benchmark answers, what the run filled is emptied.

    A row is adopted when it has a new answer and its review, if any, says yes (`every`: whatever the review says).
    `lineage` (set, run, who, when) is kept in the file's properties.
    """
    from service.workbook._adopt import adopt_xlsx
    from service.workbook._package import Package

    return adopt_xlsx(Package(content, Limits().for_results()), every=every, lineage=lineage, sheet=sheet)
