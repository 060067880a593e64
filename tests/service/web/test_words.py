"""What the page says, in words."""

import pytest

from service.api._fakes import NOON, a_run
from service.runs import Failure, Remark, Spending
from service.web import _words


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "a few seconds"),
        (9.4, "a few seconds"),
        (10, "about 10 seconds"),
        (42, "about 40 seconds"),
        (61, "about 1 minute"),
        (95, "about 2 minutes"),
        (3600, "about 60 minutes"),
        (9000, "about 2.5 hours"),
    ],
)
def test_times_are_said_as_people_say_them(seconds, said):
    """No false precision."""
    assert _words.duration(seconds) == said


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 questions"), (1, "1 question"), (2, "2 questions"), (12500, "12,500 questions")]
)
def test_numbers_agree_with_their_noun(number, said):
    """One question, two questions."""
    assert _words.count(number, "question") == said


def test_a_screen_reader_hears_quarters_and_ends():
    """Not every row: only what changed noticeably."""
    steps = [_words.announcement(a_run(state="in_progress", done=done)) for done in range(26)]
    assert list(dict.fromkeys(steps)) == [f"Benchmark.xlsx: In Progress, {part} %" for part in (0, 25, 50, 75, 100)]
    assert _words.announcement(a_run(errors=3)) == "Benchmark.xlsx: ready, 3 errors"
    assert _words.announcement(a_run(state="queued", total=0)) == "Benchmark.xlsx: In Progress, 0 %"


def test_a_run_that_has_not_begun_says_so():
    """Waiting is not zero progress."""
    assert _words.progress(a_run(state="queued", done=0)) == "Waiting to start"


def test_the_first_rows_say_nothing_about_the_time_left():
    """Starting up takes longer than going on; a guess from two rows would frighten people."""
    said = [_words.progress(a_run(state="in_progress", done=done, seconds_left=60.0)) for done in (0, 4, 5)]
    assert ["left" in words for words in said] == [False, False, True]


def test_progress_tells_pace_and_time_left():
    """Rows a minute beside the time they will take."""
    run = a_run(state="in_progress", total=3000, done=1200, rate=412.4, seconds_left=262.0)
    assert _words.progress(run) == "1,200 of 3,000 questions · 412 a minute · about 4 minutes left"


def test_the_last_row_has_no_time_left():
    """All done but the file: no estimate."""
    assert _words.progress(a_run(state="in_progress", seconds_left=0.0)) == "25 of 25 questions"


def test_many_spaces_are_shortened():
    """The first four and how many more."""
    assert _words.spaces_asked(a_run(spaces={f"S{n}": 1 for n in range(6)})) == "S0, S1, S2, S3 and 2 more"


def test_remarks_without_a_cell_name_their_row_or_nothing():
    """A remark about the file has no place."""
    groups = _words.grouped([Remark(code="a", message="m", row=7), Remark(code="b", message="n")])
    assert [(group.message, group.places, group.more) for group in groups] == [("m", ("row 7",), 0), ("n", (), 0)]


def test_times_are_written_in_utc_until_the_browser_knows_better():
    """And nothing where there is none."""
    assert _words.when(NOON) == "02 Mar 2026, 12:00 UTC"
    assert _words.when(None) == ""


def test_calls_and_cost_are_told_where_a_model_was_called():
    """With the limit where there is one; what is unknown is not called nothing."""
    used = {"calls": 3, "input": 1200, "output": 40, "currency": "EUR"}
    assert _words.spent(a_run()) == ""
    assert _words.spent(a_run(spending=Spending(**used, cost=2.5, known=2.5, limit=4))) == (
        "3 calls, 1,200 tokens in, 40 out · cost 2.50 EUR of 4.00 EUR"
    )
    unknown = Spending(**used, cost=None, unknown=("m",))
    assert _words.spent(a_run(spending=unknown)) == "3 calls, 1,200 tokens in, 40 out · cost unknown (m)"


def test_a_run_that_met_its_limit_says_so():
    """It did not fail: it did what was asked of it."""
    failure = Failure(message="The run stopped.", code="cost_limit_reached")
    assert _words.tag(a_run(state="failed", failure=failure)) == "stopped at its cost limit"


def test_an_amount_can_be_limited_where_there_are_prices(look, tmp_path):
    """Without prices no limit could be kept."""
    assert "Most it may cost" not in look().get("/").text
    assert "Most it may cost" in look(prices=tmp_path / "prices.yaml").get("/").text


@pytest.mark.parametrize(("written", "limit"), [("", None), ("2.5", 2.5)])
def test_the_limit_written_into_the_form_is_that_of_the_run(look, runs, written, limit):
    """An empty field is no limit."""
    look().post("/upload", files={"file": ("B.xlsx", b"PK")}, data={"max_cost": written})
    assert [what["options"].max_cost for kind, what in runs.asked if kind == "submit"] == [limit]
