"""A workbook, or an earlier run, → a run as it is stored."""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from flags import Tools
from service.errors import FileOfOtherRun, OptionsRefused
from service.runs._cells import niah_plan, refuse_haystacks, spec_from_json
from service.runs._check import remarks
from service.runs._judging import Judging
from service.runs._new_rows import by_space, rows_to_ask, rows_to_judge
from service.runs._plan import Plan, make_plan
from service.runs._shapes import Remark, RunOptions, User
from service.runs._sorting import Entry, Spaces, choose, sort_out
from service.settings import Settings
from service.store import NewRun, Review, RowRecord, RunRecord
from service.workbook import Reading


@dataclass(frozen=True, kw_only=True)
class Desk:
    """What a process makes runs with; `owner` is the engine that will carry them out."""

    settings: Settings
    spaces: Spaces
    owner: str


@dataclass(frozen=True, kw_only=True)
class Upload:
    """A workbook that was read, with who sent it and what they chose; `corpora` are those they have, name → sha256."""

    content: bytes
    name: str
    reading: Reading
    options: RunOptions
    user: User
    corpora: Mapping[str, str] = field(default_factory=dict)


def entries_of(upload: Upload, desk: Desk) -> list[Entry]:
    """Return the questions a person chose; raise `OptionsRefused`."""
    reading, options = upload.reading, upload.options
    every = sort_out(reading, desk.spaces, upload.user, ask=not options.judge_only)
    if reading.niah:
        if options.judge_only:
            raise OptionsRefused(option="judge_only", problem="the cells of an experiment are always asked.")
        every = refuse_haystacks(every, reading.columns.get("haystack", ""), upload.corpora)
    return choose(every, options.rows)


def plan_upload(entries: Iterable[Entry], upload: Upload, desk: Desk) -> Plan:
    """Return the snapshot for the spaces that are asked; raise `OptionsRefused`."""
    names = dict.fromkeys(entry.space for entry in entries)
    found = [space for name in names if (space := desk.spaces.find(name))]
    options = upload.options
    niah = niah_plan(upload.reading, upload.corpora, cache=options.cache) if upload.reading.niah else None
    return make_plan(found, options, desk.settings, ask=not options.judge_only, niah=niah)


def run_of_upload(upload: Upload, entries: Sequence[Entry], plan: Plan, desk: Desk, tools: Tools) -> NewRun:
    """Return the run to store for an upload."""
    rows = tuple(rows_to_ask(entries, plan, upload.reading.given, desk.settings.shard_rows))
    notes = (*remarks(upload.reading.notes), *_choices(upload.options, len(rows)))
    return NewRun(
        id=_new_id(),
        company=upload.user.company,
        user=upload.user.name,
        name=upload.name,
        sheet=upload.reading.sheet,
        owner=desk.owner,
        content=upload.content,
        rows=rows,
        options=upload.options.model_dump(mode="json"),
        plan=plan.model_dump(mode="json"),
        spaces=by_space(rows),
        notes=tuple(asdict(note) for note in notes),
        reviews=reviews_of(upload.reading),
        judge=Judging.of(plan.judging).judge(tools.judge).name,
        embedder=tools.embedder.name,
    )


def reviews_of(reading: Reading) -> tuple[Review, ...]:
    """Return column AB as it is stored: a yes or no with the hash of the answer it was given for."""
    return tuple(
        Review(number=number, answer_hash=review.answer, correct=review.correct)
        for number, review in reading.reviews.items()
    )


def check_rows(reading: Reading, rows: Sequence[RowRecord], run: RunRecord) -> None:
    """Raise `FileOfOtherRun` unless each question of the run still stands where it was found."""
    stands = {row.number: row.question.text for row in reading.rows}
    cells = reading.niah.cells if reading.niah else {}
    for row in rows:
        # a row that could not be read has no question to look for
        is_other = bool(row.question.text) and stands.get(row.number) != row.question.text
        if is_other or (row.cell and cells.get(row.number) != spec_from_json(row.cell)):
            raise FileOfOtherRun(
                run=run.id, found=f"row {row.number} no longer holds its question (were rows sorted or removed?)"
            )


@dataclass(frozen=True, kw_only=True)
class Again:
    """An earlier run whose stored answers are to be judged again."""

    run: RunRecord
    rows: Sequence[RowRecord]
    content: bytes
    reviews: tuple[Review, ...]
    options: RunOptions
    user: User


def plan_again(again: Again, desk: Desk) -> Plan:
    """Return the snapshot: spaces as they are declared now, or as they were when they are gone."""
    before = Plan.model_validate(again.run.plan)
    spaces = [desk.spaces.find(name) or space for name, space in before.spaces.items()]
    return make_plan(spaces, again.options, desk.settings, ask=False, niah=before.niah)


def run_again(again: Again, plan: Plan, desk: Desk, tools: Tools) -> NewRun:
    """Return the run to store that judges the answers of an earlier one."""
    rows = tuple(rows_to_judge(again.rows, plan, desk.settings.shard_rows))
    # the answers are those of the earlier run, as many as it got to each question
    options = again.options.model_copy(update={"trials": RunOptions.model_validate(again.run.options).trials})
    origin = Remark(code="rejudged", message=f"The answers of run {again.run.id} were judged again; nothing was asked.")
    notes = (origin, *_choices(again.options, len(rows)))
    return NewRun(
        id=_new_id(),
        company=again.user.company,
        user=again.user.name,
        name=again.run.name,
        sheet=again.run.sheet,
        owner=desk.owner,
        content=again.content,
        rows=rows,
        options=options.model_dump(mode="json"),
        plan=plan.model_dump(mode="json"),
        spaces=by_space(rows),
        notes=tuple(asdict(note) for note in notes),
        judge=Judging.of(plan.judging).judge(tools.judge).name,
        embedder=tools.embedder.name,
        origin=again.run.id,
        reviews=again.reviews,
    )


def _choices(options: RunOptions, chosen: int) -> Iterator[Remark]:
    if options.rows:
        yield Remark(code="rows_chosen", message=f"Only questions {options.rows} were run ({chosen} rows).")
    if options.judge_only:
        yield Remark(code="judge_only", message="Nothing was asked: the answers that stood in the file were judged.")


def _new_id() -> str:
    return str(uuid.uuid4())
