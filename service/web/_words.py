"""What the pages say about runs and remarks, in plain words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from flags import label
from service.errors import CostLimitReached
from service.runs import Remark, RowView, RunView, cost_said, money, tokens_said

Tone = Literal["busy", "good", "bad", "quiet"]

PLACES_SHOWN = 8
SPACES_SHOWN = 4
_QUIET = {"clear": "no flag", "open": "not finished", "approved": "accepted before"}
ROWS_TO_GUESS = 5
"""Rows that must be done before the time left is more than a guess."""


@dataclass(frozen=True)
class Group:
    """Remarks that say the same about several places."""

    message: str
    places: tuple[str, ...]
    more: int


def count(number: int, one: str, many: str = "") -> str:
    """Return `1 question`, `1,250 questions`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def tag(run: RunView) -> str:
    """Return the words of the tag beside the file's name."""
    if run.state in {"queued", "in_progress"}:
        return "In Progress"
    if run.failure and run.failure.code == CostLimitReached.code:
        return "stopped at its cost limit"
    if run.state == "ready" and run.errors:
        return f"ready, {count(run.errors, 'error')}"
    return str(run.state)


def tone(run: RunView) -> Tone:
    """Return the tag's colour by its meaning."""
    tones: Mapping[str, Tone] = {"ready": "good", "failed": "bad", "cancelled": "quiet"}
    return tones.get(run.state, "busy")


def progress(run: RunView) -> str:
    """Return how far a run is, how fast it goes and how long it may still take."""
    if run.state == "queued":
        return "Waiting to start"
    words = f"{run.done:,} of {count(run.total, 'cell' if run.experiment else 'question')}"
    if run.seconds_left is not None and run.done < run.total and run.done >= min(ROWS_TO_GUESS, run.total // 2):
        words += f" · {run.rate:,.0f} a minute" if run.rate else ""
        words += f" · {duration(run.seconds_left)} left"
    return words


def spent(run: RunView) -> str:
    """Return the calls of a run so far and their cost, empty where no model was called."""
    if not run.spending.calls:
        return ""
    words = f"{tokens_said(run.spending)} · cost {cost_said(run.spending)}"
    return words if run.spending.limit is None else f"{words} of {money(run.spending.limit, run.spending.currency)}"


def announcement(run: RunView) -> str:
    """Return what a screen reader is told when it changes: states and quarters, not every row."""
    if tone(run) != "busy":
        return f"{run.name}: {tag(run)}"
    quarters = 4 * run.done // run.total if run.total else 0
    return f"{run.name}: {tag(run)}, {25 * quarters} %"


def duration(seconds: float) -> str:
    """Return seconds as a person says them, without false precision."""
    whole = round(seconds)
    if whole < 10:
        return "a few seconds"
    if whole < 55:
        return f"about {max(10, round(whole, -1))} seconds"
    if whole < 90 * 60:
        return f"about {count(max(1, round(whole / 60)), 'minute')}"
    return f"about {whole / 3600:.1f} hours"


def when(moment: datetime | None) -> str:
    """Return a time as it stands on the page before the browser turns it into local time."""
    return f"{moment:%d %b %Y, %H:%M} UTC" if moment else ""


def row_tag(row: RowView) -> str:
    """Return what is most urgent about a row."""
    if row.level in _QUIET:
        return _QUIET[row.level]
    return label(row.finding) if row.finding else f"not judged: {row.code}" if row.code else "flagged"


def row_tone(row: RowView) -> Tone:
    """Return the colour of that."""
    tones: Mapping[str, Tone] = {"clear": "good", "open": "quiet", "approved": "quiet"}
    return tones.get(row.level, "bad")


def choices(run: RunView) -> list[str]:
    """Return what was chosen for a run beyond the usual."""
    said = []
    if run.options.rows:
        said.append(f"questions {run.options.rows}")
    if run.options.judge_only:
        said.append("given answers, nothing asked")
    if run.options.trials > 1:
        said.append(f"each asked {run.options.trials} times")
    if run.cached:
        said.append(f"{count(run.cached, 'reply', 'replies')} of the judge taken again")
    if run.origin:
        said.append("judged again")
    return said


def spaces_asked(run: RunView) -> str:
    """Return the names of a run's spaces, the first few of many."""
    names = [name for name in run.spaces if name]
    more = len(names) - SPACES_SHOWN
    return ", ".join(names[:SPACES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def grouped(remarks: Iterable[Remark]) -> list[Group]:
    """Join remarks that say the same, so that one misspelt space is one line however many rows it has."""
    places: dict[str, list[str]] = {}
    for remark in remarks:
        places.setdefault(remark.message, []).append(remark.cell or (f"row {remark.row}" if remark.row else ""))
    return [
        Group(message, tuple(filter(None, found[:PLACES_SHOWN])), max(0, len(found) - PLACES_SHOWN))
        for message, found in places.items()
    ]
