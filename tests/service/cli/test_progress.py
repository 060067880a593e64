"""What a person sees while a run goes on."""

import io

import pytest
from rich.console import Console

from service.api._fakes import a_run
from service.cli._progress import counts_line, duration, progress_bar


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s"), (44.6, "45 s"), (89, "1 min"), (59 * 60, "59 min"), (3600, "1 h 0 min"), (4830, "1 h 20 min")],
)
def test_time_is_told_as_people_tell_it(seconds, said):
    """Seconds, then minutes, then hours and minutes."""
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"done": 10, "flagged": 2, "seconds_left": 120.0}, "2 flagged, about 2 min left"),
        ({"done": 10, "flagged": 2, "rate": 41.5, "seconds_left": 9.0}, "2 flagged, 41.5 rows/min, about 9 s left"),
        ({"done": 10, "flagged": 0, "errors": 1}, "0 flagged, 1 error"),
        ({"done": 10, "flagged": 0, "errors": 2}, "0 flagged, 2 errors"),
        ({"done": 25, "flagged": 7, "seconds_left": 0.0}, "7 flagged"),
    ],
)
def test_the_line_says_what_is_known(changes, said):
    """Errors and time left stand there only when there are any."""
    assert counts_line(a_run(**changes)) == said


def test_the_bar_shows_rows_counts_and_time_left_on_a_terminal():
    """Each change of the run is seen."""
    screen = io.StringIO()
    with progress_bar(Console(file=screen, force_terminal=True, width=120)) as show:
        show(a_run(state="in_progress", done=10, flagged=2, seconds_left=120.0))
    assert "in progress" in screen.getvalue()
    assert "10/25 rows" in screen.getvalue()
    assert "2 flagged, about 2 min left" in screen.getvalue()


def test_the_bar_is_quiet_where_nobody_looks():
    """In a log file there is no bar."""
    log = io.StringIO()
    with progress_bar(Console(file=log, force_terminal=False)) as show:
        show(a_run(state="in_progress", done=10))
    assert log.getvalue() == ""
