"""What the tests of the run room hold in hand."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

import pytest

from flags import Answer, Question
from service.assistants import Space
from service.runs import RunOptions
from service.runs._fakes import ToldAssistant, World
from service.runs._plan import make_plan
from service.settings import Settings
from service.store import NewRow, NewRun, Store

HEADERS = ("Question", "Assistant", "correct_benchmark", "answer_benchmark", "sources_used_benchmark")


class Benchmark(Protocol):
    """Makes a workbook."""

    def __call__(self, rows: Iterable[Sequence[object]], headers: Sequence[str] = HEADERS) -> bytes: ...


class Cells(Protocol):
    """Reads a workbook."""

    def __call__(self, content: bytes, sheet: int = 0) -> dict[str, list[object]]: ...


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Two spaces whose assistants answer at once."""
    spaces = (Space(name="Law", backend="echo"), Space(name="Tax", backend="echo", members=("tim",)))
    made = World(home=tmp_path / "home", spaces=spaces, assistants={space.name: ToldAssistant() for space in spaces})
    made.open_gates()
    return made


@pytest.fixture
def benchmark() -> Benchmark:
    """Makes workbooks; `rows` are question, space, D, E, F, as `headers` say, and get ids from 1."""

    def make(rows: Iterable[Sequence[object]], headers: Sequence[str] = HEADERS) -> bytes:
        from openpyxl import Workbook

        book = Workbook()
        sheet = book.worksheets[0]
        sheet.append(["id", *headers])
        for number, row in enumerate(rows, start=1):
            sheet.append([number, *row])
        buffer = BytesIO()
        book.save(buffer)
        return buffer.getvalue()

    return make


@pytest.fixture
def cells() -> Cells:
    """Reads the first sheet as header → values below it, with another reader than ours."""

    def load(content: bytes, sheet: int = 0) -> dict[str, list[object]]:
        from openpyxl import load_workbook

        rows = list(load_workbook(BytesIO(content)).worksheets[sheet].values)
        return {str(header): [row[column] for row in rows[1:]] for column, header in enumerate(rows[0]) if header}

    return load


@pytest.fixture
def one_row(tmp_path: Path) -> Callable[..., NewRun]:
    """Makes runs of one row, answered and not judged."""

    def make(**changes: Any) -> NewRun:
        question = Question(text="q", space="Law", reference="a")
        plan = make_plan([Space(name="Law", backend="echo")], RunOptions(), Settings(home=tmp_path), ask=True)
        values: dict[str, Any] = {
            "id": "r1",
            "company": "local",
            "user": "local",
            "name": "B.xlsx",
            "sheet": "S",
            "owner": "serve",
            "content": b"no workbook",
            "rows": (NewRow(number=2, position=1, space="Law", question=question, shard=0, answer=Answer(text="a")),),
            "options": RunOptions().model_dump(mode="json"),
            "plan": plan.model_dump(mode="json"),
            "spaces": {"Law": 1},
        }
        return NewRun(**{**values, **changes})

    return make


@pytest.fixture
async def store(tmp_path: Path, one_row: Callable[..., NewRun]) -> Store:
    """A store with one run `r1` of one row, answered and not judged."""
    store = await Store.open(f"sqlite:///{tmp_path / 'f.sqlite'}")
    await store.runs.add(one_row())
    return store


@dataclass
class Place:
    """A home with a spaces file; commands are started in it."""

    folder: Path
    environment: dict[str, str]
    door_of: Callable[[subprocess.Popen[str]], Any]
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def home(self) -> Path:
        """The folder of the database."""
        return self.folder / "home"

    def start(self, *words: str, code: str = "") -> subprocess.Popen[str]:
        """Start `flagbook …`; with `code` as a program that runs this first."""
        program = ["-c", f"{code}; from service.cli import main; main()"] if code else ["-m", "service"]
        command = [sys.executable, *program, *words]
        options: dict[str, Any] = {"env": self.environment, "cwd": self.folder, "text": True}
        with (self.folder / f"log-{len(self.started)}").open("w") as log:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, **options)
        self.started.append(process)
        return process

    def serve(self, *, code: str = "") -> Any:
        """Start the service and wait until it answers."""
        return self.door_of(self.start("serve", "--port", "0", code=code))


@pytest.fixture
def place(tmp_path: Path, openai_server: Any, door_of: Callable[[subprocess.Popen[str]], Any]) -> Iterator[Place]:
    """A home whose space, judge and embedder are a counting server, a process of its own."""
    openai_server.reset(latency_ms=40)
    (tmp_path / "spaces.yaml").write_text(
        f"spaces:\n  - {{name: Law, backend: openai, model: m, base_url: '{openai_server.base_url}', concurrency: 8}}\n"
    )
    environment = {
        **os.environ,
        "FLAGBOOK_HOME": str(tmp_path / "home"),
        "FLAGBOOK_SPACES": str(tmp_path / "spaces.yaml"),
        "FLAGBOOK_JUDGE": "llm",
        "FLAGBOOK_JUDGE_BASE_URL": openai_server.base_url,
        "FLAGBOOK_EMBEDDER": "openai:e",
        "FLAGBOOK_EMBEDDER_BASE_URL": openai_server.base_url,
        "FLAGBOOK_SHARD_ROWS": "30",
        "FLAGBOOK_JUDGE_CACHE": "false",  # each reply that is asked for is counted
        "OPENAI_API_KEY": "key",
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    made = Place(tmp_path, environment, door_of)
    yield made
    for process in made.started:
        process.kill()
        process.wait(timeout=10)
