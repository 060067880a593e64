"""Rows in the order in which they should be looked at, and the audit sample among those that no flag found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from flags import Flag, FlagsMisconfigured, Severity, audit_sample, severity
from service.runs._cells import is_experiment
from service.runs._plan import Audit, Plan
from service.runs._shapes import RowView
from service.runs._views import row_view, spending_of
from service.store import RowRecord, RunRecord, Store

Only = Literal["all", "flagged", "unflagged", "audit"]


def by_severity(run: RunRecord, rows: Iterable[RowRecord]) -> list[tuple[Severity, RowRecord]]:
    """Return the rows with what is most urgent about each, the most urgent first; equal ones in sheet order."""
    found = zip(severities(run, rows := tuple(rows)), rows, strict=True)
    return sorted(found, key=lambda each: (each[0], each[1].number))


def severities(run: RunRecord, rows: Iterable[RowRecord]) -> list[Severity]:
    """Return how urgent each row is, by the flags that count in its space."""
    plan = Plan.model_validate(run.plan)
    counts: dict[str, tuple[str, ...] | None] = {}
    found = []
    for row in rows:
        if row.space not in counts:
            counts[row.space] = getattr(flags_of(plan, row.space).get("final"), "counts", None)
        found.append(severity(row.verdicts, counts[row.space]))
    return found


def flags_of(plan: Plan, space: str) -> Mapping[str, Flag]:
    """Return the flags of a space; none when this version does not know them, what is there is delivered anyway."""
    try:
        return plan.flags_of(space)
    except FlagsMisconfigured:
        return {}


async def drawn(store: Store, run: RunRecord) -> tuple[int, ...]:
    """Return the sheet rows of a run's audit sample; experiments have none."""
    if is_experiment(run):
        return ()
    unflagged = await store.rows.unflagged(run.id)
    audit = Plan.model_validate(run.plan).audit
    return audit_sample(run.id, unflagged, _size(audit, len(unflagged)))


def _size(audit: Audit, rows: int) -> int:
    share = -(-rows * audit.percent // 100)
    return min(int(max(audit.least, share)), audit.most)


async def triaged(store: Store, run: RunRecord, only: Only, offset: int, limit: int) -> list[RowRecord]:
    """Return a page of a run's rows, the most urgent first."""
    keep = {"flagged": True, "unflagged": False}.get(only)
    audited = frozenset(run.tally.audit)
    rows = [
        row
        for row in await store.rows.outline(run.id)
        if (keep is None or row.flagged is keep) and (only != "audit" or row.number in audited)
    ]
    numbers = [row.number for _, row in by_severity(run, rows)[offset : offset + limit]]
    found = {row.number: row for row in await store.rows.page(run.id, numbers=numbers)}
    return [found[number] for number in numbers if number in found]


async def shown(store: Store, run: RunRecord, rows: Sequence[RowRecord]) -> list[RowView]:
    """Return rows as doors show them: with review, cost, how urgent they are, and whether they are to be audited."""
    if not rows:
        return []
    reviews = await store.runs.reviews(run.id)
    numbers = [row.number for row in rows]
    used = await store.spending.of_rows(run.id, min(numbers), max(numbers))
    audited = frozenset(run.tally.audit)
    views = []
    for row, urgent in zip(rows, severities(run, rows), strict=True):
        view = row_view(row, reviews.get(row.number), spending_of(run, used.get(row.number, ())))
        level = "" if row.cell else urgent.level
        views.append(replace(view, level=level, finding=urgent.finding, audit=row.number in audited))
    return views
