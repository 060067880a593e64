"""Lines into paragraphs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.assistants._plain_text import paragraphs, without_running_heads

TEXTS = [
    ("One line\nbroken in two.", [("text", "One line broken in two.")]),
    ("One.\n\nTwo.", [("text", "One."), ("text", "Two.")]),
    ("A TITLE\n\nText here.", [("heading", "A TITLE"), ("text", "Text here.")]),
    ("Intro:\n- first\n  goes on\n- second", [("text", "Intro:"), ("item", "first goes on"), ("item", "second")]),
    ("1. first thing.\n2) second thing.", [("item", "first thing."), ("item", "second thing.")]),
    ("Die Kündi-\ngungsfrist ist lang.", [("text", "Die Kündigungsfrist ist lang.")]),
    ("Nord-\nSüd ist weit.", [("text", "Nord- Süd ist weit.")]),
    ("2.1 Notice period\nThree months.", [("heading", "2.1 Notice period"), ("text", "Three months.")]),
    (
        "Text.\n§ 12 Kündigung\nDrei Monate.",
        [("text", "Text."), ("heading", "§ 12 Kündigung"), ("text", "Drei Monate.")],
    ),
    (
        "30 days of vacation are due to every employee in the first\nyear of work.",
        [("text", "30 days of vacation are due to every employee in the first year of work.")],
    ),
    ("A line\nthat goes on\nand on.", [("text", "A line that goes on and on.")]),
    ("- - -\n\n***", [("item", "- -"), ("text", "***")]),
    ("", []),
]


@pytest.mark.parametrize(("text", "pieces"), TEXTS, ids=lambda value: str(value)[:30])
def test_text_is_read_as_a_person_sees_it(text: str, pieces: list[tuple[str, str]]) -> None:
    """Paragraphs, titles and lists, whatever the width of the page was."""
    assert [(piece.kind, piece.text) for piece in paragraphs(text.split("\n"))] == pieces


@given(st.lists(st.text("abc -.1§\n", max_size=30), max_size=12))
def test_no_word_is_lost(lines: list[str]) -> None:
    """Every letter of the text is in some piece."""
    lines = "\n".join(lines).split("\n")
    found = "".join(piece.text for piece in paragraphs(lines))
    for letter in "bc":
        # a bullet may be a letter with a bracket, never these without one
        assert found.count(letter) == "".join(lines).count(letter)


def test_running_heads_need_three_pages_to_be_known() -> None:
    """Two pages may begin alike by chance."""
    pages = [["Title", "one"], ["Title", "two"]]
    assert without_running_heads(pages) == pages
    more = [["Title", f"text {word}", "end"] for word in ("one", "two", "three")]
    assert without_running_heads(more) == [["text one"], ["text two"], ["text three"]]


def test_a_line_in_the_middle_of_a_page_is_never_taken_for_a_running_head() -> None:
    """Only edges run."""
    pages = [["a", "b", "Title", "c", f"{word} d"] for word in ("x", "y", "z")]
    kept = without_running_heads([*pages, ["Title", "e", "f", "g", "h"]])
    assert all("Title" in lines for lines in kept)
