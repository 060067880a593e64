"""A stored run, or a file that came out of one, as one side of a comparison."""

from collections.abc import Iterable, Mapping, Sequence

from service.runs._compare import Outcome, Side
from service.runs._summary import judged_with
from service.store import RowRecord, RunRecord
from service.workbook import CellValue, Flagged, FlaggedReading

JUDGED_WITH = "Judged with"
"""The section of the sheet `Run` in which a file carries its setup."""

_NOT_JUDGED = "NOT JUDGED "


def side_of_run(run: RunRecord, rows: Sequence[RowRecord]) -> Side:
    """Return a stored run's side."""
    return Side(
        name=run.name, run=run.id, outcomes=tuple(_stored(row) for row in rows), setup=_setup(judged_with(run, rows))
    )


def side_of_file(name: str, found: FlaggedReading) -> Side:
    """Return the side of a result as it came back; what it was judged with stands in its sheet `Run`."""
    reading = found.reading
    outcomes = []
    for row in reading.rows:
        written, question = found.rows.get(row.number, Flagged({}, "")), row.question
        given = reading.given.get(row.number)
        code = code_of(written.explanation)
        final = None if code else written.flags.get("final")
        outcomes.append(
            Outcome(
                number=row.number,
                space=question.space,
                question=question.text,
                id=question.id,
                correct=question.correct,
                reference=question.reference,
                answer=given.text if given else "",
                passes=None if final is None else not final,
                code=code,
                explanation=written.explanation,
                flags=_true(written.flags),
            )
        )
    setup = _setup(found.report.get(JUDGED_WITH, ()))
    return Side(name=name, run=reading.run_id, outcomes=tuple(outcomes), setup=setup)


def _stored(row: RowRecord) -> Outcome:
    question, final = row.question, row.verdicts.get("final")
    values = {flag: verdict.value for flag, verdict in row.verdicts.items() if verdict.value is not None}
    return Outcome(
        number=row.number,
        space=row.space or question.space,
        question=question.text,
        id=question.id,
        correct=question.correct,
        reference=question.reference,
        answer=row.answer.text if row.answer else "",
        passes=not final.value if final is not None and row.state == "judged" else None,
        code=row.code,
        explanation=final.reason if final is not None else "",
        flags=_true(values),
    )


def code_of(explanation: str) -> str:
    """Return why a row was not judged, as its explanation says; empty where it was."""
    if not explanation.startswith(_NOT_JUDGED):
        return ""
    return explanation.removeprefix(_NOT_JUDGED).split(":", 1)[0].strip()


def _true(values: Mapping[str, bool]) -> tuple[str, ...]:
    return tuple(flag for flag, value in values.items() if value and flag != "final")


def _setup(lines: Iterable[Sequence[CellValue]]) -> dict[str, str]:
    """Return what a run was judged with: name (and space) → value."""
    setup: dict[str, str] = {}
    for name, value, *space in lines:
        where = f" ({space[0]})" if space and space[0] else ""
        setup[f"{name}{where}"] = _text(value)
    return setup


def _text(value: CellValue) -> str:
    """Return a setting as both a stored run and the text of a cell say it: 0.92, TRUE."""
    if isinstance(value, bool):
        return str(value).upper()
    return f"{value:g}" if isinstance(value, int | float) else str(value)
