"""The template is made from the table of columns, and the committed file is that template."""

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from service.errors import WorkbookNoQuestions
from service.workbook import read, template
from service.workbook.columns import COLUMNS, normalise

COMMITTED = Path(__file__).parents[3] / "templates" / "Benchmark_Input_template.xlsx"


def parts(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_committed_template_is_what_the_table_of_columns_makes() -> None:
    """Every part of the file in templates/ equals a fresh build."""
    assert parts(COMMITTED.read_bytes()) == parts(template())


def test_the_template_is_built_the_same_every_time() -> None:
    """Two builds are the same bytes, so that a rebuild never shows up as a change."""
    assert template() == template()


def test_each_column_stands_at_its_letter_with_its_note_and_width() -> None:
    """Header, note and width of each column are those of the table."""
    sheet = openpyxl.load_workbook(COMMITTED)["Benchmark"]
    for column in COLUMNS:
        cell = sheet[f"{column.letter}1"]
        assert cell.value == column.header
        assert cell.comment is not None
        assert cell.comment.text == column.note
        assert sheet.column_dimensions[column.letter].width == column.width


def test_a_person_is_helped_to_fill_it_in() -> None:
    """The header is frozen and filtered, yes/no columns have a drop-down, TRUE flags are red, a guide is there."""
    book = openpyxl.load_workbook(COMMITTED)
    sheet = book["Benchmark"]
    assert sheet.freeze_panes == "C2"
    assert sheet.auto_filter.ref.startswith("A1:AB")
    choices = {area.split(":")[0] for one in sheet.data_validations.dataValidation for area in str(one.sqref).split()}
    assert choices == {"D2", "AB2"}
    ruled = {area.split(":")[0] for one in sheet.conditional_formatting for area in str(one.sqref).split()}
    assert ruled == {f"{column.letter}2" for column in COLUMNS if column.header.endswith("_flag")}
    guide = [row for row in book.worksheets[1].iter_rows(values_only=True)]
    assert [row[1] for row in guide[-len(COLUMNS) :]] == [column.header for column in COLUMNS]


def test_an_unfilled_template_is_refused_by_name() -> None:
    """Uploading the template as it is says that there are no questions in it."""
    with pytest.raises(WorkbookNoQuestions):
        read(COMMITTED.read_bytes())


def test_no_two_headers_share_a_name() -> None:
    """Each name a header may have, in any language, leads to one column only."""
    names: dict[str, str] = {}
    for column in COLUMNS:
        for name in {normalise(column.header), *map(normalise, column.aliases)}:
            assert names.setdefault(name, column.header) == column.header
