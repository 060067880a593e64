"""The progress bar on stderr: counts, rate and time left."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from service.runs import Progress, RunView


@contextmanager
def progress_bar(console: "Console | None" = None) -> "Iterator[Progress]":
    """Yield the function to call with each change of a run; it shows nothing where stderr is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    console = console or Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[rows]}"),
        TextColumn("{task.fields[counts]}"),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("starting", total=None, rows="", counts="")

        def show(view: "RunView") -> None:
            state = view.state.replace("_", " ")
            bar.update(task, description=state, total=view.total, completed=view.done)
            bar.update(task, rows=f"{view.done}/{view.total} rows", counts=counts_line(view))

        yield show


def counts_line(view: "RunView") -> str:
    """Return `3 flagged, 1 error, 40 rows/min, about 2 min left`, without what is not known."""
    parts = [f"{view.flagged} flagged"]
    if view.errors:
        parts.append(f"{view.errors} error{'s' * (view.errors != 1)}")
    if view.rate is not None:
        parts.append(f"{view.rate:g} rows/min")
    if view.spending.known:
        from service.runs import money

        parts.append(money(view.spending.known, view.spending.currency))
    if view.seconds_left is not None and view.done < view.total:
        parts.append(f"about {duration(view.seconds_left)} left")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """Return a length of time as people say it: `45 s`, `3 min`, `1 h 20 min`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
