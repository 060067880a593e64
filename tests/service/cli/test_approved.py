"""`flagbook approved`: see and undo what was accepted."""

import json
from datetime import UTC, datetime

import pytest

from service.runs import ApprovedView


@pytest.fixture
def accepted(desk):
    """A command line on a service with one accepted answer."""
    when = datetime(2026, 3, 2, tzinfo=UTC)
    one = ApprovedView(id="a1", space="HR", question="How [long]?", answer="30\ndays", user="ann", when=when)
    desk.runs.reviews.accepted = [one]
    return desk


def test_accepted_answers_are_listed(accepted):
    """With who and when."""
    said = accepted.type("approved", "list").stdout
    assert "a1  2026-03-02 ann  HR" in said
    assert "How [long]?" in said
    assert "30 days" in said
    (only,) = json.loads(accepted.type("approved", "list", "--json").stdout)
    assert (only["id"], only["when"]) == ("a1", "2026-03-02T00:00:00+00:00")


def test_one_is_removed_once(accepted):
    """Then there is none; a second time it is not known."""
    assert "a1 is accepted no more" in accepted.type("approved", "remove", "a1").stdout
    assert "No flagged answer was accepted yet." in accepted.type("approved", "list").stdout
    again = accepted.type("approved", "remove", "a1", "--json")
    assert (again.exit_code, json.loads(again.stdout)["code"]) == (2, "approved_unknown")
