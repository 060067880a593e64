"""The sheet `Run`: what a person must know before they trust or compare the flags of a workbook."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from flags import APPROVED, label, wilson
from service import __version__
from service.runs._majority import steadiness
from service.runs._plan import Plan
from service.runs._shapes import RunOptions
from service.runs._spending import cost_said, money
from service.runs._triage import by_severity, flags_of
from service.runs._views import spending_of
from service.store import RowRecord, RunRecord
from service.workbook import CellValue, Section
from service.workbook.columns import COLUMNS

if TYPE_CHECKING:
    import pandas as pd

Line = tuple[CellValue, ...]

AUDIT = "Audit sample: rows without a flag, drawn at random"
"""The section that names the rows to review although nothing was found; `calibrate` reads them from there."""
URGENT = "Rows to look at, the heaviest finding first"
_MOST_URGENT = 1000
_SAID = {
    "meaning": "wrong or not supported",
    "content": "missing, extra or beside the question",
    "sources": "sources or modules",
    "similarity": "similarity alone",
    "approved": "accepted before",
}

_ORDER = tuple(dict.fromkeys(column.verdict[0] for column in COLUMNS if column.verdict[0]))


_STEADY = {
    "stable": "no answer deviates",
    "flaky": "some answers deviate",
    "regressed": "every answer deviates",
}


def summarise(run: RunRecord, rows: Sequence[RowRecord]) -> list[Section]:
    """Return the sections of the sheet `Run` for what is known by now."""
    table, verdicts = _tables(rows)
    sections = [
        Section("Run", tuple(about(run))),
        Section("Result", (*_result(table, sum(APPROVED in row.verdicts for row in rows)), *_cached(run))),
        Section("Asked several times", tuple(_trials(run, rows))),
        Section("Flags", tuple(_flags(verdicts, run))),
        Section("Spaces", tuple(_spaces(table, run))),
        Section("Flags by space", tuple(_flags_by_space(table, verdicts))),
        Section("Not answered or not judged, by code", tuple(_codes(table))),
        Section("May be an improvement", tuple(_improvements(table))),
        Section("Calls and cost", tuple(_cost(run))),
        Section("Judged with", tuple(judged_with(run, rows))),
        Section("Notes", tuple((str(note["message"]), str(note.get("cell", ""))) for note in run.notes)),
        Section(AUDIT, tuple(_audit(run, rows))),
        Section(URGENT, tuple(_urgent(run, rows))),
    ]
    return [section for section in sections if section.lines]


def _tables(rows: Sequence[RowRecord]) -> "tuple[pd.DataFrame, pd.DataFrame]":
    """Return a table of rows and one of verdicts, which share the column `number`."""
    import pandas as pd

    table = pd.DataFrame(
        [
            {
                "number": row.number,
                "id": row.question.id,
                "space": row.space,
                "judged": row.state == "judged",
                "deviates": row.state == "judged" and row.verdicts["final"].value is True,
                "code": row.code,
                "wrong": row.question.correct is False,
                "compared": row.state == "judged" and bool(row.question.reference.strip()),
                "model": str(row.answer.messages.get("model", "")) if row.answer else "",
            }
            for row in rows
        ],
        columns=["number", "id", "space", "judged", "deviates", "code", "wrong", "compared", "model"],
    )
    verdicts = pd.DataFrame(
        [
            {"number": row.number, "flag": flag, "outcome": _outcome(verdict.status, verdict.value)}
            for row in rows
            for flag, verdict in row.verdicts.items()
            if flag != APPROVED
        ],
        columns=["number", "flag", "outcome"],
    )
    return table, verdicts


def _outcome(status: str, value: bool | None) -> str:
    if status == "given":
        return "TRUE" if value else "FALSE"
    return "not given" if status == "skipped" else "failed"


def about(run: RunRecord) -> Iterator[Line]:
    """Yield the lines of a run itself."""
    options = RunOptions.model_validate(run.options)
    yield ("Run id", run.id)
    yield ("File", run.name)
    yield ("Sheet", run.sheet)
    yield ("Started by", run.user)
    yield ("Uploaded (UTC)", f"{run.created:%Y-%m-%d %H:%M:%S}")
    if run.finished:
        yield ("Finished (UTC)", f"{run.finished:%Y-%m-%d %H:%M:%S}")
    yield ("State", run.state.replace("_", " "))
    yield ("Questions", options.rows or "all")
    if run.origin:
        yield ("Answers of run", run.origin)
    yield ("flagbook", __version__)


def _result(table: "pd.DataFrame", accepted: int) -> Iterator[Line]:
    judged, deviating = int(table["judged"].sum()), int(table["deviates"].sum())
    yield ("Rows", len(table))
    yield ("Rows that deviate", deviating)
    if accepted:
        yield ("Rows whose answer a person accepted before", accepted)
    yield ("Rows not answered or not judged", int((table["code"] != "").sum()))
    waiting = len(table) - judged - int((table["code"] != "").sum())
    if waiting:
        yield ("Rows not finished", waiting)
    compared = table[table["compared"]]
    if judged > len(compared):
        yield ("Rows without a benchmark answer (in no pass rate)", judged - len(compared))
    yield from _rate_lines(len(compared) - int(compared["deviates"].sum()), len(compared))


def _rate_lines(passed: int, compared: int) -> Iterator[Line]:
    if compared:
        low, high = wilson(passed, compared)
        yield ("Pass rate, % of the rows compared with a benchmark answer", _percent(passed / compared))
        yield ("95 % interval of the pass rate (Wilson)", f"{_percent(low)} – {_percent(high)}")


def _cached(run: RunRecord) -> Iterator[Line]:
    if run.tally.cached:
        yield ("Replies of the judge that were given before and not asked for again", run.tally.cached)


def _trials(run: RunRecord, rows: Sequence[RowRecord]) -> Iterator[Line]:
    trials = RunOptions.model_validate(run.options).trials
    if trials == 1:
        return
    yield ("Times each question was asked", trials)
    for kind, meaning in _STEADY.items():
        found = [str(row.number) for row in rows if row.trials and steadiness(row.trials) == kind]
        yield (f"Rows that are {kind}: {meaning}", len(found), ", ".join(found) if kind != "stable" else "")


def _percent(rate: float) -> float:
    return round(100 * rate, 1)


def _flags(verdicts: "pd.DataFrame", run: RunRecord) -> Iterator[Line]:
    outcomes = ("TRUE", "FALSE", "not given", "failed")
    counting = _counting(run)
    yield ("Flag", "Counts for final_flag", *outcomes)
    counts = verdicts.groupby(["flag", "outcome"]).size()
    for flag in sorted(verdicts["flag"].unique(), key=_place):
        numbers = [int(counts.get((flag, outcome), 0)) for outcome in outcomes]
        yield (str(flag), "" if flag == "final" else counting(str(flag)), *numbers)


def _place(flag: str) -> tuple[int, str]:
    """Return where a flag stands among the columns, one without a column just before final."""
    return (_ORDER.index(flag) if flag in _ORDER else len(_ORDER) - 2, flag)


def _counting(run: RunRecord) -> Any:
    """Return a function that says for a flag whether it counts: yes, no, or in which spaces."""
    plan = Plan.model_validate(run.plan)
    spaces = tuple(plan.spaces) or ("",)
    chosen: Mapping[str, tuple[str, ...] | None] = {
        space: getattr(flags_of(plan, space).get("final"), "counts", None) for space in spaces
    }

    def says(flag: str) -> str:
        where = [space for space, counts in chosen.items() if counts is None or flag in counts]
        if len(where) == len(chosen):
            return "yes"
        return f"only in {', '.join(where)}" if where else "no"

    return says


def _spaces(table: "pd.DataFrame", run: RunRecord) -> Iterator[Line]:
    plan = Plan.model_validate(run.plan)
    yield ("Space", "Assistant", "Rows", "Deviate", "Not judged", "Pass rate, %", "95 % from", "95 % to")
    for space, group in table.groupby("space", sort=False):
        if not space:
            continue
        numbers: list[CellValue] = [len(group), int(group["deviates"].sum()), int((group["code"] != "").sum())]
        compared = group[group["compared"]]
        if len(compared):
            passed = len(compared) - int(compared["deviates"].sum())
            low, high = wilson(passed, len(compared))
            numbers += [_percent(passed / len(compared)), _percent(low), _percent(high)]
        found = plan.spaces.get(str(space))
        models = ", ".join(sorted({model for model in group["model"] if model}))
        backend = found.backend if found and plan.ask else "not asked"
        yield (str(space), f"{backend} ({models})" if models else backend, *numbers)


def _flags_by_space(table: "pd.DataFrame", verdicts: "pd.DataFrame") -> Iterator[Line]:
    true = verdicts[verdicts["outcome"] == "TRUE"].merge(table[["number", "space"]], on="number")
    true = true[true["space"] != ""]
    if true.empty:
        return
    counts = true.groupby(["space", "flag"], sort=False).size().unstack(fill_value=0)
    flags = sorted(counts.columns, key=_place)
    yield ("Rows with TRUE", "", *flags)
    for space, line in counts[flags].iterrows():
        yield (str(space), "", *[int(count) for count in line])


def _codes(table: "pd.DataFrame") -> Iterator[Line]:
    for code, count in table.loc[table["code"] != "", "code"].value_counts().items():
        yield (str(code), int(count))


def _improvements(table: "pd.DataFrame") -> Iterator[Line]:
    found = table[table["deviates"] & table["wrong"]]
    if len(found):
        names = ", ".join(
            f"{number} (id {key})" if key else str(number)
            for number, key in zip(found["number"], found["id"], strict=True)
        )
        yield ("Rows that deviate from an answer marked wrong (correct_benchmark = no)", len(found))
        yield ("Sheet rows", names)


def _audit(run: RunRecord, rows: Sequence[RowRecord]) -> Iterator[Line]:
    if not run.tally.audit:
        return
    yield ("Review these as well: only they tell what the flags miss.",)
    yield ("Sheet row", "Question", "Assistant")
    found = {row.number: row for row in rows}
    for number in run.tally.audit:
        yield (number, found[number].question.text, found[number].space)


def _urgent(run: RunRecord, rows: Sequence[RowRecord]) -> Iterator[Line]:
    ranked = [(urgent, row) for urgent, row in by_severity(run, rows) if row.flagged]
    if not ranked:
        return
    yield ("Sheet row", "Question", "Heaviest finding", "Kind")
    for urgent, row in ranked[:_MOST_URGENT]:
        finding = label(urgent.finding) if urgent.finding else row.code
        yield (row.number, row.question.text, finding, _SAID.get(urgent.level, urgent.level))
    if len(ranked) > _MOST_URGENT:
        yield (f"and {len(ranked) - _MOST_URGENT} more: filter final_flag by TRUE",)


def _cost(run: RunRecord) -> Iterator[Line]:
    spent = spending_of(run, run.tally.used)
    if spent.calls or spent.unknown:
        yield (
            "Caller",
            "Model",
            "Calls",
            "Tokens in",
            "of them cached",
            "Tokens out",
            f"Cost, {spent.currency or '?'}",
        )
        for each in spent.models:
            counts = (each.calls, each.input, each.cached, each.output)
            yield (each.caller, each.model, *counts, "unknown" if each.cost is None else round(each.cost, 6))
        yield ("Cost of the run", cost_said(spent))
    if spent.limit is not None:
        yield ("Limit of the cost (max_cost)", money(spent.limit, spent.currency))


def judged_with(run: RunRecord, rows: Sequence[RowRecord]) -> Iterator[Line]:
    """Yield what two runs must have in common to be compared: judge, embedder, rubrics, and each flag's settings."""
    plan = Plan.model_validate(run.plan)
    yield ("Judge", run.judge)
    yield ("Embedder", run.embedder)
    if plan.approved == "clear":
        yield ("Answers accepted before", "not flagged (approved: clear)")
    rubrics = sorted({" ".join(kept.split()[:2]) for row in rows for kept in row.judgements})
    if rubrics:
        yield ("Rubrics and their versions", ", ".join(rubrics))
    for space in plan.spaces or ("",):
        for name, flag in flags_of(plan, space).items():
            for setting, value in asdict(flag).items():  # type: ignore[call-overload]
                yield (f"{name}.{setting}", _plain(value), space)


def _plain(value: Any) -> CellValue:
    if value is None:
        return "all"
    return value if isinstance(value, str | int | float | bool) else ", ".join(map(str, value))
