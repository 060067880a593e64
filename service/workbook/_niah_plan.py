"""The workbook of an experiment before it is run: a row a cell, and the config it was planned from."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from flags.niah import Experiment, Spec
from service import __version__
from service.workbook._niah_nouns import spec_values
from service.workbook._records import CellValue
from service.workbook._styles import HEADER_FILL, RUN_FILL
from service.workbook._template import undated_parts
from service.workbook._text import cell_text
from service.workbook.niah_columns import EXPERIMENT, NIAH_COLUMNS, SHEET

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

TITLE: Final = "flagbook experiment"
_DATE: Final = (2026, 1, 1, 0, 0, 0)


def plan_workbook(config: Mapping[str, Any], cells: Iterable[tuple[str, Spec]]) -> bytes:
    """Return the workbook of an experiment: the same bytes for the same config, wherever it is planned.

    `config` holds plain values (its preset's fields among them), `cells` are (assistant, cell).
    """
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = SHEET
    _cells(sheet, cells)
    _experiment(book.create_sheet(EXPERIMENT), config)
    book.properties.creator = "flagbook"
    book.properties.title = str(config.get("name", "Needle in a haystack"))
    out = io.BytesIO()
    book.save(out)
    return _stored(out.getvalue())


def config_hash(config: Mapping[str, Any]) -> str:
    """Return the sha256 of a config, whatever the order of its fields."""
    return hashlib.sha256(json.dumps(config, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _cells(sheet: "Worksheet", cells: Iterable[tuple[str, Spec]]) -> None:
    from openpyxl.comments import Comment
    from openpyxl.styles import Alignment, Font, PatternFill

    for column in NIAH_COLUMNS:
        cell = sheet[f"{column.letter}1"]
        cell.value = column.header
        cell.font = Font(name="Calibri", size=11, bold=True, color="FFFFFFFF")
        cell.fill = PatternFill("solid", fgColor=HEADER_FILL if column.filled_by == "person" else RUN_FILL)
        cell.alignment = Alignment(vertical="center", wrap_text=True)
        cell.comment = Comment(column.note, "flagbook", width=300, height=30 + 20 * (len(column.note) // 40 + 1))
        dimension = sheet.column_dimensions[column.letter]
        dimension.width = column.width
        dimension.alignment = Alignment(vertical="top", wrap_text=column.kind == "text")
        if column.header == "score":
            dimension.number_format = "0.000"
    sheet.row_dimensions[1].height = 36
    sheet.freeze_panes = "D2"
    for number, (assistant, spec) in enumerate(cells, start=1):
        _fill(sheet, number + 1, (number, assistant, *spec_values(spec)))
    sheet.auto_filter.ref = f"A1:{NIAH_COLUMNS[-1].letter}{sheet.max_row}"


def _fill(sheet: "Worksheet", number: int, values: Sequence[CellValue | None]) -> None:
    for place, value in enumerate(values, start=1):
        if value is not None and value != "":
            cell = sheet.cell(number, place, cell_text(value) if isinstance(value, str) else value)
            # a text is always a text: an assistant named =1+1 is no formula
            cell.data_type = "s" if isinstance(value, str) else "n"


def _experiment(sheet: "Worksheet", config: Mapping[str, Any]) -> None:
    from openpyxl.styles import Alignment, Font

    sheet.sheet_view.showGridLines = False
    lines = [(TITLE, ""), ("flagbook version", __version__), ("config sha256", config_hash(config)), ("", "")]
    lines += [("Field of the config", "Value (JSON, or plain text)"), *_fields(config)]
    for number, (name, value) in enumerate(lines, start=1):
        _fill(sheet, number, (name, value))
        for place in (1, 2):
            sheet.cell(number, place).alignment = Alignment(vertical="top", wrap_text=True)
    sheet["A1"].font = Font(name="Calibri", size=16, bold=True, color=HEADER_FILL)
    sheet["A5"].font = sheet["B5"].font = Font(name="Calibri", bold=True)
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 24, 100


def _fields(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in (field.name for field in fields(Experiment)):
        if name in config:
            value = config[name]
            yield (
                name,
                value
                if isinstance(value, str) and not _is_json(value)
                else json.dumps(value, ensure_ascii=False, sort_keys=True),
            )


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return text in ("TRUE", "FALSE", "")
    return True


def _stored(content: bytes) -> bytes:
    """Return the file without dates and without compression, whose bytes differ from one library to the next."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, part in undated_parts(content):
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system = 0
            archive.writestr(info, part)
    return out.getvalue()
