"""Rows of an experiment as its sheet shows them, and as the figures are made from them."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, cast

from flags.niah import Category, Outcome
from service.runs._cells import spec_from_json
from service.runs._shapes import RowView
from service.store import RowRecord
from service.workbook import Measured


def measured_rows(rows: Iterable[RowRecord]) -> Iterator[tuple[int, Measured]]:
    """Yield (sheet row, what the run fills in) of every row; one that waits is empty."""
    for row in rows:
        yield row.number, measured_of(row)


def measured_of(row: RowRecord) -> Measured:
    """Return what the run knows of a cell by now."""
    told: dict[str, Any] = dict(row.answer.messages) if row.answer else {}
    cell: dict[str, Any] = dict(told.get("cell") or {})
    tokens: dict[str, Any] = dict(told.get("tokens") or {})
    score = row.verdicts.get("score")
    return Measured(
        category=category_of(row),
        score=score.score if score is not None and score.status == "given" else None,
        question=str(cell.get("question", "")),
        expected=tuple(cell.get("expected", ())),
        answer=row.answer.text if row.answer else "",
        scorer=row.verdicts["scorer"].reason if "scorer" in row.verdicts else "",
        explanation=score.reason if score is not None and score.status == "given" else "",
        depths=tuple(cell.get("depths", ())),
        prompt_tokens=tokens.get("prompt") or cell.get("prompt_tokens"),
        completion_tokens=tokens.get("completion"),
        seconds=told.get("call_seconds") or told.get("seconds"),
        error=f"{row.code}: {row.verdicts['final'].reason}" if row.code else "",
    )


def category_of(row: RowRecord) -> Category | Literal[""]:
    """Return the category of a cell, nothing for one that waits."""
    verdict = row.verdicts.get("category")
    return "" if verdict is None else cast(Category, verdict.reason)


def outcome_of(row: RowView) -> Outcome | None:
    """Return what became of a cell as doors see it, None for one that waits or could not be read."""
    category, score = row.verdicts.get("category"), row.verdicts.get("score")
    if row.cell is None or category is None:
        return None
    return Outcome(
        assistant=row.space,
        spec=spec_from_json(row.cell),
        score=score.score if score is not None and score.status == "given" else None,
        category=cast(Category, category.reason),
    )


def outcomes_of(rows: Iterable[RowRecord]) -> Iterator[Outcome]:
    """Yield what became of each settled cell, for `flags.niah.aggregate`; a row that could not be read has none."""
    for row in rows:
        measured = measured_of(row)
        if row.cell and measured.category:
            yield Outcome(
                assistant=row.space,
                spec=spec_from_json(row.cell),
                score=measured.score,
                category=measured.category,
            )
