"""Two runs compared over HTTP."""

from datetime import UTC, datetime
from io import BytesIO

import pytest
from openpyxl import load_workbook

from flags import Checked
from service.api._fakes import MemoryRuns, a_run
from service.runs import ApprovedView, Outcome, Reviewed


@pytest.fixture
def runs() -> MemoryRuns:
    """Two runs that ended, in which six rows got worse, and one that goes on."""
    room = MemoryRuns(a_run("r1"), a_run("r2"), a_run("r3", state="in_progress"))
    for run_id, passes in (("r1", True), ("r2", False)):
        room.outcomes[run_id] = tuple(
            Outcome(number=number, space="HR", question=f"Question {number}?", reference="R", passes=passes)
            for number in range(2, 8)
        )
    return room


def test_what_changed_comes_with_a_verdict(client):
    """Rates with intervals per space, the paired test, each changed row with both sides; no rows that stayed."""
    body = client.get("/api/v1/compare", params={"a": "r1", "b": "r2"}).json()
    assert (body["total"]["trend"], body["total"]["worse"], body["total"]["p"]) == ("worse", 6, 0.03125)
    assert body["verdict"].startswith("Worse: of 6 rows")
    assert body["spaces"][0]["a"]["rate"] == 1.0
    assert [change["kind"] for change in body["changes"]] == ["worse"] * 6
    assert body["changes"][0]["b"]["question"] == "Question 2?"
    assert body["a"] == {"name": "Benchmark.xlsx", "run": "r1", "rows": 6, "setup": {"Judge": "local 1"}}
    same = client.get("/api/v1/compare", params={"a": "r1", "b": "r1"}).json()
    assert (same["changes"], same["total"]["trend"]) == ([], "no evidence")


def test_a_comparison_is_downloaded_as_a_workbook(client):
    """With the rows that changed."""
    reply = client.get("/api/v1/compare/workbook", params={"a": "r1", "b": "r2"})
    assert "Comparison.xlsx" in reply.headers["content-disposition"]
    assert len(list(load_workbook(BytesIO(reply.content))["Changed"].values)) == 7


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"a": "r1", "b": "nobody"}, 404, "run_unknown"),
        ({"a": "r1", "b": "r3"}, 409, "run_not_ready"),
        ({"a": "r1"}, 422, None),
    ],
)
def test_what_cannot_be_compared_is_refused(client, query, status, code):
    """A run that does not exist, one that goes on, and one that was not named."""
    reply = client.get("/api/v1/compare", params=query)
    assert reply.status_code == status
    assert code in (None, reply.json()["code"])


def test_the_reviews_of_runs_tell_how_right_the_flags_are(connect, runs):
    """Scorecards with what is unknown as null, and proposals by space."""
    rows = [("HR", Checked(run="r", flags={"final": True}, correct=False, score=0.5))]
    runs.reviews.reviewed = [Reviewed(name="B.xlsx", embedder="words", rows=rows)]
    reply = connect().get("/api/v1/calibration").json()
    assert (reply["reviews"], reply["runs"]) == (1, ["B.xlsx"])
    assert reply["flags"][0]["precision"]["value"] == 1.0
    assert reply["proposals"][0]["proposal"]["threshold"] is None


def test_accepted_answers_are_listed_and_taken_back(connect, runs):
    """A second time there is none."""
    when = datetime(2026, 3, 2, tzinfo=UTC)
    runs.reviews.accepted = [ApprovedView(id="a1", space="HR", question="Q", answer="A", user="ann", when=when)]
    client = connect()
    assert [each["user"] for each in client.get("/api/v1/approved").json()] == ["ann"]
    assert client.delete("/api/v1/approved/a1").status_code == 204
    assert client.delete("/api/v1/approved/a1").json()["code"] == "approved_unknown"
