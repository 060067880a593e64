"""A finished workbook that is not what was to be written is not delivered."""

import io
from typing import Any

import pytest

from service.errors import WorkbookUnverified
from service.workbook._in_place import Written
from service.workbook._limits import Limits
from service.workbook._package import Package, part_key
from service.workbook._row_editor import row_hash
from service.workbook._verify import verify

SHEET = "xl/worksheets/sheet1.xml"
INLINE = b't="inlineStr"><is><t>the text</t></is>'
DAMAGE = [
    ("the text", "another text", SHEET, "row 2 does not read as it was written"),
    ('t="b"><v>1', 't="n"><v>1', SHEET, "row 2 does not read as it was written"),
    ('<row r="2"', '<row r="3"', SHEET, "row 2 is missing"),
    ("</worksheet>", "", SHEET, "not well-formed"),
    ("Openpyxl", "somebody", "docProps/app.xml", "part docProps/app.xml has changed"),
]


@pytest.mark.parametrize(("old", "new", "part", "problem"), DAMAGE, ids=[problem for *_, problem in DAMAGE])
def test_what_was_not_written_as_it_should_is_noticed(room: Any, old: str, new: str, part: str, problem: str) -> None:
    """A text, a truth that has become a number, a row, the form of the sheet, a part that nobody was to touch."""
    content = room.sheet(["Question", "Assistant"], ["the text", True])
    parts = room.parts(content)
    whole = room.packed({**parts, SHEET: parts[SHEET].replace(b't="s"><v>2</v>', INLINE)})
    written = Written(
        sheet="Set",
        part=part_key(SHEET),
        columns=(1, 2),
        rows={2: row_hash(["the text", True])},
        changed=frozenset({part_key(SHEET)}),
        orphans=None,
    )
    before = Package(whole, Limits())
    verify(before, Package(io.BytesIO(whole), Limits()), written)
    damaged = room.changed(whole, part, old, new)
    with pytest.raises(WorkbookUnverified, match=problem):
        verify(before, Package(damaged, Limits()), written)
