"""Writing results into a workbook: J–AA of the rows that have one, and the sheet `Run`."""

from collections.abc import Iterable, Sequence
from typing import BinaryIO, Final

from service.workbook._in_place import InPlace, open_site
from service.workbook._package import Package
from service.workbook._plan import WRITTEN, column_styles
from service.workbook._records import CellValue, RowValues, Section, Terms
from service.workbook._row_editor import Ground, Report, ResultEditor
from service.workbook._run_sheet import find_run_sheet, free_run_name, run_sheet_xml
from service.workbook._styles import Styles, append_styles
from service.workbook._verify import verify
from service.workbook.columns import OUTPUT, REVIEW, column_letter

_LISTED: Final = 20
"""So many cells are named in a note; the others are counted."""


def write_xlsx(
    package: Package, rows: Iterable[RowValues], run_sheet: Sequence[Section], terms: Terms, out: BinaryIO
) -> None:
    """Write the workbook with each row's output cells filled, and verify it; rows must come in ascending order.

    `out` must be seekable and readable.
    """
    writing = InPlace(open_site(package, terms.sheet), WRITTEN)
    styles, run_part = prepare(writing, terms.flagged)
    writing.drop_calculations(writing.numbers(WRITTEN))
    ground = Ground(writing.plan, writing.filters, styles, column_styles(writing.frame), writing.values)
    editor = ResultEditor(ground, iter(rows))

    def tail() -> bytes:
        editor.finish()
        return writing.tail(writing.numbers(OUTPUT), editor.report.written.keys())

    def last() -> None:
        notes = _notes(writing, editor.report)
        sections = [*run_sheet, *([Section("Notes on the sheet", notes)] if notes else [])]
        writing.changes.added[run_part] = run_sheet_xml(sections, styles, writing.book.strict)

    writing.into(out, editor, tail, last)
    verify(package, Package(out, package.limits.for_results()), writing.written(OUTPUT, editor.report.written))


def prepare(writing: InPlace, flagged: bool) -> tuple[Styles, str]:
    """Edit the parts around the rows; return our cell formats and the part of the sheet `Run`."""
    _set_filters(writing, flagged)
    content, styles = append_styles(writing.changes.styles())
    writing.changes.set_styles(content)
    return styles, _run_part(writing)


def _set_filters(writing: InPlace, flagged: bool) -> None:
    writing.filters.clear(writing.numbers(OUTPUT))
    if not flagged:
        return
    writing.filters.set_flagged(writing.plan.columns["final_flag"], writing.whole_area())
    if writing.filters.own_area is not None:
        writing.changes.define_filter(writing.place.sheet, writing.filters.own_area)


def _run_part(writing: InPlace) -> str:
    """Return the part of the sheet `Run`: the one of an earlier run, which is written anew, or a new one."""
    ours = find_run_sheet(writing.book, writing.values)
    if ours is not None:
        writing.changes.dropped.add(ours.key)
        return ours.part
    part = writing.changes.free_part("xl/worksheets/sheet")
    writing.changes.add_sheet(free_run_name(writing.book), part)
    return part


def _notes(writing: InPlace, report: Report) -> tuple[tuple[CellValue, ...], ...]:
    review = column_letter(writing.plan.columns[REVIEW.header])
    added = [f"{header} ({column_letter(index)})" for header, index in writing.plan.added.items()]
    found: tuple[tuple[str, list[str]], ...] = (
        ("Columns added", added),
        ("Reviews cleared, their answer has changed", [f"{review}{number}" for number in report.reviews_cleared]),
        ("Filters cleared, they could hide new flags", [area.reference for area in writing.filters.cleared]),
        ("Merged cells taken apart", writing.taken_apart),
        ("Formulas overwritten", report.formulas),
        ("Texts cut at 32,767 characters", report.cut),
    )
    return tuple((title, len(cells), _listed(cells)) for title, cells in found if cells)


def _listed(cells: Sequence[str]) -> str:
    more = len(cells) - _LISTED
    return ", ".join(cells[:_LISTED]) + (f" and {more:,} more" if more > 0 else "")
