"""Following a run over server-sent events, and whether the service can work."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import httpx2
import pytest
import uvicorn
from fastapi import FastAPI

from service.api._fakes import MemoryRuns, a_run, an_app


def events(text: str) -> list[tuple[str, dict[str, object]]]:
    """Return name and state of each event."""
    found = []
    for block in text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """Serve on a free port of loopback."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        thread.join(0.02)
        assert thread.is_alive()
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def test_a_run_that_is_over_says_so_at_once(client):
    """One event, and the stream ends; nothing on the way may keep it back."""
    reply = client.get("/api/v1/runs/r1/events")
    ((name, state),) = events(reply.text)
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert reply.headers["x-accel-buffering"] == "no"
    assert (name, state["id"], state["state"], state["done"], state["total"]) == ("end", "r1", "ready", 25, 25)
    assert {"rate", "seconds_left", "flagged", "errors", "counts"} <= set(state)
    assert "notes" not in state


def test_a_run_that_does_not_exist_is_refused_before_the_stream(client):
    """The usual error with its status."""
    reply = client.get("/api/v1/runs/nobody/events")
    assert (reply.status_code, reply.json()["code"]) == (404, "run_unknown")


def test_nobody_follows_without_the_token(connect):
    """A stream is a request like any other."""
    assert connect(token="secret").get("/api/v1/runs/r1/events").status_code == 401


def test_a_run_is_followed_to_its_end():
    """Each change comes by itself; the last event says how it ended."""
    room = MemoryRuns(a_run("r1", state="in_progress", done=1))
    with served(an_app(room)) as url, httpx2.stream("GET", f"{url}/api/v1/runs/r1/events") as reply:
        text = ""
        for piece in reply.iter_text():
            text += piece
            done = room.known["r1"].done
            room.known["r1"] = replace(room.known["r1"], done=done + 1, state="ready" if done == 3 else "in_progress")
    told = events(text)
    assert [name for name, _ in told] == ["progress"] * (len(told) - 1) + ["end"]
    assert [state["done"] for _, state in told] == [1, 2, 3, 4]


def test_who_goes_away_costs_nothing_any_more():
    """Ten follow one run: one look serves them, and none is made when they are gone."""
    room = MemoryRuns(a_run("r1", state="in_progress", done=1))
    with served(an_app(room)) as url, httpx2.Client() as client:
        streams = [client.stream("GET", f"{url}/api/v1/runs/r1/events") for _ in range(10)]
        pieces = [stream.__enter__().iter_raw() for stream in streams]
        assert all(b"event: progress" in next(piece) for piece in pieces)
        assert len(room.watches) == 1
        for stream in streams:
            stream.__exit__(None, None, None)
        deadline = time.monotonic() + 10
        while len(room.watches):
            assert time.monotonic() < deadline
            time.sleep(0.02)


def test_the_service_is_ready_when_its_parts_work(connect):
    """Without a token, since whoever starts and stops machines has none."""
    reply = connect(token="secret").get("/readyz")
    assert (reply.status_code, reply.json()["status"]) == (200, "ok")


@pytest.mark.parametrize("broken", [("database",), ("database", "queue")])
def test_what_does_not_work_is_named(connect, runs, broken):
    """And nothing else is told."""
    runs.broken = broken
    reply = connect().get("/readyz")
    assert (reply.status_code, reply.json()["code"]) == (503, "not_ready")
    assert reply.json()["params"] == {"failing": " and ".join(broken)}
