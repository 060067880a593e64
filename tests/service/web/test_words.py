"""What the page says, in words."""

import pytest

from service.api._fakes import NOON, a_run
from service.runs import Remark
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
