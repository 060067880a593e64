"""Adopting makes the next benchmark set of a reviewed result."""

import re
from typing import Any

import pytest

from flags import Answer, Question, Source
from service.workbook import Result, Section
from service.workbook.columns import COLUMNS, OUTPUT, REVIEW

HEADER = [column.header for column in COLUMNS[:9]]


def reviewed(room: Any, reviews: list[str | None], correct: str = "no") -> bytes:
    """Return a result whose rows are reviewed so; a row without an answer is the last."""
    rows = [[number, f"Question {number}?", "HR", correct, "old", "old.pdf"] for number in range(2, len(reviews) + 3)]
    content = room.sheet(HEADER, *rows)
    answer = Answer(text="new", sources=(Source(name="new.pdf", pages="3"),), modules=("Search",), messages={"m": 1})
    results = [
        Result(row.number, row.question, answer if place < len(reviews) else None, {})
        for place, row in enumerate(room.read(content).rows)
    ]
    content = room.write(content, results, Section("Run", (("Run id", "r1"),)))
    book = room.opened(content)
    for number, review in enumerate(reviews, start=2):
        book["Set"][f"{REVIEW.letter}{number}"] = review
    import io

    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("review", "every", "adopted"),
    [
        ("yes", False, True),
        ("ja", False, True),
        (None, False, True),
        ("no", False, False),
        ("maybe", False, False),
        ("no", True, True),
    ],
)
def test_an_answer_is_adopted_unless_its_review_says_otherwise(
    room: Any, review: str | None, every: bool, adopted: bool
) -> None:
    """J-N become E-I of a row that was given an answer and not reviewed with no."""
    adoption = room.adopt(reviewed(room, [review]), every=every)
    sheet = room.opened(adoption.content)["Set"]
    assert (2 in adoption.adopted, 2 in adoption.kept) == (adopted, not adopted)
    expected = (
        ["new", "[1] new.pdf : 3", "Search", False, '{"m": 1}'] if adopted else ["old", "old.pdf", None, None, None]
    )
    assert [sheet[f"{letter}2"].value for letter in "EFGHI"] == expected


def test_a_row_without_an_answer_keeps_its_benchmark(room: Any) -> None:
    """It is listed with the reason."""
    adoption = room.adopt(reviewed(room, ["yes"]))
    assert adoption.kept == {3: "It has no new answer."}
    assert room.opened(adoption.content)["Set"]["E3"].value == "old"


@pytest.mark.parametrize("stored", [b't="e"><v>#N/A</v>', b't="n"><v>no number</v>'])
def test_what_a_damaged_cell_holds_is_no_answer(room: Any, stored: bytes) -> None:
    """An error value is never adopted, and a number that is none is adopted as the text it is."""
    parts = room.parts(reviewed(room, [None]))
    name = "xl/worksheets/sheet1.xml"
    cell = re.search(rb'<c r="J2"[^>]*?(t="inlineStr"><is><t>new</t></is>)</c>', parts[name])
    assert cell
    parts[name] = parts[name].replace(cell.group(0), cell.group(0).replace(cell.group(1), stored))
    adoption = room.adopt(room.packed(parts))
    assert (2 in adoption.kept) == (b"#N/A" in stored)
    if 2 in adoption.kept:
        assert adoption.kept[2] == "The new answer is an error value (#N/A)."


@pytest.mark.parametrize(("review", "expected"), [("yes", "yes"), (None, "no"), ("no", "no")])
def test_correct_becomes_yes_where_the_review_said_yes(room: Any, review: str | None, expected: str) -> None:
    """Elsewhere column D stays as it was."""
    sheet = room.opened(room.adopt(reviewed(room, [review])).content)["Set"]
    assert sheet["D2"].value == expected


def test_what_the_run_filled_is_emptied(room: Any) -> None:
    """J-AB are empty in every row, the sheet Run is gone, and the file is ready for the next run."""
    adoption = room.adopt(reviewed(room, ["yes", "no", None]))
    book = room.opened(adoption.content)
    assert book.sheetnames == ["Set"]
    for column in (*OUTPUT, REVIEW):
        assert [book["Set"][f"{column.letter}{number}"].value for number in range(2, 6)] == [None] * 4
    reading = room.read(adoption.content)
    assert (len(reading.rows), dict(reading.given), dict(reading.reviews), reading.run_id) == (4, {}, {}, "")
    assert [row.question.reference for row in reading.rows] == ["new", "old", "new", "old"]


def test_the_file_remembers_where_its_answers_come_from(room: Any) -> None:
    """Each adoption adds a line to the file's own properties."""
    first = room.adopt(reviewed(room, ["yes"]), lineage={"set": "s", "run": "r1", "who": "Kim & Co", "when": "now"})
    properties = {one.name: one.value for one in room.opened(first.content).custom_doc_props.props}
    assert properties == {"flagbook adopted 1": "set: s; run: r1; who: Kim & Co; when: now"}
    result = Result(2, Question(text="", space=""), Answer(text="newer"), {})
    second = room.adopt(room.write(first.content, [result]), lineage={"run": "r2"})
    names = [one.name for one in room.opened(second.content).custom_doc_props.props]
    assert names == ["flagbook adopted 1", "flagbook adopted 2"]


def test_benchmark_columns_are_added_where_they_are_missing(room: Any) -> None:
    """A first run of question and assistant alone becomes a full benchmark set."""
    content = room.sheet(["Question", "Assistant"], ["Why?", "HR"])
    after = room.write(content, room.answered(room.read(content)))
    sheet = room.opened(room.adopt(after).content)["Set"]
    assert (sheet["E1"].value, sheet["E2"].value) == ("answer_benchmark", "The new answer.")


def test_an_answer_that_was_cut_is_not_adopted(room: Any) -> None:
    """Half an answer would be compared with whole ones ever after."""
    content = room.sheet(HEADER, [1, "Why?", "HR", "no", "old"])
    after = room.write(content, room.answered(room.read(content), "word " * 8000))
    assert "in part" in room.adopt(after).kept[2]


def test_names_that_count_sheets_are_counted_anew(room: Any) -> None:
    """A print area on a sheet behind Run still belongs to its sheet when Run is gone."""

    def add(page: Any) -> None:
        page.parent.create_sheet("Behind").print_area = "A1:B2"

    content = room.sheet(HEADER, [1, "Why?", "HR"], edit=add)
    after = room.write(content, room.answered(room.read(content)))
    import io

    book = room.opened(after)
    book.move_sheet("Run", -1)
    out = io.BytesIO()
    book.save(out)
    adopted = room.opened(room.adopt(out.getvalue()).content)
    assert adopted.sheetnames == ["Set", "Behind"]
    assert adopted["Behind"].print_area == "'Behind'!$A$1:$B$2"


def test_what_else_becomes_of_the_sheet_is_told(room: Any) -> None:
    """Merged cells that were taken apart and formulas that were overwritten are named, as the sheet Run does."""

    def edit(page: Any) -> None:
        page["E2"] = "=1+1"
        page.merge_cells("E2:E3")

    header = [column.header for column in COLUMNS]
    row = ["1", "Why?", "HR", "no", *[None] * 5, "Since."]
    content = room.sheet(header, row, row, edit=edit)
    assert room.adopt(content).notes == ("Merged cells taken apart: E2:E3.", "Formulas overwritten: E2.")
