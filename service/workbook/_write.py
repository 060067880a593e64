"""Writing results into a workbook: J–AA of the rows that have one, and the sheet `Run`."""

from collections.abc import Iterable, Sequence
from typing import BinaryIO

from service.workbook._added_sheets import add_sheets, part_of_ours
from service.workbook._in_place import InPlace, listed, open_site
from service.workbook._package import Package
from service.workbook._plan import column_styles
from service.workbook._records import AddedSheet, CellValue, RowValues, Section, Terms
from service.workbook._row_editor import Ground, Report, ResultEditor
from service.workbook._run_sheet import run_sheet_xml
from service.workbook._styles import Styles, append_styles
from service.workbook._table import BENCHMARK, NIAH
from service.workbook._verify import verify
from service.workbook.columns import column_letter


def write_xlsx(
    package: Package, rows: Iterable[RowValues], run_sheet: Sequence[Section], terms: Terms, out: BinaryIO
) -> None:
    """Write the workbook with each row's output cells filled, and verify it; rows must come in ascending order.

    `out` must be seekable and readable.
    """
    table = NIAH if terms.niah else BENCHMARK
    output = table.output
    writing = InPlace(open_site(package, terms.sheet, table), table.written)
    styles, run_part = prepare(writing, terms.flagged, terms.sheets)
    writing.will_write(writing.numbers(table.written))
    ground = Ground(writing.plan, writing.filters, styles, column_styles(writing.frame), writing.values, table)
    editor = ResultEditor(ground, iter(rows))

    def tail() -> bytes:
        editor.finish()
        return writing.tail(writing.numbers(output), editor.report.written.keys())

    def last() -> None:
        notes = _notes(writing, editor.report, table.review)
        sections = [*run_sheet, *([Section("Notes on the sheet", notes)] if notes else [])]
        writing.changes.added[run_part] = run_sheet_xml(sections, styles, writing.book.strict)

    writing.into(out, editor, tail, last)
    verify(package, Package(out, package.limits.for_results()), writing.written(output, editor.report.written))


def prepare(writing: InPlace, flagged: bool, sheets: Sequence[AddedSheet] = ()) -> tuple[Styles, str]:
    """Edit the parts around the rows; return our cell formats and the part of the sheet `Run`."""
    _set_filters(writing, flagged)
    content, styles = append_styles(writing.changes.styles())
    writing.changes.set_styles(content)
    add_sheets(writing, sheets, styles)
    return styles, part_of_ours(writing, "Run")


def _set_filters(writing: InPlace, flagged: bool) -> None:
    table = writing.site.table
    writing.filters.clear(writing.numbers(table.output))
    if not flagged or not table.final:
        return
    writing.filters.set_flagged(writing.plan.columns[table.final], writing.whole_area())
    if writing.filters.own_area is not None:
        writing.changes.define_filter(writing.place.sheet, writing.filters.own_area)


def _notes(writing: InPlace, report: Report, review: str) -> tuple[tuple[CellValue, ...], ...]:
    review = column_letter(writing.plan.columns.get(review, 0))
    added = [f"{header} ({column_letter(index)})" for header, index in writing.plan.added.items()]
    found: tuple[tuple[str, list[str]], ...] = (
        ("Columns added", added),
        ("Reviews cleared, their answer has changed", [f"{review}{number}" for number in report.reviews_cleared]),
        *writing.changes_beside(),
        ("Formulas overwritten", report.formulas),
        ("Texts cut at 32,767 characters", report.cut),
    )
    return tuple((title, len(cells), listed(cells)) for title, cells in found if cells)
