"""A command line in front of a run room in memory."""

import asyncio
import io
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import structlog
from typer.testing import CliRunner
from typer.testing import Result as Typed

from flags import Answer, Question, Verdict
from service.api._fakes import MemoryRuns, a_run
from service.app import Service
from service.cli import app
from service.cli._door import Door
from service.errors import FileOfOtherRun
from service.runs import Progress, RunOptions, RunView, User
from service.settings import Settings
from service.workbook import Result, Section, template, write


class WatchedRuns(MemoryRuns):
    """Runs that end as `end` says.

    With `interrupted` somebody presses Ctrl-C in the middle, and they never end; `breaks` is raised at the start,
    `refusal` when a file is to be judged again.
    """

    end: RunView = a_run()
    interrupted = False
    breaks: BaseException | None = None
    refusal: FileOfOtherRun | None = None

    async def submit(self, content: bytes, filename: str, options: RunOptions, *, user: User) -> RunView:
        """Start a run, or break."""
        if self.breaks:
            raise self.breaks
        return await super().submit(content, filename, options, user=user)

    async def rejudge(self, run_id: str, options: RunOptions, *, user: User, content: bytes | None = None) -> RunView:
        """Judge again, or refuse."""
        if self.refusal:
            raise self.refusal
        return await super().rejudge(run_id, options, user=user, content=content)

    async def wait(self, run_id: str, *, user: User, on_progress: Progress | None = None) -> RunView:
        """Report the middle of the run, then its end."""
        run = await self.get(run_id, user=user)
        if on_progress:
            on_progress(replace(run, state="in_progress", done=run.total // 2, seconds_left=90))
        if self.interrupted:
            signal.raise_signal(signal.SIGINT)
            await asyncio.get_running_loop().create_future()
        self.known[run_id] = replace(self.end, id=run_id, options=run.options, name=run.name)
        return self.known[run_id]


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """Forget how a command set up the logs of its process: it would go on for every test that comes later."""
    yield
    structlog.reset_defaults()


@dataclass
class Desk:
    """What a test holds in hand: the run room, the settings a command opened it with, and a way to type commands."""

    runs: WatchedRuns = field(default_factory=WatchedRuns)
    opened: list[Settings] = field(default_factory=list)

    @asynccontextmanager
    async def open(self, settings: Settings, *, executor: str) -> AsyncIterator[Service]:
        """Open the run room in memory."""
        self.opened.append(settings)
        yield Service(settings=settings, runs=self.runs, spaces=())

    def type(self, *words: object, said: str = "") -> Typed:
        """Run a command as if it were typed; `said` are the answers to what it asks."""
        return CliRunner().invoke(app, [str(word) for word in words], input=said, obj=Door(self.open))

    def asked(self, name: str) -> list[object]:
        """Return what the run room was asked for under a name."""
        return [what for kind, what in self.runs.asked if kind == name]


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Desk:
    """Return a desk in an empty folder, on which no setting of this machine lies."""
    for name in [name for name in os.environ if name.startswith("FLAGBOOK_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "desk"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Desk()


def flagged_workbook(run_id):
    """Return a small result: one row reviewed with yes, one with no, one not reviewed; `run_id` "" names no run."""
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(template()))
    sheet = book.worksheets[0]
    for number in (2, 3, 4):
        for column, value in (("A", number), ("B", "Why?"), ("C", "HR"), ("D", "no"), ("E", "Old.")):
            sheet[f"{column}{number}"] = value
    filled = io.BytesIO()
    book.save(filled)
    question = Question(text="Why?", space="HR", reference="Old.", correct=False)
    results = [
        Result(number, question, Answer(text=f"New {number}."), {"final": Verdict.given(True)}) for number in (2, 3, 4)
    ]
    about = [Section("Run", (("Run id", run_id),))] if run_id else []
    content = write(filled.getvalue(), results, about)
    book = load_workbook(io.BytesIO(content))
    for number, review in ((2, "yes"), (3, "no")):
        book.worksheets[0][f"AB{number}"] = review
    reviewed = io.BytesIO()
    book.save(reviewed)
    return reviewed.getvalue()


@pytest.fixture
def flagged(tmp_path):
    """Return a function that writes a result workbook of a run."""

    def make(run_id):
        path = tmp_path / "Benchmark_flagged.xlsx"
        path.write_bytes(flagged_workbook(run_id))
        return path

    return make
