"""Rows as they are read: whole, or in outline."""

from collections import defaultdict
from dataclasses import replace
from typing import Any, cast

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import Session

from flags import Answer, Judgement, Question, Verdict
from service.store._codec import answer_from_json, question_from_json
from service.store._records import RowRecord, RowState
from service.store._row_statements import JUDGEMENT, ROW, VERDICT
from service.store._trials import trial_outline, trials_of

_OF_VERDICT = ("status", "value", "reason", "score", "code")


def records(session: Session, run_id: str, query: Select[Any], *, judgements: bool = False) -> list[RowRecord]:
    """Return the rows of a query over `ROW` with their verdicts, and with what the judge said where that is wanted."""
    # plain columns: objects of the tables would take three times as long
    rows = session.execute(query).all()
    if not rows:
        return []
    span = (rows[0].number, rows[-1].number)
    verdicts: dict[int, dict[str, Verdict]] = defaultdict(dict)
    for number, flag, *fields in session.execute(_within(VERDICT, run_id, span, "flag", *_OF_VERDICT)):
        verdicts[number][flag] = Verdict(**dict(zip(_OF_VERDICT, fields, strict=True)))
    said: dict[int, dict[str, Judgement]] = defaultdict(dict)
    for number, rubric, reply in (
        session.execute(_within(JUDGEMENT, run_id, span, "rubric", "reply")) if judgements else ()
    ):
        said[number][rubric] = reply
    trials = trials_of(session, run_id, span)
    return [
        replace(_record(row, verdicts[row.number], said[row.number]), trials=tuple(trials.get(row.number, ())))
        for row in rows
    ]


def _within(table: Any, run_id: str, span: tuple[int, int], *columns: str) -> Select[Any]:
    chosen = (table.c.number, *(table.c[name] for name in columns))
    return select(*chosen).where(table.c.run_id == run_id, table.c.number.between(*span))


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
    """Return a run's rows without their texts; a reference that is not empty is “…”."""
    said: dict[int, dict[str, Judgement]] = defaultdict(dict)
    kept = select(JUDGEMENT.c.number, JUDGEMENT.c.rubric).where(JUDGEMENT.c.run_id == run_id)
    for number, rubric in session.execute(kept):
        said[number][rubric] = {}
    verdicts: dict[int, dict[str, Verdict]] = defaultdict(dict)
    given = select(VERDICT.c.number, VERDICT.c.flag, VERDICT.c.status, VERDICT.c.value, VERDICT.c.code)
    for number, flag, status, value, code in session.execute(given.where(VERDICT.c.run_id == run_id)):
        verdicts[number][flag] = Verdict(status=status, value=value, code=code)
    rows = session.execute(_OUTLINE.where(ROW.c.run_id == run_id).order_by(ROW.c.number))
    trials = trial_outline(session, run_id)
    return [
        replace(_sketch(run_id, row, verdicts[row.number], said[row.number]), trials=tuple(trials.get(row.number, ())))
        for row in rows
    ]


_OUTLINE = select(
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
            text="", space=row.space, id=row.id or "", correct=row.correct, reference="…" if row.referenced else ""
        ),
        state=cast(RowState, row.state),
        answer=Answer(text="", messages={"model": row.model or ""}) if row.answered else None,
        verdicts=verdicts,
        code=row.code,
        judgements=judgements,
        cell=row.cell,
    )
