"""Sources as people write them, and which are the same document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flags import Source, documents, format_sources, missing_sources, parse_sources

WRITTEN = [
    ("[1] Handbook.pdf : 3,4\n[2] Rates.xlsx", [("Handbook.pdf", "3,4"), ("Rates.xlsx", "")]),
    ("a.pdf; b.docx ;c", [("a.pdf", ""), ("b.docx", ""), ("c", "")]),
    ("a.pdf : 3;4; b", [("a.pdf", "3, 4"), ("b", "")]),
    ("a.pdf; 4", [("a.pdf", "4")]),
    ("a.pdf, b.pdf, p. 4", [("a.pdf", ""), ("b.pdf", "4")]),
    ("Terms, conditions and fees.pdf", [("Terms, conditions and fees.pdf", "")]),
    ("1. one.pdf\n2. two.pdf", [("one.pdf", ""), ("two.pdf", "")]),
    ("1. Quartal 2024.pdf", [("1. Quartal 2024.pdf", "")]),
    ("- x.md\n* y.md\n• z.md", [("x.md", ""), ("y.md", ""), ("z.md", "")]),
    ("Policy, p. 3", [("Policy", "3")]),
    ("Richtlinie (S. 3–5)", [("Richtlinie", "3–5")]),
    ("Directive, pages 3, 4", [("Directive", "3, 4")]),
    ("Regolamento pagina 7", [("Regolamento", "7")]),
    ("h.pdf:3", [("h.pdf", "3")]),
    ("h.pdf#page=4", [("h.pdf", "4")]),
    ("Basel III: 3", [("Basel III: 3", "")]),
    ("[source0] q.txt\n[**2**] r.txt\n<sup>3</sup> s.txt", [("q.txt", ""), ("r.txt", ""), ("s.txt", "")]),
    ("2024\n2025", [("2024", ""), ("2025", "")]),
    ("\n-\nn/a\nkeine\n;;\n", []),
    ("", []),
]


@pytest.mark.parametrize(("cell", "expected"), WRITTEN)
def test_a_cell_is_read_as_its_author_meant_it(cell: str, expected: list[tuple[str, str]]) -> None:
    """Lines, semicolons, marks, bullets and pages in four languages are understood."""
    assert [(source.name, source.pages) for source in parse_sources(cell)] == expected


def test_links_give_name_and_identity() -> None:
    """A markdown link names the document, its address tells it apart; a bare address is both."""
    first, second, third, fourth = parse_sources(
        "[Hand book p. 3](https://x.ch/h.pdf), [Other](<unique://content/cont_1>)\n[7](https://x.ch/z)\nhttps://x.ch/a;v=1"
    )
    assert (first.name, first.pages, first.identity) == ("Hand book", "3", "https://x.ch/h.pdf")
    assert (second.name, second.identity) == ("Other", "unique://content/cont_1")
    assert (third.name, third.identity) == ("https://x.ch/z", "https://x.ch/z")
    assert (fourth.name, fourth.identity) == ("https://x.ch/a;v=1", "https://x.ch/a;v=1")


@given(
    st.lists(
        st.builds(
            Source,
            name=st.from_regex(r"[A-Za-z0-9äé][A-Za-z0-9äé ,;._-]{0,30}[a-z]", fullmatch=True),
            pages=st.sampled_from(["", "3", "3,4", "12–14"]),
        ),
        max_size=5,
    )
)
def test_what_is_written_reads_back_as_the_same_documents(sources: list[Source]) -> None:
    """The cell K of one run, adopted as F of the next, names the same documents with the same pages."""
    read = parse_sources(format_sources(sources))
    assert not missing_sources(sources, read)
    assert documents(read) == documents(sources)
    assert [source.pages for source in read] == [source.pages for source in sources]


@given(
    st.from_regex(
        r"(\[\d{1,4}\] )?\w[\w .-]{0,20}((\.(pdf|md))?( ?: ?(p\. ?)?\d{1,6}(, ?\d{1,5}){0,2})?)?", fullmatch=True
    )
)
def test_a_line_alone_reads_like_one_among_others(line: str) -> None:
    """The usual line is read in one step; one that ends in a separator takes the long way to the same sources."""
    assert parse_sources(line) == parse_sources(f"{line} ;")


def test_sources_are_numbered_one_a_line() -> None:
    """Line breaks and separators inside a name cannot make two sources of one; a nameless source shows its identity."""
    sources = [Source(name="A;\nb.pdf", pages="2"), Source(name="c.pdf, annex"), Source(name="", identity="cont_1")]
    assert format_sources(sources) == "[1] A, b.pdf : 2\n[2] c.pdf - annex\n[3] cont_1"


SAME = [
    (Source(name="Handbook.PDF : 3,4"), Source(name="handbook.docx"), True),
    (Source(name="travel_policy"), Source(name="Travel-Policy.pdf", pages="2"), True),
    (Source(name="a", identity="unique://content/cont_ab1"), Source(name="b", identity="cont_ab1_chunk_9"), True),
    (Source(name="a", identity="unique://content/77"), Source(name="b", identity="unique://content/77?x=1"), True),
    (Source(name="same", identity="cont_a"), Source(name="same", identity="cont_b"), False),
    (Source(name="same", identity="cont_a"), Source(name="Same.pdf"), True),
    (Source(name="h", identity="https://X.ch/h%20b/#page=3"), Source(name="z", identity="http://x.ch/h b"), True),
    (Source(name="https://x.ch/files/Handbook.pdf?v=2"), Source(name="handbook"), True),
    (Source(name="x", identity="docs/a.md"), Source(name="x", identity="docs/b.md"), False),
    (Source(name="x", identity="docs/a.md"), Source(name="x", identity="https://x.ch/x"), True),
    (Source(name="…"), Source(name="…"), True),
    (Source(name="Report 2023.pdf"), Source(name="Report 2024.pdf"), False),
]


@pytest.mark.parametrize(("one", "other", "same"), SAME)
def test_the_same_document_is_known_by_identity_or_name(one: Source, other: Source, same: bool) -> None:
    """Identities decide where both sides know one of a kind, else names without pages, extension and case."""
    assert (not missing_sources([one], [other])) is same
    assert (not missing_sources([other], [one])) is same


def test_each_missing_document_is_named_once() -> None:
    """Two passages of one document are one missing document, the first as written."""
    reference = parse_sources("A.pdf : 1\nB.pdf\na.pdf : 7\nC.pdf")
    assert [source.name for source in missing_sources(reference, parse_sources("b.docx"))] == ["A.pdf", "C.pdf"]
