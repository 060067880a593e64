"""Rows taken from the bytes are the rows a parser finds, and what never ends costs no more than it should."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.errors import WorkbookRefused
from service.workbook._cell import SheetRow
from service.workbook._row_pattern import RowPattern
from service.workbook._sheet import SheetReader
from service.workbook._strings import SharedStrings
from service.workbook.columns import column_letter

HEAD = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
TAIL = b"</sheetData></worksheet>"
CONTENTS = (
    "/>",
    "></c>",
    "><v>12</v></c>",
    "><v></v></c>",
    "><v>a &amp; b\r\n&#228;</v></c>",
    "><v>&#0;</v></c>",
    '><f t="shared" si="0"/><v>3</v></c>',
    "><f>A1&lt;2</f><v>1</v></c>",
    "><f>A1</f></c>",
    "><is><t>Zürich 🚀</t></is></c>",
    '><is><t xml:space="preserve"> two </t></is></c>',
    "><is><r><t>rich</t></r><r><t> text</t></r></is></c>",
)
cells = st.tuples(
    st.sampled_from(["A", "B", "C", "AA", "AB"]),
    st.sampled_from(["", ' s="1"', ' s="23"', ' cm="1"']),
    st.sampled_from(["", ' t="s"', ' t="inlineStr"', ' t="b"', ' t="e"', ' t="n"']),
    st.sampled_from(CONTENTS),
)
rows = st.lists(st.lists(cells, max_size=6), max_size=40)


def found(pieces: list[bytes], wanted: frozenset[int]) -> list[SheetRow] | str:
    """Return the rows of a sheet, or how it is refused."""
    try:
        return list(SheetReader(pieces, wanted=wanted))
    except WorkbookRefused as refused:
        return refused.code


def parsed(content: bytes, wanted: frozenset[int]) -> list[SheetRow] | str:
    """Return the same from the parser alone: after a comment nothing is taken from the bytes."""
    return found([content.replace(b"<sheetData", b"<!-- --><sheetData", 1)], wanted)


@given(rows, st.sampled_from([frozenset({1, 2, 28}), frozenset(range(1, 30))]), st.integers(20, 2_000))
def test_rows_of_any_sort_read_as_a_parser_reads_them(
    listed: list[list[tuple[str, str, str, str]]], wanted: frozenset[int], size: int
) -> None:
    """Kinds, formats, formulas and texts in any mixture, wherever the pieces are cut."""
    body = "".join(
        f'<row r="{number}" spans="1:28">'
        + "".join(f'<c r="{letters}{number}"{style}{kind}{content}' for letters, style, kind, content in row)
        + "</row>"
        for number, row in enumerate(listed, start=1)
    )
    content = HEAD + body.encode() + TAIL
    pieces = [content[at : at + size] for at in range(0, len(content), size)]
    assert found(pieces, wanted) == parsed(content, wanted)


def test_the_handed_sheets_read_as_a_parser_reads_them(room: Any) -> None:
    """Every sheet of every handed file that is a zip at all."""
    wanted = frozenset(range(1, 40))
    compared = 0
    for path in sorted(room.cases.glob("*.xlsx")):
        if "bomb" in path.name or not path.read_bytes().startswith(b"PK\x03\x04") or "truncated" in path.name:
            continue
        for name, content in room.parts(path.read_bytes()).items():
            if "worksheets/sheet" in name and b"<sheetData" in content:
                assert found([content], wanted) == parsed(content, wanted), (path.name, name)
                compared += 1
    assert compared > 40


def test_a_sheet_with_many_sorts_of_rows_is_read_to_its_end() -> None:
    """Rows are learnt up to a number; those after it are taken cell by cell."""
    body = b"".join(b'<row r="%d"><c r="A%d" s="%d"><v>%d</v></c></row>' % (n, n, n, n) for n in range(1, 101))
    read = list(SheetReader([HEAD + body + TAIL]))
    assert read == [(number, {1: ("n", str(number), False, str(number))}) for number in range(1, 101)]


def test_a_sheet_of_thousands_of_columns_is_taken_cell_by_cell() -> None:
    """A pattern of all its cells would take seconds to make, for each sort of rows anew; the rows read the same."""
    wide = [(number, column_letter(number), ("", "n", False, "v")) for number in range(1, 2_001)]
    text = "".join(f'<c r="{letters}1" t="n"><v>1</v></c>' for _, letters, _ in wide)
    pattern = RowPattern(frozenset({1, 2}))
    pattern.learn(wide[:5])
    assert pattern.cells(text[: text.index('<c r="F1"')]) == {1: ("n", "1", False, ""), 2: ("n", "1", False, "")}
    pattern.learn(wide)
    assert pattern.cells(text) is None
    body = f'<row r="1">{text}</row>'.encode()
    assert found([HEAD + body + TAIL], frozenset({1, 2_000})) == parsed(HEAD + body + TAIL, frozenset({1, 2_000}))


def endless(start: bytes, piece: bytes) -> Iterator[bytes]:
    """Yield a start and then pieces up to 60 MB; a reader that goes on to the end has not noticed."""
    yield start
    yield from islice(iter(lambda: piece, b""), 60_000_000 // len(piece))
    pytest.fail("everything was read")


@pytest.mark.parametrize("start", [HEAD + b'<row r="1" a="', HEAD + b'<row r="1"><c r="A1" a="', HEAD + b"<!--"])
def test_a_tag_that_does_not_end_is_refused_early(start: bytes) -> None:
    """Not after a hundred megabytes have been looked at again and again."""
    with pytest.raises(WorkbookRefused, match="a single tag or comment in it exceeds 4 MB"):
        list(SheetReader(endless(start, b"> x" * 80_000)))


def test_a_tag_that_does_not_end_among_shared_strings_is_refused_early() -> None:
    """As in a sheet."""
    with pytest.raises(WorkbookRefused, match="a single tag or comment in it exceeds 4 MB"):
        SharedStrings(endless(b'<sst><si><t>a</t></si><si a="', b"> x" * 80_000)).finish()


def test_a_long_shared_string_is_read_once() -> None:
    """Texts before, in and after it keep their numbers."""
    pieces = [
        b"<sst><si><t>first</t></si><si><t>",
        *[b"long " * 50_000] * 40,
        b"</t></si><si><t>last_x0021_</t></si></sst>",
    ]
    strings = SharedStrings(pieces)
    assert (strings.text("0"), len(strings.text("1")), strings.text("2")) == ("first", 10_000_000, "last!")


@pytest.mark.parametrize("number", ["3", "-1", "x", "", "9" * 5_000])
def test_a_number_without_a_text_is_refused(number: str) -> None:
    """A table of two texts has the numbers 0 and 1."""
    strings = SharedStrings([b"<sst><si><t>a</t></si><si><t>b</t></si></sst>"])
    with pytest.raises(WorkbookRefused, match="which does not exist"):
        strings.text(number)


def test_texts_are_read_no_further_than_somebody_asks() -> None:
    """Writing results needs the headers only; what is damaged behind them is refused when all is read."""
    strings = SharedStrings([b"<sst><si><t>a</t></si>", b"<si><t>b</t></si>", b"<si></sst>"])
    assert strings.text("1") == "b"
    with pytest.raises(WorkbookRefused, match="not well-formed"):
        strings.finish()


def test_a_damaged_table_of_texts_is_refused_although_no_cell_needs_its_end(room: Any) -> None:
    """Reading looks at all of it; so does the checksum of a sheet of which only the first rows were looked at."""
    content = room.case("rich_text_question_shared_strings.xlsx")
    broken = room.changed(content, "xl/sharedStrings.xml", "</sst>", "<si></sst>")
    with pytest.raises(WorkbookRefused, match="not well-formed"):
        room.read(broken)
