"""A real service in front of a counting server: cancelled, shared by two, out of disk, out of its database."""

import json
import resource
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

import service.store

pytestmark = pytest.mark.slow

OPEN = ("queued", "in_progress")
STOPPED_AFTER_S = 2.0


def rows(count: int, word: str = "paragraph") -> list[tuple[str, str, str, str]]:
    """Return so many questions with the answers the server gives to them."""
    questions = [f"What does {word} {n} say?" for n in range(count)]
    return [(question, "Law", "yes", f"This is what is known about “{question}”.") for question in questions]


def calls(openai_server: Any) -> int:
    """Return how many calls reached the server, refused ones and embeddings included."""
    return int(openai_server.stats()["requests"])


def check_silence(openai_server: Any) -> None:
    """From two seconds after this moment on, nothing more is called."""
    time.sleep(STOPPED_AFTER_S)
    reached = calls(openai_server)
    time.sleep(3)
    assert calls(openai_server) == reached


@pytest.mark.parametrize("who", ["its service", "another process"])
def test_a_cancel_stops_new_calls_within_two_seconds(
    place: Any, openai_server: Any, benchmark: Any, cells: Any, who: str
) -> None:
    """Also those that wait for their turn or to be repeated; the rows done are in the file."""
    openai_server.reset(latency_ms=500, every_429=7, retry_after=1.5)
    place.environment["FLAGBOOK_JUDGE_CONCURRENCY"] = "2"
    content = benchmark(rows(200))
    server = place.serve()
    if who == "its service":
        run_id = server.upload(content)
    else:
        (place.folder / "in.xlsx").write_bytes(content)
        command = place.start("run", "in.xlsx", "-o", "out.xlsx")
        wait_for(lambda: bool(server.get("/api/v1/runs")))
        run_id = server.get("/api/v1/runs")[0]["id"]
    server.until(run_id, lambda view: view["done"] >= 3)
    assert server.post(f"/api/v1/runs/{run_id}/cancel")["state"] == "cancelled"
    check_silence(openai_server)
    view = server.get(f"/api/v1/runs/{run_id}")
    written = cells(server.workbook(run_id))
    assert 3 <= view["done"] < 200
    assert sum(flag is not None for flag in written["final_flag"]) == view["done"]
    assert len([answer for answer in written["answer"] if answer]) >= view["done"]
    if who == "another process":
        assert command.wait(timeout=30) == 3
        assert cells((place.folder / "out.xlsx").read_bytes())["final_flag"] == written["final_flag"]


def test_a_short_run_is_not_stuck_behind_a_long_one(place: Any, openai_server: Any, benchmark: Any) -> None:
    """Ten questions that come while 3,000 are asked are done before a tenth of these."""
    openai_server.reset(latency_ms=200)
    server = place.serve()
    long = server.upload(benchmark(rows(3000)))
    server.until(long, lambda view: view["done"] >= 20)
    short = server.upload(benchmark(rows(10, "page")))
    before = len(openai_server.stats()["questions"])
    assert server.ended(short)["state"] == "ready"
    meanwhile = len(openai_server.stats()["questions"]) - before - 10
    print({"questions of the long run meanwhile": meanwhile})  # noqa: T201  # shown when it fails
    assert 0 < meanwhile < 300
    server.post(f"/api/v1/runs/{long}/cancel")


def test_an_upload_that_was_answered_survives_the_death_of_the_service(
    place: Any, openai_server: Any, benchmark: Any
) -> None:
    """Killed the moment the answer is there, whether or not the engine has heard of the run."""
    runs = []
    for number in range(2):
        server = place.serve()
        runs.append(server.upload(benchmark(rows(3, f"page {number}, line"))))
        server.kill()
    server = place.serve()
    for run_id in runs:
        view = server.ended(run_id)
        assert (view["state"], view["done"], view["errors"]) == ("ready", 3, 0)


def test_a_full_disk_ends_the_run_with_its_reason_and_loses_nothing(
    place: Any, openai_server: Any, benchmark: Any, cells: Any
) -> None:
    """The database may not grow any more; once it may, only what was not stored is asked."""
    content = benchmark(rows(60))
    server = place.serve()
    database = place.home / "flagbook.sqlite"
    run_id = server.upload(content)
    server.until(run_id, lambda view: view["done"] >= 5)
    fill(server.process.pid, database)
    view = server.ended(run_id)
    assert (view["state"], view["failure"]["code"]) == ("failed", "database_full")
    kept = answers(database)
    assert 5 <= len(kept) < 60
    empty(server.process.pid)
    wait_for(lambda: openai_server.stats()["in_flight"] == 0)
    openai_server.reset()
    server.post(f"/api/v1/runs/{run_id}/resume")
    view = server.ended(run_id)
    assert (view["state"], view["done"], view["errors"]) == ("ready", 60, 0)
    assert not set(openai_server.stats()["questions"]) & set(kept)
    assert len([answer for answer in cells(server.workbook(run_id))["answer"] if answer]) == 60


def fill(process: int, database: Path) -> None:
    """Leave a process no room: its files may not become larger than they are."""
    wal = database.with_name(database.name + "-wal")
    size = max(database.stat().st_size, wal.stat().st_size if wal.exists() else 0)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def empty(process: int) -> None:
    """Make room again."""
    resource.prlimit(process, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def answers(database: Path) -> list[str]:
    """Return the questions whose answers are stored, by nobody's code but the database's."""
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT question FROM row WHERE answer IS NOT NULL").fetchall()
    return [json.loads(question)["text"] for (question,) in found]


def test_a_database_that_is_locked_for_a_while_is_waited_for(place: Any, openai_server: Any, benchmark: Any) -> None:
    """Somebody holds the lock for longer than SQLite itself waits; the service says that it cannot work meanwhile."""
    server = place.serve()
    run_id = server.upload(benchmark(rows(30)))
    server.until(run_id, lambda view: view["done"] >= 3)
    assert server.get("/readyz")["status"] == "ok"
    with closing(sqlite3.connect(place.home / "flagbook.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        time.sleep(33)
        with pytest.raises(HTTPError) as refused:
            server.get("/readyz")
        other.execute("ROLLBACK")
    assert refused.value.code == 503
    assert json.load(refused.value)["params"] == {"failing": "database"}
    view = server.ended(run_id)
    assert (view["state"], view["done"], view["errors"]) == ("ready", 30, 0)
    assert max(openai_server.stats()["questions"].values()) == 1
    assert server.get("/readyz")["status"] == "ok"


OLDER = "import service, service.runs._engine as engine; service.__version__, engine.VERSION = '0.0.1', '0'"


def test_an_upgrade_takes_up_the_runs_in_flight(place: Any, openai_server: Any, benchmark: Any) -> None:
    """An older version with older tables had begun them; what it stored is not asked again."""
    from alembic import command
    from alembic.config import Config

    from service.store._connect import connect, writing

    openai_server.reset(latency_ms=100)
    server = place.serve(code=OLDER)
    run_id = server.upload(benchmark(rows(60)))
    server.until(run_id, lambda view: view["done"] >= 10)
    server.kill()
    wait_for(lambda: openai_server.stats()["in_flight"] == 0)
    database = place.home / "flagbook.sqlite"
    kept = answers(database)
    config = Config()
    config.set_main_option("script_location", str(Path(service.store.__file__).with_name("migrations")))
    with writing(connect(f"sqlite:///{database}")).begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0002")
    openai_server.reset()
    view = place.serve().ended(run_id)
    assert (view["state"], view["done"], view["errors"]) == ("ready", 60, 0)
    assert 10 <= len(kept) < 60
    assert not set(openai_server.stats()["questions"]) & set(kept)


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something has happened in another process."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
