"""From records to nouns: a reading made of what a child process has read."""

from collections.abc import Iterable
from functools import lru_cache
from sys import intern

from flags import Question, Source, parse_sources
from service.workbook._cells import parse_names
from service.workbook._records import CellRecord, Finding, RowRecord, Summary
from service.workbook._shapes import Given, Reading, Review, Row


def make_reading(records: Iterable[RowRecord | CellRecord | Summary]) -> Reading:
    """Return the reading of a workbook; the summary comes last."""
    rows: list[Row] = []
    cells: list[CellRecord] = []
    given: dict[int, tuple[str, ...]] = {}
    summary: Summary | None = None
    for record in records:
        if isinstance(record, Summary):
            summary = record
            continue
        if isinstance(record, CellRecord):
            cells.append(record)
            continue
        rows.append(Row(record.number, _question(record)))
        if record.given:
            given[record.number] = record.given
    assert summary is not None, "the summary ends every reading"
    if summary.niah is not None:
        from service.workbook._niah_nouns import make_experiment

        return make_experiment(cells, summary)
    rows.sort(key=lambda row: row.number)
    return Reading(
        sheet=summary.sheet,
        header_row=summary.header_row,
        columns=summary.columns,
        missing=summary.missing,
        rows=tuple(rows),
        given=Given(given),
        reviews={number: Review(*review) for number, review in summary.reviews.items()},
        notes=tuple(Finding(*note) for note in summary.notes),
        errors=tuple(Finding(*error) for error in summary.errors),
        run_id=summary.run_id,
    )


def _question(record: RowRecord) -> Question:
    return Question(
        text=record.text,
        space=intern(record.space),  # one string for all rows of a space
        id=record.id,
        correct=record.correct,
        reference=record.reference,
        reference_sources=_sources(record.sources) if record.sources else (),
        reference_modules=_names(record.modules) if record.modules else (),
        reference_followup=record.followup,
    )


@lru_cache(maxsize=2048)
def _sources(text: str) -> tuple[Source, ...]:
    """Return the sources of a cell; the same few documents stand in many rows."""
    return parse_sources(text)


@lru_cache(maxsize=2048)
def _names(text: str) -> tuple[str, ...]:
    """Return the names in a cell; most rows use the same few modules."""
    return parse_names(text)
