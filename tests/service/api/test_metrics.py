"""Figures for those who watch over the service."""

import pytest
from fastapi.testclient import TestClient

from service.api import check_metrics, metrics_app
from service.api._fakes import MemoryRuns, a_run, an_app
from service.errors import TokenRequired
from service.llm import Charge, Endpoint, Limiter, Patience
from service.llm._clients import Clients
from service.metrics import Load, Metrics
from service.settings import Settings


@pytest.fixture
def heard() -> Metrics:
    """Figures of one endpoint that was called three times."""
    metrics = Metrics()
    endpoint = Endpoint(Clients("http://llm.example/v1", None), Limiter(4), Patience(), caller="judge", meter=metrics)
    metrics.watch(lambda: [endpoint])
    for outcome in ("ok", "ok", "endpoint_rate_limited"):
        metrics.called(endpoint, outcome, 0.3)
    metrics.charged(Charge(caller="judge", model="m", input=70, output=8))
    return metrics


def test_calls_times_limits_and_the_queue_are_told(heard: Metrics) -> None:
    """As Prometheus reads them."""
    content, media_type = heard.text(Load(runs={"ready": 2}, rows={"waiting": 5, "answered": 1, "judged": 9}))
    lines = content.decode().splitlines()
    assert media_type.startswith("text/plain")
    for line in (
        'flagbook_calls_total{caller="judge",endpoint="llm.example",outcome="ok"} 2.0',
        'flagbook_calls_total{caller="judge",endpoint="llm.example",outcome="endpoint_rate_limited"} 1.0',
        'flagbook_call_seconds_bucket{caller="judge",endpoint="llm.example",le="0.5"} 3.0',
        'flagbook_tokens_total{caller="judge",kind="input",model="m"} 70.0',
        'flagbook_calls_in_flight{caller="judge",endpoint="llm.example"} 0.0',
        'flagbook_calls_waiting{caller="judge",endpoint="llm.example"} 0.0',
        'flagbook_calls_limit{caller="judge",endpoint="llm.example"} 4.0',
        "flagbook_queue_depth 6.0",
        'flagbook_rows{state="waiting"} 5.0',
        'flagbook_runs{state="ready"} 2.0',
    ):
        assert line in lines


def test_each_application_has_its_own(heard: Metrics) -> None:
    """What one heard another does not tell."""
    assert b"llm.example" not in Metrics().text(Load(runs={}, rows={}))[0]


@pytest.mark.parametrize(
    ("settings", "given", "status"),
    [
        ({}, "", 200),
        ({"token": "t"}, "", 401),
        ({"token": "t"}, "t", 200),
        ({"token": "t", "metrics_token": "m"}, "m", 200),
        ({"token": "t", "metrics_token": "m"}, "t", 200),
        ({"token": "t", "metrics_token": "m"}, "x", 401),
        ({"metrics_token": "m"}, "", 401),
        ({"metrics_token": "m"}, "m", 200),
        ({"token": "t", "metrics_token": ""}, "", 401),
    ],
)
def test_figures_need_a_token_where_there_is_one(connect, settings, given, status):
    """That of the service, or one that opens nothing else; this machine alone needs none."""
    headers = {"authorization": f"Bearer {given}"} if given else {}
    assert connect(**settings).get("/metrics", headers=headers).status_code == status


def test_the_token_of_the_figures_opens_nothing_else(connect):
    """A watcher sees no runs."""
    client = connect(token="t", metrics_token="m")
    assert client.get("/api/v1/runs", headers={"authorization": "Bearer m"}).status_code == 401


def test_no_space_and_no_file_is_named(runs):
    """Figures go to systems that others read."""
    with TestClient(an_app(MemoryRuns(a_run("r1"))), base_url="http://localhost:8300") as client:
        text = client.get("/metrics").text
    for name in ("Travel Desk", "Reisekosten", "Benchmark.xlsx"):
        assert name not in text
    assert "flagbook_queue_depth" in text


def test_a_worker_serves_its_figures_behind_the_same_guard(heard: Metrics) -> None:
    """Nothing else is there, and other names are refused."""

    async def load() -> Load:
        return Load(runs={}, rows={"waiting": 1})

    app = metrics_app(Settings(metrics_token="m"), heard, load)
    with TestClient(app, base_url="http://localhost:9300", headers={"authorization": "Bearer m"}) as client:
        assert "flagbook_queue_depth 1.0" in client.get("/metrics").text
        assert client.get("/metrics", headers={"authorization": "Bearer x"}).status_code == 401
        assert client.get("/metrics", headers={"host": "evil.example"}).status_code == 403
        assert client.get("/api/v1/runs").status_code == 404


def test_figures_are_not_served_to_other_machines_without_a_token() -> None:
    """Either token will do."""
    with pytest.raises(TokenRequired):
        check_metrics(Settings(host="0.0.0.0"))
    check_metrics(Settings(host="0.0.0.0", metrics_token="m"))
    check_metrics(Settings(host="0.0.0.0", token="t"))
