"""Records of the store → what doors show."""

from collections.abc import Iterable
from datetime import UTC, datetime

from service.runs._cells import is_experiment, spec_from_json, title_of
from service.runs._majority import deviates
from service.runs._prices import Prices
from service.runs._shapes import Failure, Remark, RowView, RunOptions, RunView, TrialView
from service.runs._spending import Spending, spending
from service.store import RowRecord, RunRecord, Trial, Used
from service.workbook import answer_hash


def run_view(run: RunRecord, now: datetime | None = None) -> RunView:
    """Return a run as its owner sees it at this moment."""
    rate, seconds_left = _pace(run, now or datetime.now(UTC))
    return RunView(
        id=run.id,
        name=run.name,
        state=run.state,
        sheet=run.sheet,
        total=run.total,
        done=_done(run),
        errors=run.tally.errors,
        flagged=run.tally.flagged,
        created=run.created,
        started=run.started,
        finished=run.finished,
        options=RunOptions.model_validate(run.options),
        spaces=run.spaces,
        user=run.user,
        judge=run.judge,
        embedder=run.embedder,
        counts=run.tally.counts,
        cached=run.tally.cached,
        notes=tuple(Remark(**note) for note in run.notes),
        rate=rate,
        seconds_left=seconds_left,
        failure=Failure(**run.failure) if run.failure else None,
        origin=run.origin,
        spending=spending_of(run, run.tally.used),
        experiment=is_experiment(run),
        audit=run.tally.audit,
    )


def spending_of(run: RunRecord, used: Iterable[Used]) -> Spending:
    """Return what was used of a run, by the prices it was started with."""
    prices = Prices.model_validate(run.plan.get("prices") or {})
    return spending(used, prices, run.options.get("max_cost"), run.plan.get("unseen") or ())


def row_view(row: RowRecord, review: tuple[str, bool] | None, spent: Spending | None = None) -> RowView:
    """Return a row with everything its row of the workbook shows; `review` is (hash of its answer, yes or no)."""
    question, answer, final = row.question, row.answer, row.verdicts.get("final")
    reviewed = review is not None and answer is not None and review[0] == answer_hash(answer.text)
    return RowView(
        number=row.number,
        position=row.position,
        id=question.id,
        question=question.text or (title_of(spec_from_json(row.cell)) if row.cell else ""),
        space=question.space,
        state=row.state,
        correct=question.correct,
        reference=question.reference,
        reference_sources=question.reference_sources,
        reference_modules=question.reference_modules,
        reference_followup=question.reference_followup,
        answer=answer.text if answer else None,
        sources=answer.sources if answer else (),
        modules=answer.modules if answer else (),
        followup=answer.followup if answer else None,
        messages=answer.messages if answer else {},
        verdicts=row.verdicts,
        flagged=final.value if final is not None else None,
        code=row.code,
        explanation=final.reason if final is not None else "",
        review=review[1] if review and reviewed else None,
        trials=tuple(_trial(trial) for trial in row.trials),
        spending=spent or Spending(),
        cell=row.cell,
    )


def _trial(trial: Trial) -> TrialView:
    flags = (flag for flag, verdict in trial.verdicts.items() if verdict.value and flag != "final")
    return TrialView(
        trial=trial.trial,
        answer=trial.answer.text if trial.answer else None,
        flagged=deviates(trial),
        flags=tuple(flags),
        code=trial.code,
    )


def _done(run: RunRecord) -> int:
    """Return the rows that count as done: the last one does so only with the result."""
    if run.state in ("queued", "in_progress"):
        return min(run.tally.done, run.total - 1)
    return run.tally.done


def _pace(run: RunRecord, now: datetime) -> tuple[float | None, float | None]:
    """Return rows a minute and seconds left, both None before they can be told."""
    done = _done(run)
    if run.started is None or not done:
        return None, None
    seconds = ((run.finished or now) - run.started).total_seconds()
    if seconds <= 0:
        return None, None
    left = (run.total - done) * seconds / done if run.state == "in_progress" else None
    return round(done * 60 / seconds, 1), None if left is None else round(left, 1)
