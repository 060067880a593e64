"""Answers without citation marks."""

import pytest

from flags import clean

MARKS = [
    "<sup>1</sup>",
    "<sup>1, 2</sup>",
    "<SUP> [3] </SUP>",
    "[source0]",
    "[<source0>]",
    "[source: 1, 2]",
    "[sources 1; 2]",
    "[**1**]",
    "[1]",
    "[1, 2]",
    "[1-3]",
    "[^4]",
    "[1](https://x.ch/a)",
    "【4:0†source】",
]


@pytest.mark.parametrize("mark", MARKS)
def test_a_citation_mark_leaves_no_trace(mark: str) -> None:
    """Marks of every known form go, with the space before them."""
    assert clean(f"The limit is 5{mark}. It holds {mark} always {mark}.{mark}") == "The limit is 5. It holds always."
    assert clean(f" One{mark}Two ") == "One Two"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a flat of 90 m<sup>2</sup> and 3 cm<sup>3</sup>", "a flat of 90 m² and 3 cm³"),
        ("in [2024] and [see below]", "in [2024] and [see below]"),
        ("[Handbook](https://x.ch)", "[Handbook](https://x.ch)"),
        ("resources [sourcebook]", "resources [sourcebook]"),
    ],
)
def test_what_is_no_citation_stays(text: str, kept: str) -> None:
    """Powers of units, years, words and links in brackets are content."""
    assert clean(text) == kept
