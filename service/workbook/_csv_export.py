"""Results as CSV, safe to open in a spreadsheet."""

import csv
import io
from collections.abc import Iterable
from typing import Final

from flags import Question, format_sources
from flags.niah import Spec
from service.workbook._cells import format_names, output_values
from service.workbook._niah_nouns import measured_values, spec_values
from service.workbook._records import CellValue
from service.workbook._shapes import Measured, Result
from service.workbook.columns import COLUMNS
from service.workbook.niah_columns import NIAH_COLUMNS

_FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def write_csv(results: Iterable[Result]) -> bytes:
    """Return the results as UTF-8 with BOM, comma-separated, in the columns A–AB.

    A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers.
    """
    rows = ((*_asked(result.question), *output_values(result), None) for result in results)
    return _table([column.header for column in COLUMNS], rows)


def write_niah_csv(cells: Iterable[tuple[str, str, Spec, Measured]]) -> bytes:
    """Return the cells (id, assistant, cell, result) of an experiment in the columns of the sheet `NIAH`."""
    return _table(
        [column.header for column in NIAH_COLUMNS],
        (
            (ident, assistant, *spec_values(spec), *measured_values(measured))
            for ident, assistant, spec, measured in cells
        ),
    )


def _table(headers: list[str], rows: Iterable[Iterable[CellValue | None]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(headers)
    for row in rows:
        writer.writerow([csv_cell(value) for value in row])
    return out.getvalue().encode("utf-8-sig", "replace")


def _asked(question: Question) -> tuple[CellValue | None, ...]:
    correct = {True: "yes", False: "no", None: None}[question.correct]
    return (
        question.id,
        question.text,
        question.space,
        correct,
        question.reference,
        format_sources(question.reference_sources),
        format_names(question.reference_modules),
        question.reference_followup,
        None,
    )


def csv_cell(value: CellValue | None) -> CellValue:
    """Return a value as it may stand in CSV: no text can turn into a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str) and value.lstrip(" \n").startswith(_FORMULA_SIGNS):
        return "'" + value
    return value
