"""Sheets a run adds beside the one it fills: lines of cells, colour scales, charts."""

from collections.abc import Iterator, Sequence
from typing import Final

from service.workbook._book import Relation, read_relations, relations_part
from service.workbook._charts import chart_xml, drawing_xml
from service.workbook._in_place import InPlace
from service.workbook._package import part_key
from service.workbook._parts import Changes
from service.workbook._records import AddedSheet, CellValue, Line
from service.workbook._run_sheet import cell_xml, find_run_sheet, free_run_name
from service.workbook._styles import Styles
from service.workbook._text import cell_text
from service.workbook.columns import column_letter

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_TYPES: Final = {
    "drawing": "application/vnd.openxmlformats-officedocument.drawing+xml",
    "chart": "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
}
_STRICT: Final = (
    (b"http://schemas.openxmlformats.org/spreadsheetml/2006/main", b"http://purl.oclc.org/ooxml/spreadsheetml/main"),
    (_RELATIONS.encode(), b"http://purl.oclc.org/ooxml/officeDocument/relationships"),
    (b"http://schemas.openxmlformats.org/drawingml/2006/", b"http://purl.oclc.org/ooxml/drawingml/"),
)
_PAGE: Final = '<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/>'
_SCALE: Final = (
    '<conditionalFormatting sqref="{area}"><cfRule type="colorScale" priority="{priority}"><colorScale>'
    '<cfvo type="num" val="0"/><cfvo type="num" val="0.5"/><cfvo type="num" val="1"/>'
    '<color rgb="FFF8696B"/><color rgb="FFFFEB84"/><color rgb="FF63BE7B"/>'
    "</colorScale></cfRule></conditionalFormatting>"
)


def part_of_ours(writing: InPlace, name: str) -> str:
    """Return the part of a sheet of ours: the one of an earlier run, which is written anew, or a new one."""
    ours = find_run_sheet(writing.book, writing.values, name)
    if ours is None:
        part = writing.changes.free_part("xl/worksheets/sheet")
        writing.changes.add_sheet(free_run_name(writing.book, name), part)
        return part
    writing.changes.dropped |= {ours.key, part_key(relations_part(ours.part))}
    for drawing in _related(writing, ours.part, "drawing"):
        writing.changes.drop(drawing.part)
        writing.changes.dropped.add(part_key(relations_part(drawing.part)))
        for chart in _related(writing, drawing.part, "chart"):
            writing.changes.drop(chart.part)
    return ours.part


def _related(writing: InPlace, part: str, kind: str) -> Iterator[Relation]:
    return (relation for relation in read_relations(writing.package, part) if relation.kind == kind)


def add_sheets(writing: InPlace, sheets: Sequence[AddedSheet], styles: Styles) -> None:
    """Add sheets with their charts, each in place of the one an earlier run has written."""
    for sheet in sheets:
        part = part_of_ours(writing, sheet.name)
        found = find_run_sheet(writing.book, writing.values, sheet.name)
        name = found.name if found else free_run_name(writing.book, sheet.name)
        added = {part: sheet_xml(sheet, styles)}
        if sheet.charts:
            added |= _drawn(writing.changes, sheet, part, name)
        writing.changes.added |= {key: _in_strict(xml, writing.book.strict) for key, xml in added.items()}


def _drawn(changes: Changes, sheet: AddedSheet, part: str, name: str) -> dict[str, bytes]:
    drawing = changes.free_part("xl/drawings/drawing")
    changes.declare(drawing, _TYPES["drawing"])
    charts = [changes.free_part("xl/charts/chart") for _ in sheet.charts]
    for chart in charts:
        changes.declare(chart, _TYPES["chart"])
    return {
        relations_part(part): _relations("drawing", [drawing]),
        drawing: drawing_xml(sheet.charts),
        relations_part(drawing): _relations("chart", charts),
        **{chart: chart_xml(each, name) for chart, each in zip(charts, sheet.charts, strict=True)},
    }


def _relations(kind: str, parts: Sequence[str]) -> bytes:
    listed = "".join(
        f'<Relationship Id="rId{number}" Type="{_RELATIONS}/{kind}" Target="/{part}"/>'
        for number, part in enumerate(parts, start=1)
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="{_PACKAGE}">'
        f"{listed}</Relationships>"
    ).encode()


def _in_strict(xml: bytes, strict: bool) -> bytes:
    for transitional, other in _STRICT if strict else ():
        xml = xml.replace(transitional, other)
    return xml


def sheet_xml(sheet: AddedSheet, styles: Styles) -> bytes:
    """Return the XML of a sheet."""
    body = b"".join(_row(number, line, styles) for number, line in enumerate(sheet.lines, start=1)).decode()
    widths = "".join(
        f'<col min="{number}" max="{number}" width="{width}" customWidth="1"/>'
        for number, width in enumerate(sheet.widths, start=1)
    )
    scales = "".join(_SCALE.format(area=area, priority=number) for number, area in enumerate(sheet.scales, start=1))
    drawing = '<drawing r:id="rId1"/>' if sheet.charts else ""
    return (
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="{_SHEET}" xmlns:r="{_RELATIONS}">'
        '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>'
        '<sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews>'
        f'<sheetFormatPr defaultRowHeight="15"/>{f"<cols>{widths}</cols>" if widths else ""}'
        f"<sheetData>{body}</sheetData>{scales}{_PAGE}{drawing}</worksheet>"
    ).encode()


def _row(number: int, line: Line, styles: Styles) -> bytes:
    if not line.cells:
        return b""
    filled = (
        cell_xml(f"{column_letter(column)}{number}", cell_text(value) if isinstance(value, str) else value, style)
        for column, value in enumerate(line.cells, start=1)
        if value is not None and (style := _style(line, value, styles)) >= 0
    )
    return b"".join((f'<row r="{number}">'.encode(), *filled, b"</row>"))


def _style(line: Line, value: CellValue, styles: Styles) -> int:
    looks = {"title": styles.title, "heading": styles.heading, "header": styles.header}
    return looks.get(line.look, styles.number if isinstance(value, float) else styles.plain)
