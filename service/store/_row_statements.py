"""What is written for each row. The statements are built once: building one takes five times as long as running it."""

from typing import Any

from sqlalchemy import Boolean, Integer, String, bindparam, insert, select, update

from service.store._tables import JudgementTable, RowTable, VerdictTable

ROW: Any = RowTable.__table__  # type: ignore[attr-defined]
VERDICT: Any = VerdictTable.__table__  # type: ignore[attr-defined]
JUDGEMENT: Any = JudgementTable.__table__  # type: ignore[attr-defined]

_RUN, _NUMBER, _LEASE = (
    bindparam("of_run", type_=String),
    bindparam("of_number", type_=Integer),
    bindparam("of_lease", type_=String),
)
MINE = (ROW.c.run_id == _RUN, ROW.c.number == _NUMBER, ROW.c.lease == _LEASE)

STORE_ANSWER = (
    update(ROW)
    .where(*MINE, ROW.c.state == "waiting")
    .values(answer=bindparam("new_answer"), content_key=bindparam("new_key"), state="answered")
)
"""Stores the answer of a waiting row; `of_run`, `of_number` and `of_lease` name the row, as in all of these."""

STORED_ANSWER = select(ROW.c.answer).where(*MINE)

STORE_REPLY = insert(JUDGEMENT).from_select(
    ["run_id", "number", "rubric", "reply", "content", "cached"],
    select(
        _RUN,
        _NUMBER,
        bindparam("rubric", type_=String),
        bindparam("reply", type_=JUDGEMENT.c.reply.type),
        bindparam("content", type_=String),
        bindparam("cached", type_=Boolean),
    ).where(
        select(ROW.c.number).where(*MINE).exists(),
        ~select(JUDGEMENT.c.number)
        .where(
            JUDGEMENT.c.run_id == _RUN,
            JUDGEMENT.c.number == _NUMBER,
            JUDGEMENT.c.rubric == bindparam("rubric", type_=String),
        )
        .exists(),
    ),
)
"""Keeps a judge's reply unless there is one."""

SETTLE = (
    update(ROW)
    .where(*MINE, ROW.c.state.in_(("waiting", "answered")))
    .values(state=bindparam("new_state"), flagged=bindparam("new_flagged"), code=bindparam("new_code"))
)
"""Makes an open row one that is done."""

SETTLE_WITH_ANSWER = SETTLE.values(answer=bindparam("new_answer"))
"""The same, with the answer that stands for the trials of the row."""

KNOWN_REPLY = select(JUDGEMENT.c.reply).where(JUDGEMENT.c.content == bindparam("content", type_=String)).limit(1)

STORE_VERDICTS = insert(VERDICT)


def row_of(run_id: str, number: int, lease: str) -> dict[str, Any]:
    """Return the parameters that name a row under a lease."""
    return {"of_run": run_id, "of_number": number, "of_lease": lease}
