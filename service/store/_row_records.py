"""Rows as they are read: whole, or in outline."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from sqlalchemy import Row, Select, case, func, select
from sqlalchemy.orm import Session

from flags import Answer, Judgement, Question, Verdict
from service.store._codec import answer_from_json, question_from_json
from service.store._records import RowRecord, RowState
from service.store._row_statements import JUDGEMENT, ROW, VERDICT
from service.store._trials import trial_outline, trials_of

_OF_VERDICT = ("status", "value", "reason", "score", "code")
_NAMED = 1000
"""Rows that are named one by one at most; a database takes no list of many thousand."""
BEGINNING = 80
"""Characters of a question, or a reason, in an outline."""


def records(session: Session, run_id: str, query: Select[Any], *, judgements: bool = False) -> list[RowRecord]:
    """Return the rows of a query over `ROW` with their verdicts, and with what the judge said where that is wanted."""
    # plain columns: objects of the tables would take three times as long
    rows = session.execute(query).all()
    if not rows:
        return []
    span = (rows[0].number, rows[-1].number)
    verdicts: dict[int, dict[str, Verdict]] = defaultdict(dict)
    numbers = [row.number for row in rows]
    for number, flag, *fields in session.execute(_of(VERDICT, run_id, numbers, "flag", *_OF_VERDICT)):
        verdicts[number][flag] = Verdict(**dict(zip(_OF_VERDICT, fields, strict=True)))
    said: dict[int, dict[str, Judgement]] = defaultdict(dict)
    for number, rubric, reply in (
        session.execute(_of(JUDGEMENT, run_id, numbers, "rubric", "reply")) if judgements else ()
    ):
        said[number][rubric] = reply
    trials = trials_of(session, run_id, span)
    return [
        replace(_record(row, verdicts[row.number], said[row.number]), trials=tuple(trials.get(row.number, ())))
        for row in rows
    ]


def _of(table: Any, run_id: str, numbers: Sequence[int], *columns: str) -> Select[Any]:
    """Return a query for what belongs to these sheet rows, and (where they stand close) to some between them."""
    chosen = (table.c.number, *(table.c[name] for name in columns))
    span = (numbers[0], numbers[-1])
    apart = len(numbers) <= _NAMED and span[1] - span[0] > 2 * len(numbers)
    return select(*chosen).where(
        table.c.run_id == run_id, table.c.number.in_(numbers) if apart else table.c.number.between(*span)
    )


def _record(row: Row[Any], verdicts: dict[str, Verdict], judgements: dict[str, Judgement]) -> RowRecord:
    return RowRecord(
        run_id=row.run_id,
        number=row.number,
        position=row.position,
        space=row.space,
        question=question_from_json(row.question),
        state=cast(RowState, row.state),
        answer=answer_from_json(row.answer) if row.answer else None,
        verdicts=verdicts,
        code=row.code,
        judgements=judgements,
        lease=row.lease,
        cell=row.cell,
    )


def outline(session: Session, run_id: str) -> list[RowRecord]:
    """Return a run's rows without their texts; a reference that is not empty is “…”.

    Of questions and of reasons why something was flagged the beginning is there.
    """
    said: dict[int, dict[str, Judgement]] = defaultdict(dict)
    kept = select(JUDGEMENT.c.number, JUDGEMENT.c.rubric).where(JUDGEMENT.c.run_id == run_id)
    for number, rubric in session.execute(kept):
        said[number][rubric] = {}
    verdicts: dict[int, dict[str, Verdict]] = defaultdict(dict)
    for number, flag, *fields in session.execute(_VERDICTS.where(VERDICT.c.run_id == run_id)):
        verdicts[number][flag] = Verdict(**dict(zip(_OF_SKETCH, fields, strict=True)))
    rows = session.execute(_OUTLINE.where(ROW.c.run_id == run_id).order_by(ROW.c.number))
    trials = trial_outline(session, run_id)
    return [
        replace(_sketch(run_id, row, verdicts[row.number], said[row.number]), trials=tuple(trials.get(row.number, ())))
        for row in rows
    ]


_OF_SKETCH = ("status", "value", "code", "reason")
_VERDICTS = select(
    VERDICT.c.number,
    VERDICT.c.flag,
    VERDICT.c.status,
    VERDICT.c.value,
    VERDICT.c.code,
    case((VERDICT.c.value.is_(True), func.substr(VERDICT.c.reason, 1, BEGINNING)), else_="").label("reason"),
)
_OUTLINE = select(
    func.substr(ROW.c.question["text"].as_string(), 1, BEGINNING).label("text"),
    ROW.c.number,
    ROW.c.position,
    ROW.c.space,
    ROW.c.state,
    ROW.c.code,
    ROW.c.cell,
    ROW.c.question["id"].as_string().label("id"),
    (func.trim(ROW.c.question["reference"].as_string()) != "").label("referenced"),
    ROW.c.question["correct"].as_boolean().label("correct"),
    ROW.c.answer.is_not(None).label("answered"),
    ROW.c.answer[("messages", "model")].as_string().label("model"),
)


def _sketch(run_id: str, row: Any, verdicts: dict[str, Verdict], judgements: dict[str, Judgement]) -> RowRecord:
    return RowRecord(
        run_id=run_id,
        number=row.number,
        position=row.position,
        space=row.space,
        question=Question(
            text=row.text or "",
            space=row.space,
            id=row.id or "",
            correct=row.correct,
            reference="…" if row.referenced else "",
        ),
        state=cast(RowState, row.state),
        answer=Answer(text="", messages={"model": row.model or ""}) if row.answered else None,
        verdicts=verdicts,
        code=row.code,
        judgements=judgements,
        cell=row.cell,
    )
