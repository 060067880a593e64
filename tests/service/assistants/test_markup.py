"""Markdown and HTML into pieces."""

import pytest

from service.assistants._markup import html, markdown

MARKDOWN = [
    ("# Title #\n\nText.", [("heading", "Title", 1), ("text", "Text.", 0)]),
    ("Title\n=====\nText.", [("heading", "Title", 1), ("text", "Text.", 0)]),
    ("Section\n---\nText.", [("heading", "Section", 2), ("text", "Text.", 0)]),
    ("---\ntitle: x\n---\n# T\n\n<!-- not\nseen -->\nSeen.", [("heading", "T", 1), ("text", "Seen.", 0)]),
    (
        "**Bold**, _soft_ and `code`; a [link](http://x) ![image](y.png)",
        [("text", "Bold, soft and code; a link image", 0)],
    ),
    ("a_b_c stays 2*3*4", [("text", "a_b_c stays 2*3*4", 0)]),
    ("> Quoted.", [("text", "Quoted.", 0)]),
    ("```\nin a block.\n```", [("text", "in a block.", 0)]),
    ("| Grade | Days |\n|---|:--:|\n| Senior | **30** |\n| | |", [("row", "Grade: Senior; Days: 30", 0)]),
    ("| a | b |", [("text", "| a | b |", 0)]),
    ("| Only | Header |\n|---|---|", [("text", "Only; Header", 0)]),
    ("| a |\n|---|\n| b | c |", [("row", "a: b; c", 0)]),
    ("A lone line", [("text", "A lone line", 0)]),
    ("- one\n- two", [("item", "one", 0), ("item", "two", 0)]),
]


@pytest.mark.parametrize(("text", "pieces"), MARKDOWN, ids=lambda value: str(value)[:30])
def test_markdown_is_read_without_its_marks(text: str, pieces: list[tuple[str, str, int]]) -> None:
    """A person reads words, not asterisks."""
    assert [(piece.kind, piece.text, piece.level) for piece in markdown(text)] == pieces


PAGE = """<!doctype html><html><head><title>T</title><style>p {}</style></head><body>
<nav><a href="/">Home</a></nav><script>var x = "<p>no</p>";</script>
<h1>Water   damage</h1><div>Loose text<h2></h2><p>Covered up&nbsp;to <b>CHF&nbsp;500</b>.<br>Not more.</p></div>
<ul><li>photos</li><li>receipts<ul><li>originals</li></ul></li></ul>
<table><tr><th>Grade</th><th>Days</th></tr><tr><td>Senior</td><td>30</td></tr></table></body></html>"""


def test_html_is_read_as_it_is_seen() -> None:
    """Without navigation and scripts; a table row stands alone."""
    assert [(piece.kind, piece.text, piece.level) for piece in html(PAGE)] == [
        ("heading", "Water damage", 1),
        ("text", "Loose text", 0),
        ("text", "Covered up to CHF 500. Not more.", 0),
        ("item", "photos", 0),
        ("item", "receipts", 0),
        ("item", "originals", 0),
        ("row", "Grade: Senior; Days: 30", 0),
    ]


def test_a_fragment_is_html_too() -> None:
    """A saved part of a page is read all the same; a lone cell is text."""
    assert [piece.text for piece in html("Just <i>text</i>")] == ["Just text"]
    assert [piece.text for piece in html("<table><tr><td>A notice</td></tr></table>")] == ["A notice"]
