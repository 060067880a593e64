"""Many workers on one PostgreSQL: faster together, within one limit, and nothing lost when one is gone."""

import signal
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

pytestmark = pytest.mark.slow

QUESTIONS = [f"What does paragraph {n} say?" for n in range(80)]


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something has happened in another process."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def check_ended(view: dict[str, Any], rows: list[tuple[Any, ...]], count: int) -> None:
    """Every row is judged, once."""
    assert (view["state"], view["done"], view["total"], view["errors"]) == ("ready", count, count, 0)
    assert [state for _, state, _ in rows] == ["judged"] * count


def seconds_with(site: Any, workers: int, warm_up: bytes, content: bytes, count: int) -> float:
    """Return how long a run takes from its start to ready with so many workers, one of which is the door."""
    for _ in range(workers - 1):
        site.worker()
    door = site.serve()
    # What a process loads with its first row is no part of its pace.
    door.ended(door.upload(warm_up))
    run_id = door.upload(content)
    view = door.ended(run_id)
    check_ended(view, site.rows(run_id), count)
    return (datetime.fromisoformat(view["finished"]) - datetime.fromisoformat(view["started"])).total_seconds()


@pytest.fixture
def slow_rows(site: Any, openai_server: Any) -> None:
    """Each process may carry four rows at a time, and each call takes long: waiting decides, not computing."""
    openai_server.reset(latency_ms=1000)
    site.environment |= {"FLAGBOOK_ROWS_AT_ONCE": "4", "FLAGBOOK_SHARD_ROWS": "4", "FLAGBOOK_JUDGE": "local"}


@pytest.mark.pace
def test_workers_add_up(site: Any, slow_rows: None, workbook: Any) -> None:
    """Two do the work in little more than half the time, four in little more than a quarter."""
    questions = [f"{question} Say it {times}." for question in QUESTIONS for times in ("once", "twice")]
    warm_up, content = workbook([f"First, {question}" for question in QUESTIONS[:48]]), workbook(questions)
    taken: dict[int, float] = {}
    for workers in (1, 2, 4):
        taken[workers] = seconds_with(site, workers, warm_up, content, len(questions))
        for process in site.started:
            process.terminate()
            process.wait(timeout=30)
    print({workers: round(seconds, 2) for workers, seconds in taken.items()})  # noqa: T201  # shown when it fails
    assert taken[1] / taken[2] >= 1.8
    assert taken[1] / taken[4] >= 3.3


def mean_in_flight(openai_server: Any, seconds: float) -> float:
    """Return how many questions were under way on average for so long; each takes the same time."""
    before, begun = openai_server.stats()["chat_busy"], time.monotonic()
    time.sleep(seconds)
    busy, ended = openai_server.stats()["chat_busy"], time.monotonic()
    return float((busy - before) / (ended - begun))


def test_workers_that_join_a_run_carry_as_much_of_it_each(site: Any, openai_server: Any, workbook: Any) -> None:
    """Where waiting decides, questions under way are rows a minute: two carry twice as many, four four times.

    It is counted by the server within one run, so that a busy machine slows all of them alike.
    """
    openai_server.reset(latency_ms=2000)
    site.environment |= {"FLAGBOOK_ROWS_AT_ONCE": "4", "FLAGBOOK_SHARD_ROWS": "4", "FLAGBOOK_JUDGE": "local"}
    door = site.serve()
    run_id = door.upload(workbook([f"{question} Say it {n} times." for question in QUESTIONS for n in range(6)]))
    busy: dict[int, float] = {}
    for workers in (1, 2, 4):
        while len(site.started) < workers:
            site.worker()
        wait_for(lambda workers=workers: openai_server.stats()["chat_in_flight"] == 4 * workers)
        busy[workers] = mean_in_flight(openai_server, 10)
    door.post(f"/api/v1/runs/{run_id}/cancel")
    print({workers: round(mean, 2) for workers, mean in busy.items()})  # noqa: T201  # shown when it fails
    assert 2.5 <= busy[1] <= 4
    assert busy[2] / busy[1] >= 1.8
    assert busy[4] / busy[1] >= 3.3
    assert max(openai_server.stats()["questions"].values()) == 1


def test_a_cancel_stops_every_worker_and_the_run_can_be_removed(site: Any, openai_server: Any, workbook: Any) -> None:
    """Within two seconds, wherever its calls are made; what is pruned is gone from every table."""
    openai_server.reset(latency_ms=500)
    site.environment["FLAGBOOK_ROWS_AT_ONCE"] = "8"
    site.worker()
    door = site.serve()
    run_id = door.upload(workbook(QUESTIONS))
    door.until(run_id, lambda view: view["done"] >= 10)
    assert len({lease for _, _, lease in site.rows(run_id) if lease}) == 2
    door.post(f"/api/v1/runs/{run_id}/cancel")
    time.sleep(2)
    reached = openai_server.stats()["requests"]
    time.sleep(3)
    assert openai_server.stats()["requests"] == reached
    assert 10 <= door.get(f"/api/v1/runs/{run_id}")["done"] < len(QUESTIONS)
    assert door.get("/readyz")["status"] == "ok"
    prune = site.start("prune", "--older-than", "0h", "--yes", "--give-back")
    assert prune.communicate(timeout=60)[0].startswith("Removed 1 run ")
    assert (site.rows(run_id), site.work(run_id)) == ([], [])


def test_a_spaces_limit_holds_over_all_workers(site: Any, openai_server: Any, workbook: Any) -> None:
    """Three processes together never ask more than the space allows; the places are used all the same."""
    text = (site.folder / "spaces.yaml").read_text().replace("concurrency: 200", "concurrency: 6")
    (site.folder / "spaces.yaml").write_text(text)
    openai_server.reset(latency_ms=500)
    # small shards, so that no process takes all there are before the others look
    site.environment |= {"FLAGBOOK_JUDGE": "local", "FLAGBOOK_ROWS_AT_ONCE": "8", "FLAGBOOK_SHARD_ROWS": "4"}
    site.worker()
    site.worker()
    door = site.serve()
    run_id = door.upload(workbook(QUESTIONS))
    check_ended(door.ended(run_id), site.rows(run_id), len(QUESTIONS))
    # Embeddings have a lane of their own, so chat calls alone are counted by the answers.
    assert openai_server.stats()["max_chat_in_flight"] <= 6
    assert openai_server.stats()["max_chat_in_flight"] >= 5
    assert len({lease for _, _, lease in site.rows(run_id)}) == 3


def test_a_worker_killed_for_good_loses_nothing(site: Any, openai_server: Any, workbook: Any) -> None:
    """Others carry its rows within 30 s, and ask again only what was under way."""
    site.environment["FLAGBOOK_ROWS_AT_ONCE"] = "8"
    worker = site.worker()
    door = site.serve()
    run_id = door.upload(workbook(QUESTIONS))
    door.until(run_id, lambda view: view["done"] >= 20)
    worker.kill()
    killed = time.monotonic()
    view = door.ended(run_id)
    assert time.monotonic() - killed < 30
    check_ended(view, site.rows(run_id), len(QUESTIONS))
    asked = Counter(openai_server.stats()["questions"])
    assert set(asked) == set(QUESTIONS)
    assert sum(asked.values()) - len(QUESTIONS) <= 8
    assert max(asked.values()) <= 2


def test_a_database_that_is_gone_for_half_a_minute_loses_nothing(
    site: Any, postgres: Any, openai_server: Any, workbook: Any
) -> None:
    """Every connection breaks in the middle of a run; it goes on when the server is back."""
    site.environment["FLAGBOOK_ROWS_AT_ONCE"] = "4"
    site.worker()
    door = site.serve()
    run_id = door.upload(workbook(QUESTIONS))
    door.until(run_id, lambda view: view["done"] >= 20)
    postgres.stop()
    time.sleep(30)
    postgres.start()
    view = door.ended(run_id)
    check_ended(view, site.rows(run_id), len(QUESTIONS))
    asked = Counter(openai_server.stats()["questions"])
    assert set(asked) == set(QUESTIONS)
    # Rows open at the break: what was answered and could not be stored for so long may be asked again.
    assert sum(asked.values()) - len(QUESTIONS) <= 2 * 4
    assert all(process.poll() is None for process in site.started)


def test_a_service_that_dies_right_after_an_upload_loses_nothing(site: Any, openai_server: Any, workbook: Any) -> None:
    """Whoever lives carries the run: the upload was answered."""
    site.worker()
    door = site.serve()
    run_id = door.upload(workbook(QUESTIONS[:20]))
    door.process.kill()
    wait_for(lambda: bool(site.rows(run_id)) and all(state == "judged" for _, state, _ in site.rows(run_id)))
    check_ended(site.serve().ended(run_id), site.rows(run_id), 20)


def test_a_worker_that_wakes_after_its_lease_neither_doubles_nor_overwrites(
    site: Any, openai_server: Any, workbook: Any
) -> None:
    """It was paused past its lease; what it had under way is refused, and it asks nothing that is another's."""
    site.environment["FLAGBOOK_ROWS_AT_ONCE"] = "8"
    worker = site.worker()
    door = site.serve()
    run_id = door.upload(workbook(QUESTIONS))
    door.until(run_id, lambda view: view["done"] >= 20)
    worker.send_signal(signal.SIGSTOP)
    paused = {lease for _, _, lease in site.rows(run_id) if lease.startswith("worker-")}
    view = door.ended(run_id)
    before = site.rows(run_id)
    asked = Counter(openai_server.stats()["questions"])
    worker.send_signal(signal.SIGCONT)
    other = door.upload(workbook([f"And {question}" for question in QUESTIONS]))
    check_ended(door.ended(other), site.rows(other), len(QUESTIONS))
    check_ended(view, before, len(QUESTIONS))
    assert site.rows(run_id) == before
    after = Counter({q: n for q, n in openai_server.stats()["questions"].items() if not q.startswith("And ")})
    assert after == asked
    assert sum(asked.values()) - len(QUESTIONS) <= 8
    woken = {lease for _, _, lease in site.rows(other) if lease.startswith("worker-")}
    assert woken
    assert not woken & paused
