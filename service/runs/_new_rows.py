"""Questions → rows as they are stored: handed out in shards, or settled at once with a code."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from flags import Answer, unanswered
from service.errors import AnswerMissing
from service.runs._cell_row import without_score
from service.runs._cells import spec_from_json, spec_to_json
from service.runs._plan import Plan
from service.runs._shapes import Remark
from service.runs._sorting import Entry
from service.runs._text import storable
from service.store import NewRow, RowRecord


class Shards:
    """Numbers shards of at most `size` rows of one space, in the order the spaces appear."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._open: dict[str, tuple[int, int]] = {}
        self._count = 0

    def place(self, space: str) -> int:
        """Return the shard of the space's next row."""
        shard, rows = self._open.get(space, (-1, self._size))
        if rows == self._size:
            shard, rows, self._count = self._count, 0, self._count + 1
        self._open[space] = (shard, rows + 1)
        return shard


def rows_to_ask(entries: Sequence[Entry], plan: Plan, given: Mapping[int, Answer], size: int) -> Iterator[NewRow]:
    """Yield the rows of an upload; where nothing is asked, with the answers that stand in the workbook."""
    shards = Shards(size)
    for entry in entries:
        answer = None if plan.ask else given.get(entry.number)
        refusal = entry.refusal or (None if plan.ask or answer else _no_answer())
        if refusal:
            yield _settled(entry, plan, refusal)
        else:
            yield NewRow(
                number=entry.number,
                position=entry.position,
                space=entry.space,
                question=entry.question,
                shard=shards.place(entry.space),
                answer=storable(answer) if answer else None,
                cell=spec_to_json(entry.cell) if entry.cell else None,
            )


def rows_to_judge(rows: Iterable[RowRecord], plan: Plan, size: int) -> Iterator[NewRow]:
    """Yield the rows of an earlier run to judge again; one without an answer keeps its code."""
    shards = Shards(size)
    for row in rows:
        cell = spec_from_json(row.cell) if row.cell else None
        entry = Entry(number=row.number, position=row.position, space=row.space, question=row.question, cell=cell)
        if row.answer is None and not row.code:
            yield _settled(entry, plan, _no_answer())
            continue
        yield NewRow(
            number=row.number,
            position=row.position,
            space=row.space,
            question=row.question,
            shard=shards.place(row.space) if row.answer else None,
            answer=row.answer,
            verdicts={} if row.answer else row.verdicts,
            code="" if row.answer else row.code,
            trials=tuple(replace(trial, verdicts={}, code="") if trial.answer else trial for trial in row.trials),
            cell=row.cell,
        )


def by_space(rows: Iterable[NewRow]) -> dict[str, int]:
    """Return how many questions each space has."""
    return dict(Counter(row.space for row in rows if row.space))


def _settled(entry: Entry, plan: Plan, refusal: Remark) -> NewRow:
    if plan.niah:
        verdicts = without_score(refusal.code, refusal.message)
    else:
        verdicts = unanswered(refusal.code, refusal.message, plan.flags_of(entry.space))
    return NewRow(
        number=entry.number,
        position=entry.position,
        space=entry.space,
        question=entry.question,
        verdicts=verdicts,
        code=refusal.code,
        cell=spec_to_json(entry.cell) if entry.cell else None,
    )


def _no_answer() -> Remark:
    missing = AnswerMissing()
    return Remark(code=missing.code, message=missing.message)
