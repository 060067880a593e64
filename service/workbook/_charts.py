"""Native charts: the XML of a drawing and of the radar and line charts in it."""

from collections.abc import Iterator, Sequence
from typing import Final

from service.workbook._records import Chart
from service.workbook._text import xml_text

_CHART: Final = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_MAIN: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
_DRAWING: Final = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
_RELATIONS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_COLOURS: Final = ("1F3A5F", "C0504D", "2E6F73", "E08E0B", "7A4E9F", "5B8C2A", "B23A7F", "6B7280")
_COLUMNS, _ROWS = 9, 22
"""How many columns and rows of cells a chart covers."""
_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def drawing_xml(charts: Sequence[Chart]) -> bytes:
    """Return the drawing that places charts on their sheet; chart n is the relationship rIdn."""
    anchors = "".join(_anchor(number, chart) for number, chart in enumerate(charts, start=1))
    return (
        f'{_DECLARATION}<xdr:wsDr xmlns:xdr="{_DRAWING}" xmlns:a="{_MAIN}" xmlns:c="{_CHART}" '
        f'xmlns:r="{_RELATIONS}">{anchors}</xdr:wsDr>'
    ).encode()


def _anchor(number: int, chart: Chart) -> str:
    left = (_COLUMNS + 1) * chart.place
    return (
        f"<xdr:twoCellAnchor><xdr:from>{_corner(left, chart.top)}</xdr:from>"
        f'<xdr:to>{_corner(left + _COLUMNS, chart.top + _ROWS)}</xdr:to><xdr:graphicFrame macro="">'
        f'<xdr:nvGraphicFramePr><xdr:cNvPr id="{number + 1}" name="Chart {number}" descr="{xml_text(chart.title)}"/>'
        "<xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>"
        '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>'
        f'<a:graphic><a:graphicData uri="{_CHART}"><c:chart r:id="rId{number}"/></a:graphicData></a:graphic>'
        "</xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>"
    )


def _corner(column: int, row: int) -> str:
    return f"<xdr:col>{column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>{row}</xdr:row><xdr:rowOff>0</xdr:rowOff>"


def chart_xml(chart: Chart, sheet: str) -> bytes:
    """Return a chart over cells of the sheet of that name."""
    quoted = "'" + sheet.replace("'", "''") + "'!"
    series = "".join(_series(chart, quoted))
    kind = '<c:grouping val="standard"/>' if chart.kind == "line" else '<c:radarStyle val="marker"/>'
    ends = '<c:marker val="1"/>' if chart.kind == "line" else ""
    axes = '<c:axId val="1001"/><c:axId val="1002"/>'
    return (
        f'{_DECLARATION}<c:chartSpace xmlns:c="{_CHART}" xmlns:a="{_MAIN}" xmlns:r="{_RELATIONS}">'
        '<c:roundedCorners val="0"/><c:chart>'
        f'{_title(chart.title, 1400)}<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>'
        f'<c:{chart.kind}Chart>{kind}<c:varyColors val="0"/>{series}{ends}{axes}</c:{chart.kind}Chart>'
        f'{_axes(chart)}</c:plotArea><c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>'
        '<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>'
    ).encode()


def _series(chart: Chart, sheet: str) -> Iterator[str]:
    for number, (name, values) in enumerate(chart.series):
        colour = f'<a:solidFill><a:srgbClr val="{_COLOURS[number % len(_COLOURS)]}"/></a:solidFill>'
        smooth = '<c:smooth val="0"/>' if chart.kind == "line" else ""
        yield (
            f'<c:ser><c:idx val="{number}"/><c:order val="{number}"/><c:tx>{_reference(sheet, name)}</c:tx>'
            f'<c:spPr><a:ln w="28575">{colour}</a:ln></c:spPr>'
            f'<c:marker><c:symbol val="circle"/><c:size val="6"/><c:spPr>{colour}</c:spPr></c:marker>'
            f"<c:cat>{_reference(sheet, chart.categories)}</c:cat>"
            f"<c:val>{_reference(sheet, values, 'num')}</c:val>{smooth}</c:ser>"
        )


def _reference(sheet: str, area: str, kind: str = "str") -> str:
    absolute = ":".join(
        f"${corner.rstrip('0123456789')}${corner.lstrip('ABCDEFGHIJKLMNOPQRSTUVWXYZ')}" for corner in area.split(":")
    )
    return f"<c:{kind}Ref><c:f>{xml_text(sheet + absolute)}</c:f></c:{kind}Ref>"


def _axes(chart: Chart) -> str:
    shared = '<c:crosses val="autoZero"/>'
    line = '<a:ln w="6350"><a:solidFill><a:srgbClr val="D0D7DE"/></a:solidFill></a:ln>'
    grid = f"<c:majorGridlines><c:spPr>{line}</c:spPr></c:majorGridlines>"
    return (
        '<c:catAx><c:axId val="1001"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>'
        f'<c:axPos val="b"/>{grid if chart.kind == "radar" else ""}{_title(chart.axis, 1000) if chart.axis else ""}'
        f'<c:numFmt formatCode="#,##0" sourceLinked="0"/><c:majorTickMark val="out"/><c:minorTickMark val="none"/>'
        f'<c:tickLblPos val="low"/><c:crossAx val="1002"/>{shared}</c:catAx>'
        '<c:valAx><c:axId val="1002"/><c:scaling><c:orientation val="minMax"/><c:max val="1"/><c:min val="0"/>'
        f'</c:scaling><c:delete val="0"/><c:axPos val="l"/>{grid}<c:numFmt formatCode="0.0" sourceLinked="0"/>'
        '<c:majorTickMark val="out"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>'
        f'<c:crossAx val="1001"/>{shared}<c:crossBetween val="between"/><c:majorUnit val="0.2"/></c:valAx>'
    )


def _title(text: str, size: int) -> str:
    return (
        f'<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="{size}" b="1"/></a:pPr>'
        f'<a:r><a:rPr lang="en-US" sz="{size}" b="1"/><a:t>{xml_text(text)}</a:t></a:r></a:p></c:rich></c:tx>'
        '<c:overlay val="0"/></c:title>'
    )
