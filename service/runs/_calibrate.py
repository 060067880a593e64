"""What reviews tell: how right each flag is, and which threshold would be better."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from flags import APPROVED, Checked, Proposal, Scorecard, propose, scorecard
from service.runs._plan import Plan
from service.runs._sides import JUDGED_WITH, code_of
from service.runs._summary import AUDIT
from service.runs._triage import flags_of
from service.store import RowRecord, RunRecord
from service.workbook import Flagged, FlaggedReading, Row, answer_hash

THRESHOLD = "embedding.threshold"
_USUAL = 0.92
_ORDER = ("final", "contradiction", "hallucination", "extent", "relation", "source", "module", "embedding")


@dataclass(frozen=True, kw_only=True)
class Reviewed:
    """A run (or a file out of one) with its reviews: judged rows by space, and what similarity was held against.

    `unjudged` and `marked_wrong` count reviewed rows that tell nothing of the flags: those that could not be judged,
    and those whose benchmark answer was marked wrong, where a deviation may be right.
    """

    name: str
    embedder: str = ""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    rows: Sequence[tuple[str, Checked]] = ()
    unjudged: int = 0
    marked_wrong: int = 0


@dataclass(frozen=True, kw_only=True)
class SpaceProposal:
    """A threshold for one space and embedding model."""

    space: str
    embedder: str
    proposal: Proposal


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """What reviews tell together; `audited` of the `reviews` are of rows without a flag that were drawn at random.

    `notes` say what keeps it from being certain.
    """

    runs: tuple[str, ...]
    rows: int
    reviews: int
    audited: int
    flags: tuple[Scorecard, ...]
    proposals: tuple[SpaceProposal, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Row:
    """One row as either source tells it."""

    space: str
    reference: str
    marked: bool | None
    judged: bool
    checked: Checked


def calibrate(reviewed: Iterable[Reviewed]) -> Calibration:
    """Return the scorecard of each flag, and a proposal for each space and embedding model."""
    runs = [run for run in reviewed if any(row.correct is not None for _, row in run.rows)]
    rows = [row for run in runs for _, row in run.rows]
    flags = {flag: None for row in rows for flag in row.flags}
    ranked = sorted(flags, key=lambda flag: _ORDER.index(flag) if flag in _ORDER else len(_ORDER))
    said = [row for row in rows if row.correct is not None]
    return Calibration(
        runs=tuple(run.name for run in runs),
        rows=len(rows),
        reviews=len(said),
        audited=sum(row.audit for row in said),
        flags=tuple(scorecard(flag, rows) for flag in ranked),
        proposals=tuple(_proposals(runs)),
        notes=tuple(_notes(runs, said)),
    )


def _proposals(runs: Sequence[Reviewed]) -> Iterator[SpaceProposal]:
    groups: dict[tuple[str, str], list[Checked]] = {}
    current: dict[tuple[str, str], float] = {}
    for run in runs:
        for space, row in run.rows:
            key = (space, run.embedder)
            groups.setdefault(key, []).append(row)
            current[key] = run.thresholds.get(space, _USUAL)  # that of the latest run
    for (space, embedder), rows in groups.items():
        yield SpaceProposal(space=space, embedder=embedder, proposal=propose(rows, current[space, embedder]))


def _notes(runs: Sequence[Reviewed], said: Sequence[Checked]) -> Iterator[str]:
    picked = sum(not row.flags["final"] and not row.audit for row in said)
    if picked:
        yield (
            f"{picked} reviews are of rows without a flag that are not in the audit sample. They count only where "
            "every row without a flag was reviewed: else nobody knows what they stand for."
        )
    marked, unjudged = (sum(getattr(run, name) for run in runs) for name in ("marked_wrong", "unjudged"))
    if marked:
        yield f"{marked} reviews are of rows whose benchmark answer was marked wrong; they say nothing of the flags."
    if unjudged:
        yield f"{unjudged} reviews are of rows that were not judged; they are left out."
    if len({run.embedder for run in runs}) > 1:
        yield "The runs had different embedding models: thresholds are proposed for each of them."


def reviewed_file(name: str, found: FlaggedReading) -> Reviewed:
    """Return a result as it came back with its reviews."""
    reading = found.reading
    audit = _audit_rows(found)
    rows = [_of_file(row, found, f"{name} {reading.run_id}", row.number in audit) for row in reading.rows]
    told = found.report.get(JUDGED_WITH, ())
    embedder = next((line[1] for line in told if line[0] == "Embedder" and len(line) > 1), "")
    thresholds = {line[2]: float(line[1]) for line in told if line[0] == THRESHOLD and len(line) > 2}
    return _reviewed(name, embedder, thresholds, rows)


def _of_file(row: Row, found: FlaggedReading, run: str, audit: bool) -> _Row:
    written, review = found.rows.get(row.number, Flagged({}, "")), found.reading.reviews.get(row.number)
    return _Row(
        space=row.question.space,
        reference=row.question.reference,
        marked=row.question.correct,
        judged="final" in written.flags and not code_of(written.explanation),
        checked=Checked(
            run=run,
            flags=written.flags,
            correct=review.correct if review else None,
            audit=audit,
            score=written.similarity,
        ),
    )


def _audit_rows(found: FlaggedReading) -> set[int]:
    """Return where the audit sample stands by now: the person may have sorted the sheet since."""
    lines = [line for line in found.report.get(AUDIT, ()) if len(line) > 2 and line[0].isdigit()]
    drawn = {(line[1].strip(), line[2]): int(line[0]) for line in lines}
    stands: dict[tuple[str, str], list[int]] = {}
    for row in found.reading.rows:
        for length in {len(text) for text, _ in drawn}:
            stands.setdefault((row.question.text[:length].strip(), row.question.space), []).append(row.number)
    numbers = set()
    for key, number in drawn.items():
        places = stands.get(key, [])
        numbers.add(number if number in places or not places else places[0])
    return numbers


def reviewed_run(run: RunRecord, rows: Iterable[RowRecord], reviews: Mapping[int, tuple[str, bool]]) -> Reviewed:
    """Return a stored run with its reviews, as far as they are of the answers it got."""
    plan = Plan.model_validate(run.plan)
    found = [_stored(run, row, reviews.get(row.number)) for row in rows]
    thresholds = {
        space: float(getattr(flags_of(plan, space).get("embedding"), "threshold", _USUAL)) for space in plan.spaces
    }
    return _reviewed(run.name, run.embedder, thresholds, found)


def _stored(run: RunRecord, row: RowRecord, review: tuple[str, bool] | None) -> _Row:
    own = review if review and row.answer and review[0] == answer_hash(row.answer.text) else None
    embedding = row.verdicts.get("embedding")
    return _Row(
        space=row.space,
        reference=row.question.reference,
        marked=row.question.correct,
        judged=row.state == "judged",
        checked=Checked(
            run=run.id,
            flags={flag: one.value for flag, one in row.verdicts.items() if one.value is not None and flag != APPROVED},
            correct=own[1] if own else None,
            audit=row.number in run.tally.audit,
            score=embedding.score if embedding is not None else None,
        ),
    )


def _reviewed(name: str, embedder: str, thresholds: Mapping[str, float], rows: Sequence[_Row]) -> Reviewed:
    said = [row for row in rows if row.checked.correct is not None]
    return Reviewed(
        name=name,
        embedder=embedder,
        thresholds=thresholds,
        rows=[(row.space, row.checked) for row in rows if row.judged and not _is_marked_wrong(row)],
        unjudged=sum(not row.judged for row in said),
        marked_wrong=sum(row.judged and _is_marked_wrong(row) for row in said),
    )


def _is_marked_wrong(row: _Row) -> bool:
    return row.marked is False and bool(row.reference.strip())
