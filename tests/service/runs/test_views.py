"""What doors show of stored runs and rows."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from flags import Answer, Question, Verdict
from service.runs._views import row_view, run_view
from service.store import RowRecord, RunRecord, Tally
from service.workbook import answer_hash

NOW = datetime.now(UTC)
RUN = RunRecord(
    id="r1",
    company="c",
    user="ann",
    name="B.xlsx",
    sheet="S",
    state="in_progress",
    owner="serve",
    total=10,
    options={"rows": "1-10"},
    plan={},
    spaces={"Law": 10},
    notes=({"code": "x", "message": "m", "cell": "A1", "row": 1},),
    judge="j",
    embedder="e",
    origin="",
    created=NOW - timedelta(seconds=70),
    started=NOW - timedelta(seconds=60),
    finished=None,
    failure=None,
    tally=Tally(done=5, errors=1, flagged=2, counts={"source": 2}),
)


@pytest.mark.parametrize(
    ("changes", "done"),
    [
        ({"tally": Tally()}, 0),
        ({"tally": Tally(done=9)}, 9),
        ({"tally": Tally(done=10)}, 9),
        ({"tally": Tally(done=10), "state": "ready", "finished": NOW}, 10),
        ({"tally": Tally(done=10), "state": "failed", "finished": NOW}, 10),
        ({"tally": Tally(done=1), "total": 1, "state": "queued"}, 0),
    ],
)
def test_the_last_row_counts_as_done_with_the_result(changes: dict[str, Any], done: int) -> None:
    """Until then one is missing, also in a run of one row."""
    assert run_view(replace(RUN, **changes)).done == done


def test_the_pace_tells_how_long_it_will_take() -> None:
    """Five rows in a minute: five more need another minute."""
    view = run_view(RUN, NOW)
    assert (view.rate, view.seconds_left) == (5.0, 60.0)


@pytest.mark.parametrize(
    "changes",
    [{"started": None}, {"tally": Tally()}, {"started": NOW, "finished": NOW, "state": "ready"}],
)
def test_an_unknown_pace_is_not_guessed(changes: dict[str, Any]) -> None:
    """Before the first row, or in no time, there is none."""
    view = run_view(replace(RUN, **changes))
    assert (view.rate, view.seconds_left) == (None, None)


def test_a_failure_is_shown_as_every_error_is() -> None:
    """With message, code and params; an ended run has a rate but no time left."""
    failure = {"message": "m", "code": "run_broken", "params": {"problem": "p"}}
    view = run_view(replace(RUN, state="failed", finished=NOW, failure=failure))
    assert view.failure is not None
    assert (view.failure.code, view.failure.params) == ("run_broken", {"problem": "p"})
    assert (view.rate is not None, view.seconds_left) == (True, None)


ROW = RowRecord(
    run_id="r1", number=2, position=1, space="Law", question=Question(text="q", space="law"), state="waiting"
)


def test_a_row_that_waits_has_no_answer_and_no_flag() -> None:
    """Not given is neither an empty text nor FALSE."""
    view = row_view(ROW, None)
    assert (view.answer, view.flagged, view.explanation, view.space) == (None, None, "", "law")


@pytest.mark.parametrize(("text", "review"), [("a", True), ("another", None)])
def test_a_review_belongs_to_the_answer_it_was_given_for(text: str, review: bool | None) -> None:
    """A new answer has no review yet."""
    final = Verdict.given(True, "because", code="")
    row = replace(ROW, state="judged", answer=Answer(text=text), verdicts={"final": final})
    view = row_view(row, (answer_hash("a"), True))
    assert (view.review, view.flagged, view.explanation) == (review, True, "because")
