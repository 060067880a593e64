"""A real service, killed in the middle of a run, started again on the same home."""

import json
import random
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

QUESTIONS = [f"What does paragraph {n} say?" for n in range(200)]
ANSWERS = {question: f"Paragraph {n} says {n * 7} francs." for n, question in enumerate(QUESTIONS)}
RUBRICS = 2
"""Rubrics asked of a row without sources: contradiction and coverage."""


@pytest.fixture(autouse=True)
def _answers(openai_server: Any) -> None:
    """Answers of which each can be told from the others."""
    openai_server.script(answers=ANSWERS)


@dataclass(frozen=True)
class Stored:
    """What a dead service has left in its database."""

    answered: set[str]
    judgements: int


def stored(home: Path) -> Stored:
    """Look into the database, by nobody's code but the database's."""
    with closing(sqlite3.connect(home / "flagbook.sqlite")) as database:
        rows = database.execute("SELECT question FROM row WHERE answer IS NOT NULL").fetchall()
        (judgements,) = database.execute("SELECT count(*) FROM judgement").fetchone()
    return Stored({json.loads(question)["text"] for (question,) in rows}, judgements)


def asked(openai_server: Any) -> tuple[Counter[str], int]:
    """Return how often each question was asked since the last look, and how many rubrics were judged."""
    # An answer that nobody waits for any more counts when it is ready.
    wait_for(lambda: openai_server.stats()["in_flight"] == 0)
    stats = openai_server.stats()
    openai_server.reset()
    return Counter(stats["questions"]), sum(sum(times.values()) for times in stats["judged"].values())


def check_result(view: dict[str, Any], content: bytes, cells: Any) -> None:
    """Every row once, with its answer, in the order of the sheet."""
    assert (view["state"], view["done"], view["total"], view["errors"], view["flagged"]) == ("ready", 200, 200, 0, 0)
    written = cells(content)
    assert written["Question"] == QUESTIONS
    assert written["answer"] == [ANSWERS[question] for question in QUESTIONS]
    assert written["final_flag"] == [False] * 200


ROWS = [(question, "Law", "yes", ANSWERS[question]) for question in QUESTIONS]
OPEN = ("queued", "in_progress")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_service_finishes_its_run_without_paying_twice(
    place: Any, openai_server: Any, benchmark: Any, cells: Any, how: signal.Signals
) -> None:
    """No answer and no judgement that was stored is asked for again, however often the service is ended."""
    server = place.serve()
    run_id = server.upload(benchmark(ROWS))
    before = Stored(set(), 0)
    for done in (20, 70, 110):
        server.until(run_id, lambda view, done=done: view["done"] >= done)
        server.kill(how)
        questions, judged = asked(openai_server)
        left = stored(place.home)
        assert not before.answered & set(questions)
        assert left.answered - before.answered <= set(questions)
        assert judged >= left.judgements - before.judgements
        before = left
        server = place.serve()
    view = server.until(run_id, lambda view: view["state"] not in OPEN)
    questions, judged = asked(openai_server)
    assert set(questions) == set(QUESTIONS) - before.answered
    assert max(questions.values(), default=0) <= 1
    assert judged == len(QUESTIONS) * RUBRICS - before.judgements
    check_result(view, server.workbook(run_id), cells)


def test_the_service_finishes_what_a_killed_command_left(
    place: Any, openai_server: Any, benchmark: Any, cells: Any
) -> None:
    """The command's name is held by nobody any more; its run goes on under the service's."""
    (place.folder / "in.xlsx").write_bytes(benchmark(ROWS))
    command = place.start("run", "in.xlsx", "-o", "out.xlsx")
    wait_for(lambda: openai_server.stats()["chat"] > 150)
    command.kill()
    command.wait(timeout=10)
    asked(openai_server)
    before = stored(place.home)
    server = place.serve()
    (run,) = server.get("/api/v1/runs")
    view = server.until(run["id"], lambda view: view["state"] not in OPEN)
    questions, judged = asked(openai_server)
    assert set(questions) == set(QUESTIONS) - before.answered
    assert judged == len(QUESTIONS) * RUBRICS - before.judgements
    check_result(view, server.workbook(run["id"]), cells)


def test_a_command_beside_the_service_keeps_its_run_to_itself(
    place: Any, openai_server: Any, benchmark: Any, cells: Any
) -> None:
    """Both work on one home at the same time, and each question of each is asked once."""
    server = place.serve()
    (place.folder / "in.xlsx").write_bytes(benchmark(ROWS[:40]))
    command = place.start("run", "in.xlsx", "-o", "out.xlsx")
    run_id = server.upload(benchmark(ROWS[40:80]))
    view = server.until(run_id, lambda view: view["state"] not in OPEN)
    assert command.wait(timeout=60) == 0
    assert (view["state"], view["done"]) == ("ready", 40)
    assert cells((place.folder / "out.xlsx").read_bytes())["answer"] == [ANSWERS[q] for q in QUESTIONS[:40]]
    questions, _ = asked(openai_server)
    assert questions == Counter(QUESTIONS[:80])


def test_thirty_kills_at_random_moments_change_nothing(
    place: Any, openai_server: Any, benchmark: Any, cells: Any
) -> None:
    """The result is that of an undisturbed run, and only calls that were under way at a kill are made again."""
    openai_server.reset(latency_ms=200)
    place.environment["FLAGBOOK_ROWS_AT_ONCE"] = "4"
    moments = random.Random(20)
    server = place.serve()
    run_id = server.upload(benchmark(ROWS))
    for _ in range(30):
        time.sleep(moments.uniform(0.0, 0.7))
        server.kill()
        assert len(stored(place.home).answered) < len(QUESTIONS), "the run ended before it was killed often enough"
        server = place.serve()
    view = server.until(run_id, lambda view: view["state"] not in OPEN)
    questions, judged = asked(openai_server)
    disturbed = server.workbook(run_id)
    check_result(view, disturbed, cells)
    assert set(questions) == set(QUESTIONS)
    # Four rows are open at a kill, each with one question or two rubrics under way.
    again = sum(questions.values()) + judged - len(QUESTIONS) * (1 + RUBRICS)
    assert 0 <= again <= 30 * 4 * 2
    other = server.upload(benchmark(ROWS))
    server.until(other, lambda view: view["state"] not in OPEN)
    assert asked(openai_server) == (Counter(QUESTIONS), len(QUESTIONS) * RUBRICS)
    undisturbed = cells(server.workbook(other))
    times = "ChatMessages"  # tells how long each call took
    assert {**cells(disturbed), times: None} == {**undisturbed, times: None}


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something has happened in another process."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
