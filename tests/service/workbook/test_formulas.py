"""No formula is lost because a cell that carries it for others, or one it fills, is written."""

import io
import re
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.formula.translate import Translator

from service.errors import WorkbookUnverified
from service.workbook import Limits, Section
from service.workbook._in_place import Written
from service.workbook._package import Package
from service.workbook._translate import translated
from service.workbook._verify import verify
from service.workbook.columns import COLUMNS, column_letter

SHEET = "xl/worksheets/sheet1.xml"
RUN = Section("Run", ())


@pytest.mark.parametrize(
    ("formula", "moved"),
    [
        ("A1", "C4"),
        ("$A1+A$1+$A$1", "$A4+C$1+$A$1"),
        ("SUM(A1:B2,Sheet2!C3,'My A1 sheet'!D4)", "SUM(C4:D5,Sheet2!E6,'My A1 sheet'!F7)"),
        ('\'It\'\'s A1\'!B2&"A1 ""B2"""', '\'It\'\'s A1\'!D5&"A1 ""B2"""'),
        ("LOG10(A1)+ATAN2(B1,1E5)+1.5E+3", "LOG10(C4)+ATAN2(D4,1E5)+1.5E+3"),
        ("A:A+$B:C+1:3+$1:2", "C:C+$B:E+4:6+$1:5"),
        ("Table1[[#This Row],[A1]]+Table1[B2]*[1]Data!A1", "Table1[[#This Row],[A1]]+Table1[B2]*[1]Data!C4"),
        ("AB12C+my.A1+A1.b+_A1+Umsätze1+ÄB1", "AB12C+my.A1+A1.b+_A1+Umsätze1+ÄB1"),
        ("IF(A1=#N/A,#REF!,#DIV/0!)", "IF(C4=#N/A,#REF!,#DIV/0!)"),
        ("_xlfn.XLOOKUP(A1,Q1:Q9,{1,2;3,4})", "_xlfn.XLOOKUP(C4,S4:S12,{1,2;3,4})"),
        ("XFD1+A1048576+XFC1048573+XFE1+A1048577", "#REF!+#REF!+#REF!+XFE1+A1048577"),
        ("A1#+@B2", "C4#+@D5"),
    ],
)
def test_a_formula_moves_with_its_cell(formula: str, moved: str) -> None:
    """Two columns to the right and three rows down; texts, names, functions and fixed references stay."""
    assert translated(formula, 2, 3) == moved


def test_a_formula_that_would_leave_the_sheet_says_so() -> None:
    """As Excel does when a cell is copied upwards."""
    assert translated("A1+B9+A:B+1:2", -1, -1) == "#REF!+A8+#REF!+#REF!"


@given(
    st.lists(
        st.sampled_from(
            ["A1", "$B2", "C$3", "$D$4", "SUM(E5:F6)", '"G7"', "Sheet1!H8", "'a b'!I9", "12", "TRUE", "LOG10(J1)"]
        ),
        min_size=1,
        max_size=6,
    ),
    st.integers(0, 300),
    st.integers(0, 3_000),
)
def test_formulas_move_as_another_program_moves_them(parts: list[str], right: int, down: int) -> None:
    """A second implementation agrees."""
    formula = "+".join(parts)
    there = f"{column_letter(1 + right)}{1 + down}"
    assert "=" + translated(formula, right, down) == Translator("=" + formula, "A1").translate_formula(there)


def with_cells(room: Any, cells: dict[str, str], rows: int = 6) -> bytes:
    """Return a workbook of all columns and questions in rows 2 to 4, with further cells as XML."""
    table = [[column.header for column in COLUMNS], *([f"{n}", f"Why {n}?", "HR", "no"] for n in range(3))]
    content = room.sheet(*table, *([f"{n}"] for n in range(rows - 3)))
    parts = room.parts(content)
    xml = parts[SHEET].decode()
    for reference, cell in cells.items():
        row = re.sub("[A-Z]+", "", reference)
        xml = re.sub(rf'(<row r="{row}".*?)</row>', lambda found, cell=cell: f"{found[1]}{cell}</row>", xml, count=1)
    parts[SHEET] = xml.encode()
    return bytes(room.packed(parts))


def shared(cells: list[str], text: str, ref: str, number: int = 0) -> dict[str, str]:
    """Return cells that share a formula, spelled out in the first."""
    first, *others = cells
    made = {first: f'<c r="{first}"><f t="shared" ref="{ref}" si="{number}">{text}</f><v>1</v></c>'}
    return made | {one: f'<c r="{one}"><f t="shared" si="{number}"/><v>1</v></c>' for one in others}


def formulas_of(content: bytes) -> dict[str, str]:
    """Return the formulas of the benchmark sheet by cell, as openpyxl reads them."""
    sheet = openpyxl.load_workbook(io.BytesIO(content)).worksheets[0]
    return {
        cell.coordinate: getattr(cell.value, "text", cell.value)
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }


def test_cells_keep_a_formula_whose_first_cell_is_written(room: Any) -> None:
    """J2 gets an answer; J5 to J7, which hold no questions, still calculate what they did, and so does AC2."""
    cells = shared(["J2", "J3", "J5", "J6"], "A2&amp;&quot;&lt;A2&quot;", "J2:J6")
    cells |= shared(["AA2", "AC2"], "$A2+B$1", "AA2:AC2", 1)
    content = with_cells(room, cells)
    out = room.write(content, room.answered(room.read(content)), RUN)
    assert formulas_of(out) == {"J5": '=A5&"<A2"', "J6": '=A6&"<A2"', "AC2": "=$A2+D$1"}
    assert b"shared" not in room.parts(out)[SHEET]


def test_shared_formulas_that_meet_no_written_cell_stay_as_they_are(room: Any) -> None:
    """A person's own columns come back byte by byte."""
    cells = shared(["AC2", "AC3", "AC5"], "A2", "AC2:AC5") | shared(["J5", "J6"], "A5", "J5:J6", 1)
    content = with_cells(room, cells)
    xml = room.parts(room.write(content, room.answered(room.read(content)), RUN))[SHEET].decode()
    assert all(cell in xml for cell in cells.values())


def test_adopting_keeps_shared_formulas_too(room: Any) -> None:
    """E–I are written and J–AB emptied: formulas that began there live on in the other cells."""
    cells = shared(["E2", "E5"], "A2", "E2:E5") | shared(["AB3", "AB6", "AC3"], "A3*2", "AB3:AC6", 1)
    content = with_cells(room, cells | {"J2": '<c r="J2" t="inlineStr"><is><t>New.</t></is></c>'})
    adopted = room.adopt(content)
    assert adopted.adopted == (2,)
    assert formulas_of(adopted.content) == {"E5": "=A5", "AB6": "=A6*2", "AC3": "=B3*2"}


@pytest.mark.parametrize(
    "kind", ['t="array" ref="I2:K3"', 't="dataTable" ref="I2:K3" dt2D="1" dtr="1" r1="A1" r2="A2"']
)
def test_a_formula_over_written_cells_gives_way_to_its_values(room: Any, kind: str) -> None:
    """Excel would calculate it over the new answers; the sheet Run names it."""
    cells = {"I2": f'<c r="I2" cm="1"><f {kind}>A2:A3</f><v>7</v></c>', "J3": '<c r="J3"><v>8</v></c>'}
    content = with_cells(room, cells)
    out = room.write(content, room.answered(room.read(content)), RUN)
    sheet = room.opened(out)["Set"]
    assert (sheet["I2"].value, sheet["J3"].value) == (7, "The new answer.")
    assert b"cm=" not in room.parts(out)[SHEET]
    notes = [[cell.value for cell in row] for row in room.opened(out)["Run"].iter_rows()]
    assert ["Formulas over several cells replaced by their values", 1, "I2"] in [row[:3] for row in notes]


def test_formulas_over_cells_that_are_not_written_stay(room: Any) -> None:
    """One of a single cell, one beside the columns, one below the questions."""
    cells = {
        "AC2": '<c r="AC2"><f t="array" ref="AC2">SUM(A2:A3*2)</f><v>7</v></c>',
        "AD2": '<c r="AD2"><f t="array" ref="AD2:AE3">A2:B3</f><v>7</v></c>',
        "J5": '<c r="J5"><f t="array" ref="J5:K6">A5:B6</f><v>7</v></c>',
    }
    content = with_cells(room, cells)
    xml = room.parts(room.write(content, room.answered(room.read(content)), RUN))[SHEET].decode()
    assert all(cell in xml for cell in cells.values())


def test_a_formula_without_its_text_is_never_delivered(room: Any) -> None:
    """Should a shared formula have lost the cell that spells it out, the last check refuses the file."""
    cells = shared(["AC2", "AC5"], "A2", "AC2:AC5")
    whole, broken = (with_cells(room, chosen) for chosen in (cells, {"AC5": cells["AC5"]}))
    written = Written(sheet="Set", part=SHEET, columns=(10,), rows={}, changed=frozenset({SHEET}), orphans=frozenset())
    with pytest.raises(WorkbookUnverified, match="shared formula 0 has lost its text"):
        verify(Package(whole, Limits()), Package(broken, Limits()), written)


def test_a_file_that_has_lost_a_formula_before_is_delivered(room: Any) -> None:
    """What was spelled out nowhere in the uploaded file is not our loss."""
    content = with_cells(room, {"AC5": '<c r="AC5"><f t="shared" si="4" ref="AC5:AC6"/><v>1</v></c>'})
    assert room.read(room.write(content, room.answered(room.read(content)), RUN)).given[2].text == "The new answer."
