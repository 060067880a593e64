"""Results as CSV, safe to open in a spreadsheet."""

import csv
import io
from collections.abc import Iterable
from typing import Final

from flags import Question, format_sources
from service.workbook._cells import format_names, output_values
from service.workbook._records import CellValue
from service.workbook._shapes import Result
from service.workbook.columns import COLUMNS

_FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def write_csv(results: Iterable[Result]) -> bytes:
    """Return the results as UTF-8 with BOM, comma-separated, in the columns A–AB.

    A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([column.header for column in COLUMNS])
    for result in results:
        writer.writerow([csv_cell(value) for value in (*_asked(result.question), *output_values(result), None)])
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
