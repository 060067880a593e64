"""Which sheet, which header row, which rows: what a person may have written and how it is understood."""

from datetime import date, datetime, time
from typing import Any

import pytest

from flags import Answer, Source
from service.errors import WorkbookRefused
from service.workbook import answer_hash
from service.workbook.columns import yes_no

HEADER = ["id", "Question", "Assistant", "correct_benchmark", "answer_benchmark"]


@pytest.mark.parametrize(
    "headers",
    [
        ["Question", "Assistant"],
        ["QUESTION ", "as\nsis\ntant"],
        ["\ufeffQues\u00adtion", "Assis\u200btant"],
        ["Frage", "Assistent"],
        ["question", "Espace"],
        ["Domanda", "Assistente"],
        ["Q u e s t i o n", "Space_Name"],
        ["Ｑｕｅｓｔｉｏｎ", "Assistant"],
    ],
)
def test_headers_are_known_by_name_in_four_languages(room: Any, headers: list[str]) -> None:
    """Case, spaces, underscores, line breaks and invisible characters do not matter."""
    reading = room.read(room.sheet(headers, ["Why?", "HR"]))
    assert [(row.question.text, row.question.space) for row in reading.rows] == [("Why?", "HR")]


def test_the_older_layout_is_understood(room: Any) -> None:
    """Assistant, Question and an indicator, in that order and without ids."""
    reading = room.read(room.sheet(["Assistant", "Question", "indicator"], ["HR", "Why?", "yes"]))
    [row] = reading.rows
    assert (row.question.space, row.question.text, row.question.correct) == ("HR", "Why?", True)
    assert reading.columns == {"Assistant": "A", "Question": "B", "correct_benchmark": "C"}
    assert "answer" in reading.missing


@pytest.mark.parametrize(
    ("rows", "code", "words"),
    [
        (
            [["Question", "Assistant", "Question"], ["a", "b", "c"]],
            "workbook_header_ambiguous",
            "A1, C1 of sheet “Set”",
        ),
        ([["Prompt", "Assistant"], ["a", "b"]], "workbook_header_missing", "Prompt in A1"),
        ([["Question", "Bot"], ["a", "b"]], "workbook_header_missing", "No column is headed Assistant"),
        ([[" "], ["Question", "Assistant"], ["a", " "]], "workbook_nothing_to_ask", "B3 is empty"),
        ([[""]] * 10 + [["Question", "Assistant"], ["a", "b"]], "workbook_header_missing", "found: nothing"),
    ],
)
def test_what_cannot_be_understood_is_named_by_cell(room: Any, rows: list[list[str]], code: str, words: str) -> None:
    """One sentence with the cell and what to do."""
    with pytest.raises(WorkbookRefused) as refused:
        room.read(room.sheet(*rows))
    assert refused.value.code == code
    assert words in refused.value.message


def test_a_second_name_for_a_header_is_left_alone_with_a_note(room: Any) -> None:
    """The own name wins over an alias; the alias column stays the person's."""
    reading = room.read(room.sheet(["Question", "Frage", "Assistant"], ["Why?", "Warum?", "HR"]))
    assert [row.question.text for row in reading.rows] == ["Why?"]
    assert [(note.cell, note.code) for note in reading.notes] == [("B1", "header_second_name")]


def test_an_answer_column_alone_is_noted(room: Any) -> None:
    """A run would overwrite it; a person who keeps references there must know."""
    reading = room.read(room.sheet(["Question", "Assistant", "Answer"], ["Why?", "HR", "Because."]))
    assert [(note.cell, note.code) for note in reading.notes] == [("C1", "header_answer_alone")]


def two_sheets(page: Any) -> None:
    other = page.parent.create_sheet("Other")
    other.append(["Question", "Assistant"])
    other.append(["From the other?", "HR"])


def test_two_sheets_with_questions_are_named_and_one_may_be_chosen(room: Any) -> None:
    """The choice may be written in any case; an unknown name lists the sheets there are."""
    content = room.sheet(["Question", "Assistant"], ["Why?", "HR"], edit=two_sheets)
    with pytest.raises(WorkbookRefused, match="“Set”, “Other”"):
        room.read(content)
    assert room.read(content, sheet="other").rows[0].question.text == "From the other?"
    with pytest.raises(WorkbookRefused, match="no sheet “Nowhere”"):
        room.read(content, sheet="Nowhere")


def test_hidden_sheets_are_passed_over_unless_chosen(room: Any) -> None:
    """What nobody sees is not run by accident."""

    def hide(page: Any) -> None:
        two_sheets(page)
        page.sheet_state = "hidden"

    content = room.sheet(["Question", "Assistant"], ["Why?", "HR"], edit=hide)
    assert room.read(content).sheet == "Other"
    assert room.read(content, sheet="Set").sheet == "Set"


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (42, "General", "42"),
        (3.5, "0.00", "3.50"),
        (1234567.891, "#,##0.0", "1,234,567.9"),
        (0.256, "0.0%", "25.6%"),
        (0.1 + 0.2, "General", "0.3"),
        (1e20, "General", "1e+20"),
        (date(2024, 2, 29), "dd.mm.yyyy", "2024-02-29"),
        (datetime(2024, 2, 29, 13, 30), "yyyy-mm-dd hh:mm", "2024-02-29 13:30"),  # noqa: DTZ001
        (datetime(1900, 1, 1), "yyyy-mm-dd", "1900-01-01"),  # noqa: DTZ001
        (time(13, 30, 5), "h:mm:ss", "13:30:05"),
        (-5, "yyyy-mm-dd", "-5"),
        (7, '"Red"0', "7"),
        (True, "General", "TRUE"),
    ],
)
def test_questions_that_are_not_text_read_as_displayed(room: Any, value: Any, number_format: str, shown: str) -> None:
    """Dates come in ISO form, numbers with their decimals, and a note names the cell."""

    def form(page: Any) -> None:
        page["A2"].number_format = number_format

    reading = room.read(room.sheet(["Question", "Assistant"], [value, "HR"], edit=form))
    assert reading.rows[0].question.text == shown
    assert [(note.cell, note.code) for note in reading.notes] == [("A2", "cell_not_text")]


def test_dates_may_be_counted_from_1904(room: Any) -> None:
    """Workbooks from old Macs say the same date."""

    def form(page: Any) -> None:
        from openpyxl.utils.datetime import CALENDAR_MAC_1904

        page.parent.epoch = CALENDAR_MAC_1904

    content = room.sheet(["Question", "Assistant"], [date(2024, 2, 29), "HR"], edit=form)
    assert room.read(content).rows[0].question.text == "2024-02-29"


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        *((word, True) for word in ("yes", "JA", "Oui", "sì", "wahr", "1", "TRUE")),
        *((word, False) for word in ("no", "Nein", "non", "falso", "0", "FALSCH")),
        *((word, None) for word in ("maybe", "2", "")),
    ],
)
def test_yes_and_no_are_understood_in_four_languages(word: str, meant: bool | None) -> None:
    """Anything else is neither."""
    assert yes_no(word) is meant


def test_findings_name_their_cells(room: Any) -> None:
    """Error values, unknown words, empty assistants and formulas without a result each say where they stand."""

    def break_cells(page: Any) -> None:
        page["E2"] = "#N/A"
        page["E2"].data_type = "e"
        page["B4"] = "=UPPER(A1)"

    rows = [[1, "One?", "HR", "perhaps"], [2, "Two?", None, "yes"], [3, "x", "HR"], [4, "Four?", "HR", "no"]]
    content = room.sheet(HEADER, *rows, [5, "LONG", "HR"], edit=break_cells)
    reading = room.read(room.changed(content, "xl/worksheets/sheet1.xml", "LONG", "Five " * 7000))
    assert [(note.cell, note.code) for note in reading.notes] == [
        ("D2", "cell_yes_no_unknown"),
        ("E2", "cell_error_ignored"),
    ]
    assert [(error.cell, error.code) for error in reading.errors] == [
        ("C3", "cell_assistant_empty"),
        ("B4", "cell_formula_unsaved"),
        ("B6", "cell_too_long"),
    ]
    assert [row.number for row in reading.rows] == [2, 5]


def test_an_answer_that_stands_there_is_given_with_its_review(room: Any) -> None:
    """Another system's answers can be judged; a review remembers the answer it was written for."""
    header = ["Question", "Assistant", "answer", "Sources", "Modules", "Followup", "ChatMessages"]
    rows = [["One?", "HR", "Because.", "a.pdf : 3", "Search; Web", "TRUE", "not json", "yes"], ["Two?", "HR"]]
    reading = room.read(room.sheet([*header, "human_review_answer_correct"], *rows))
    assert dict(reading.given) == {
        2: Answer(
            text="Because.",
            sources=(Source(name="a.pdf", pages="3"),),
            modules=("Search", "Web"),
            followup=True,
            messages={"text": "not json"},
        )
    }
    assert reading.reviews[2].correct
    assert reading.reviews[2].answer == answer_hash("Because.")


def test_questions_are_counted_by_space(room: Any) -> None:
    """The report lists the spaces in the order they appear."""
    rows = [["One?", "HR"], ["Two?", "IT"], ["Three?", "HR"]]
    assert room.read(room.sheet(["Question", "Assistant"], *rows)).spaces == {"HR": 2, "IT": 1}


def test_more_questions_than_allowed_are_refused(room: Any) -> None:
    """The limit is a setting."""
    content = room.sheet(["Question", "Assistant"], *[["Why?", "HR"]] * 4)
    with pytest.raises(WorkbookRefused, match="number of questions exceeds 3"):
        room.read(content, questions=3)


@pytest.mark.parametrize(
    ("question", "assistant"),
    [
        ("Fragen (DE)", "Assistent/in"),
        ("Frage [de]", "Assistent*in"),
        ("Question posée", "Nom de l'assistant"),
        ("Quesito", "Assistente (IT)"),
        ("Fragestellung", "Bereiche"),
    ],
)
def test_headers_are_found_as_people_write_them(room: Any, question: str, assistant: str) -> None:
    """In German, French and Italian, with a language in brackets, with both genders."""
    [row] = room.read(room.sheet([question, assistant], ["Why?", "HR"])).rows
    assert (row.question.text, row.question.space) == ("Why?", "HR")


def test_answers_and_references_are_found_in_other_languages(room: Any) -> None:
    """Referenz is the accepted answer, Antwort and Quellen are those another system gave."""
    header = ["Frage", "Assistent", "Referenz", "Antwort", "Quellen"]
    reading = room.read(room.sheet(header, ["Why?", "HR", "Since.", "Because.", "a.pdf"]))
    assert reading.rows[0].question.reference == "Since."
    assert (reading.given[2].text, reading.given[2].sources[0].name) == ("Because.", "a.pdf")
    assert reading.notes == ()


def test_an_answer_that_would_be_overwritten_is_noted(room: Any) -> None:
    """With sources beside it too, a person may have meant the accepted answer."""
    reading = room.read(room.sheet(["Frage", "Assistent", "Antwort", "Quellen"], ["Why?", "HR", "Since.", "a.pdf"]))
    assert [(note.code, note.cell) for note in reading.notes] == [("header_answer_alone", "C1")]


def test_rows_with_an_assistant_and_no_question_are_noted(room: Any) -> None:
    """They are passed over, and one note says how many they are."""
    header = ["Question", "Assistant"]
    one = room.read(room.sheet(header, ["Why?", "HR"], [None, "HR"]))
    assert [(note.code, note.cell) for note in one.notes] == [("cell_question_empty", "A3")]
    many = room.read(room.sheet(header, ["Why?", "HR"], *([None, "HR"] for _ in range(1_500)), ["How?", "HR"]))
    assert [note.message[:35] for note in many.notes] == ["A3 and 1,499 more cells below it are"[:35]]
    assert len(many.rows) == 2


def test_many_merged_assistants_name_their_rows(room: Any) -> None:
    """Each merged cell counts for its own rows; a merged cell without a name counts for none."""

    def merge(page: Any) -> None:
        for top in range(2, 602, 3):
            page.merge_cells(f"B{top}:B{top + 2}")

    rows = [[f"Why {n}?", f"HR {n}" if n % 3 == 0 and n else None] for n in range(600)]
    reading = room.read(room.sheet(["Question", "Assistant"], *rows, edit=merge))
    assert [error.row for error in reading.errors] == [2, 3, 4]
    assert [row.question.space for row in reading.rows[:4]] == ["HR 3", "HR 3", "HR 3", "HR 6"]
    assert len(reading.rows) == 597


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (1.5, "[h]:mm", "36:00"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        (30.0, "[hh]:mm", "720:00"),
        (0.0625, "[mm]:ss", "90:00"),
        (0.0625, "[mm]", "90"),
        (0.5, "[s]", "43200"),
        (0.25, "[h]:mm", "6:00"),
        (0.25, "hh:mm", "06:00"),
    ],
)
def test_durations_are_shown_as_they_are_displayed(room: Any, value: float, form: str, shown: str) -> None:
    """A duration of more than a day is no date and no time of day."""

    def style(page: Any) -> None:
        page["A2"].number_format = form

    [row] = room.read(room.sheet(["Question", "Assistant"], [value, "HR"], edit=style)).rows
    assert row.question.text == shown
