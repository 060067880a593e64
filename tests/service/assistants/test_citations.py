"""Marks in an answer, and the sources they stand for."""

import pytest

from flags import Source
from service.assistants._citations import cite, merged

PASSAGES = (
    Source(name="a.pdf", identity="a.pdf", pages="3", text="A3"),
    Source(name="b.md", text="B"),
    Source(name="a.pdf", identity="a.pdf", pages="1, 3", text="A1"),
)

CASES = [
    ("No marks.", "No marks.", [], ()),
    ("One. [2]", "One. [1]", ["b.md"], ()),
    ("One [2]. Two [1].", "One [1]. Two [2].", ["b.md", "a.pdf"], ()),
    ("Both [1][3].", "Both [1][1].", ["a.pdf"], ()),
    ("Both [1, 3].", "Both [1].", ["a.pdf"], ()),
    ("All [3; 2].", "All [1, 2].", ["a.pdf", "b.md"], ()),
    ("Lost [9] and found [2].", "Lost [9] and found [1].", ["b.md"], (9,)),
    ("Nothing [0].", "Nothing [0].", [], (0,)),
    ("A year [2027] and a [link].", "A year [2027] and a [link].", [], ()),
]


@pytest.mark.parametrize(("text", "shown", "names", "lost"), CASES)
def test_marks_are_renumbered_by_document_in_the_order_cited(
    text: str, shown: str, names: list[str], lost: tuple[int, ...]
) -> None:
    """[1] in the answer is line [1] of the column Sources; marks that lead nowhere are told."""
    found, sources, missing = cite(text, PASSAGES)
    assert (found, [source.name for source in sources], missing) == (shown, names, lost)


def test_passages_of_one_document_are_one_source_with_all_pages_and_texts() -> None:
    """A person counts documents."""
    _, [source], _ = cite("A [3]. B [1].", PASSAGES)
    assert (source.pages, source.text) == ("1, 3", "A1\n\nA3")
    assert merged([PASSAGES[0], PASSAGES[0]]) == PASSAGES[0]
