"""Which rows are asked, and what the others carry."""

import pytest

from flags import Question
from service.assistants import Space
from service.errors import OptionsRefused
from service.runs import User
from service.runs._sorting import Spaces, choose, sort_out
from service.workbook import Finding, Reading, Row

SPACES = Spaces([Space(name="Law", backend="echo"), Space(name="Tax", backend="echo", members=("tim",))])
TIM = User(name="tim", company="acme")
ANN = User(name="ann", company="acme")


def reading(*names: str, errors: tuple[Finding, ...] = ()) -> Reading:
    """A sheet whose questions are addressed to these spaces, from row 2 on."""
    rows = tuple(Row(number, Question(text="q", space=name)) for number, name in enumerate(names, start=2))
    return Reading(sheet="S", header_row=1, columns={"Assistant": "C"}, missing=(), rows=rows, errors=errors)


@pytest.mark.parametrize(
    ("name", "user", "code"),
    [
        ("Law", ANN, None),
        ("Tax", TIM, None),
        ("Tax", ANN, "space_not_member"),
        ("Tax", User(), None),  # the one user of a service that is not shared owns it
        (" law ", ANN, None),
        ("Lax", ANN, "space_unknown"),
        ("", ANN, "space_unknown"),
    ],
)
def test_a_row_is_asked_only_of_a_space_its_user_may_ask(name: str, user: User, code: str | None) -> None:
    """The code stands with the cell that must be corrected."""
    (entry,) = sort_out(reading(name), SPACES, user)
    if code is None:
        assert entry.refusal is None
        assert entry.space == name.strip().capitalize()
    else:
        assert entry.refusal is not None
        assert (entry.refusal.code, entry.refusal.cell, entry.refusal.row) == (code, "C2", 2)


def test_given_answers_are_judged_whatever_their_space() -> None:
    """Another system may have made them; then no space of ours is asked."""
    (entry,) = sort_out(reading("Their bot"), SPACES, ANN, ask=False)
    assert (entry.refusal, entry.space) == (None, "Their bot")


def test_a_row_that_cannot_be_read_keeps_its_place() -> None:
    """It counts as a question and names its cell; of two errors the first is told."""
    errors = (Finding(3, "B3", "cell_error_value", "B3 …"), Finding(3, "C3", "other", "…"), Finding(0, "", "x", "…"))
    entries = sort_out(reading("Law", "Law", errors=errors), SPACES, ANN)
    assert [(entry.number, entry.position) for entry in entries] == [(2, 1), (3, 2)]
    refusal = entries[1].refusal
    assert refusal is not None
    assert (refusal.code, refusal.cell) == ("cell_error_value", "B3")


@pytest.mark.parametrize(
    ("rows", "chosen"),
    [
        ("", [1, 2, 3, 4]),
        ("1-2", [1, 2]),
        ("2", [2]),
        (" 1 , 3 - 4 ", [1, 3, 4]),
        ("4,1-2,1", [1, 2, 4]),
        ("2–3", [2, 3]),
    ],
)
def test_rows_count_questions_from_one(rows: str, chosen: list[int]) -> None:
    """A span may be written with either dash, in any order, more than once."""
    entries = sort_out(reading(*["Law"] * 4), SPACES, ANN)
    assert [entry.position for entry in choose(entries, rows)] == chosen


@pytest.mark.parametrize("rows", ["0", "5", "3-2", "1-9", "a", "1-", "1;2", ","])
def test_rows_that_do_not_exist_are_refused(rows: str) -> None:
    """Nothing is guessed: a span outside the questions is told, not cut."""
    entries = sort_out(reading(*["Law"] * 4), SPACES, ANN)
    with pytest.raises(OptionsRefused, match="rows"):
        choose(entries, rows)
