"""Several processes on one real PostgreSQL server; without its binaries these tests fail."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

import psycopg
import pytest

BINARIES = Path(os.environ.get("FLAGBOOK_TEST_POSTGRESQL", "/usr/lib/postgresql/15/bin"))


@dataclass
class Postgres:
    """A server of our own on loopback, as a user that may run it."""

    folder: Path
    port: int
    user: str | None

    @property
    def group(self) -> int | None:
        """The group of that user."""
        return pwd.getpwnam(self.user).pw_gid if self.user else None

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.folder} -c max_connections=300"
        self.call(
            "pg_ctl", "-D", str(self.folder / "data"), "-w", "-l", str(self.folder / "log"), "-o", options, "start"
        )

    def stop(self) -> None:
        """Break every connection and end it."""
        self.call("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", "immediate", "stop")

    def call(self, program: str, *words: str) -> None:
        """Run one of its programs."""
        command = [str(BINARIES / program), *words]
        options: dict[str, Any] = {"user": self.user, "group": self.group, "extra_groups": []} if self.user else {}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **options)

    def new_database(self) -> str:
        """Make an empty database and return its URL."""
        name = f"t{uuid.uuid4().hex[:10]}"
        with psycopg.connect(f"postgresql://flagbook@127.0.0.1:{self.port}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return f"postgresql://flagbook@127.0.0.1:{self.port}/{name}"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Start a server for the session; it refuses to run as root, so it runs as nobody where we are root."""
    assert (BINARIES / "initdb").exists(), f"PostgreSQL is not installed at {BINARIES}"
    folder = Path(tempfile.mkdtemp(prefix="flagbook-pg-"))
    user = "nobody" if os.getuid() == 0 else None
    if user:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = Postgres(folder, free.getsockname()[1], user)
    server.call("initdb", "-D", str(folder / "data"), "-U", "flagbook", "-A", "trust", "-E", "UTF8", "--no-sync")
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Site:
    """Processes on one database, whose space, judge and embedder are a counting server."""

    folder: Path
    database: str
    environment: dict[str, str]
    door_of: Callable[[subprocess.Popen[str]], Any]
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    def start(self, *words: str, **changes: str) -> subprocess.Popen[str]:
        """Start `flagbook …` as on a machine of its own, and wait for its first line."""
        home = self.folder / f"home-{len(self.started)}"
        process = subprocess.Popen(
            [sys.executable, "-m", "service", *words],
            stdout=subprocess.PIPE,
            stderr=(self.folder / f"log-{len(self.started)}").open("w"),
            text=True,
            cwd=self.folder,
            env={**self.environment, "FLAGBOOK_HOME": str(home), **changes},
        )
        self.started.append(process)
        return process

    def worker(self, **changes: str) -> subprocess.Popen[str]:
        """Start a worker and wait until it works."""
        process = self.start("worker", **changes)
        assert process.stdout is not None
        assert "works" in process.stdout.readline()
        return process

    def serve(self, **changes: str) -> Any:
        """Start the service and wait until it answers."""
        return self.door_of(self.start("serve", "--port", "0", **changes))

    def work(self, run_id: str) -> list[tuple[Any, ...]]:
        """Look at what the engine knows of a run."""
        with psycopg.connect(self.database) as connection:
            query = "SELECT workflow_uuid, status FROM dbos.workflow_status WHERE workflow_uuid LIKE %s"
            return connection.execute(query, (f"{run_id}%",)).fetchall()

    def rows(self, run_id: str) -> list[tuple[Any, ...]]:
        """Look at the rows by nobody's code but the database's."""
        with psycopg.connect(self.database) as connection:
            query = 'SELECT number, state, lease FROM "row" WHERE run_id = %s ORDER BY number'
            return connection.execute(query, (run_id,)).fetchall()


@pytest.fixture
def site(
    tmp_path: Path, postgres: Postgres, openai_server: Any, door_of: Callable[[subprocess.Popen[str]], Any]
) -> Iterator[Site]:
    """An empty database, and a space that may be asked 200 questions at the same time."""
    openai_server.reset(latency_ms=300)
    space = f"name: Law, backend: openai, model: m, base_url: '{openai_server.base_url}', concurrency: 200"
    (tmp_path / "spaces.yaml").write_text(f"spaces:\n  - {{{space}}}\n")
    database = postgres.new_database()
    environment = {
        **os.environ,
        "FLAGBOOK_DATABASE_URL": database,
        "FLAGBOOK_SPACES": str(tmp_path / "spaces.yaml"),
        "FLAGBOOK_JUDGE": "llm",
        "FLAGBOOK_JUDGE_BASE_URL": openai_server.base_url,
        "FLAGBOOK_EMBEDDER": "openai:e",
        "FLAGBOOK_EMBEDDER_BASE_URL": openai_server.base_url,
        "FLAGBOOK_SHARD_ROWS": "5",
        "OPENAI_API_KEY": "key",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    made = Site(tmp_path, database, environment, door_of)
    yield made
    for process in made.started:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.wait(timeout=10)


@pytest.fixture
def workbook() -> Callable[[list[str]], bytes]:
    """Makes a workbook of questions to the space Law."""

    def make(questions: list[str]) -> bytes:
        from openpyxl import Workbook

        book = Workbook()
        sheet = book.worksheets[0]
        sheet.append(["id", "Question", "Assistant", "correct_benchmark", "answer_benchmark"])
        for number, question in enumerate(questions, start=1):
            sheet.append([number, question, "Law", "yes", f"This is what is known about “{question}”."])
        buffer = BytesIO()
        book.save(buffer)
        return buffer.getvalue()

    return make
