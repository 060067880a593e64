"""`flagbook prune`: what ended long ago is removed for good."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from service.api._fakes import a_run


@pytest.fixture
def old(desk):
    """A run of long ago and one of today."""
    today = datetime.now(UTC)
    runs = a_run("old", finished=today - timedelta(days=100)), a_run("new", finished=today)
    desk.runs.known = {run.id: run for run in runs}
    return desk


def test_old_runs_are_removed_and_counted(old):
    """It says how many, and of which time."""
    result = old.type("prune", "--older-than", "90d", "--yes")
    assert result.exit_code == 0
    assert result.stdout.startswith("Removed 1 run that ended before ")
    assert "(25 rows, workbooks of 1.5 MB)" in result.stdout
    assert set(old.runs.known) == {"new"}
    assert not old.asked("give_back")


def test_a_dry_run_removes_nothing(old):
    """It says what would go; nothing is given back either."""
    result = old.type("prune", "--older-than", "13w", "--dry-run", "--give-back", "--json")
    shape = json.loads(result.stdout)
    assert (shape["runs"], shape["rows"], shape["bytes"], shape["removed"]) == (1, 25, 1_500_000, False)
    assert (set(old.runs.known), old.asked("give_back")) == ({"old", "new"}, [])


def test_the_space_is_given_back_where_it_is_wanted(old):
    """After the removal."""
    assert old.type("prune", "--older-than", "1y", "--yes", "--give-back").exit_code == 0
    assert [kind for kind, _ in old.runs.asked] == ["prune", "give_back"]


@pytest.mark.parametrize(
    ("words", "option"),
    [(("--older-than", "90"), "--older-than"), (("--older-than", "soon", "--yes"), "--older-than")],
)
def test_an_age_must_have_its_unit(old, words, option):
    """90 of what?"""
    result = old.type("prune", *words)
    assert result.exit_code == 2
    assert option in result.stderr
    assert set(old.runs.known) == {"old", "new"}


def test_without_yes_nothing_is_removed_where_nobody_can_be_asked(old):
    """A job of the night must say that it means it."""
    result = old.type("prune", "--older-than", "90d")
    assert result.exit_code == 2
    assert "--yes" in result.stderr
    assert set(old.runs.known) == {"old", "new"}


@pytest.mark.parametrize(("answer", "left"), [("y\n", {"new"}), ("n\n", {"old", "new"})])
def test_a_person_is_asked_first(old, answer, left):
    """They see what would go."""
    result = old.type("prune", "--older-than", "90d", said=answer)
    assert result.exit_code == 0
    assert "Would remove 1 run" in result.stderr
    assert set(old.runs.known) == left
