"""Workbooks as people and programs make them run right, come back whole, and open in another program."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule, DataBarRule, FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.pagebreak import Break

from service.workbook import Section
from service.workbook.columns import COLUMNS

SHEET = "xl/worksheets/sheet1.xml"
CHANGED = {SHEET, "xl/styles.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "[Content_Types].xml"}
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
X14 = "http://schemas.microsoft.com/office/spreadsheetml/2009/9"
ALL = [column.header for column in COLUMNS]
ROWS = [[n, f"Why {n}?", "HR", "no"] for n in range(1, 6)]


def protected(page: Any) -> None:
    page.protection.sheet = True
    page.protection.password = "x"


def rules(page: Any) -> None:
    red = PatternFill("solid", bgColor="FFFF0000")
    page.conditional_formatting.add("Z2:Z100", CellIsRule(operator="equal", formula=["TRUE"], fill=red))
    page.conditional_formatting.add("A2:AB100", FormulaRule(formula=["$Z2=TRUE"], font=Font(bold=True)))
    page.conditional_formatting.add("O2:O100", DataBarRule("num", 0, "num", 1, color="FF638EC6"))


def names(page: Any) -> None:
    page.parent.defined_names["Mine"] = DefinedName("Mine", attr_text="Set!$B$2:$B$6")
    page.parent.defined_names["Broken"] = DefinedName("Broken", attr_text="#REF!$A$1")
    page.print_title_rows, page.print_area = "1:1", "A1:AB6"


def filtered(page: Any) -> None:
    page.auto_filter.ref = "A1:AB6"
    page.auto_filter.add_filter_column(2, ["HR"])
    page.auto_filter.add_filter_column(25, ["FALSE"])
    page.row_dimensions[4].hidden = True


def lists(page: Any) -> None:
    for cells, choices in (("AB2:AB100", '"yes,no"'), ("Z2:Z99", '"TRUE"')):
        choice = DataValidation(type="list", formula1=choices)
        page.add_data_validation(choice)
        choice.add(cells)


def drawn(page: Any) -> None:
    chart = BarChart()
    chart.add_data(Reference(page, min_col=15, min_row=1, max_row=6))
    page.add_chart(chart, "AD2")
    page["J2"].comment = Comment("look", "me")
    page["J3"].hyperlink = "https://example.org"


def hidden(page: Any) -> None:
    page.parent.create_sheet("Hidden").append(["Question", "Assistant"])
    page.parent["Hidden"].sheet_state = "hidden"
    page.parent.create_sheet("Very").sheet_state = "veryHidden"
    page.row_dimensions[2].hidden = page.column_dimensions["K"].hidden = True


def laid_out(page: Any) -> None:
    page.freeze_panes, page.sheet_view.zoomScale, page.sheet_view.rightToLeft = "C2", 70, True
    page.oddHeader.center.text = "&A"
    page.row_breaks.append(Break(3))
    page.row_dimensions[3].outlineLevel = 1
    page.column_dimensions.group("K", "N", hidden=True)


def own_run(page: Any) -> None:
    page.parent.create_sheet("run").append(["mine"])


def in_xml(change: Callable[[str], str]) -> Callable[[Any, bytes], bytes]:
    """Return a change of the benchmark sheet's XML."""

    def edit(room: Any, content: bytes) -> bytes:
        parts = room.parts(content)
        return bytes(room.packed(parts | {SHEET: change(parts[SHEET].decode()).encode()}))

    return edit


def related(kind: str, part: str, xml: str, listed: str = "") -> Callable[[Any, bytes], bytes]:
    """Return a change that leads the workbook to a further part."""

    def edit(room: Any, content: bytes) -> bytes:
        parts = room.parts(content)
        relation = f'<Relationship Id="rIdX" Type="{OFFICE}/{kind}" Target="{part}"/></Relationships>'
        named = f'<Override PartName="/xl/{part}" ContentType="application/vnd.openxmlformats-officedocument.'
        named += f'spreadsheetml.{kind}+xml"/></Types>'
        for name, old, new in (
            ("xl/_rels/workbook.xml.rels", "</Relationships>", relation),
            ("[Content_Types].xml", "</Types>", named),
            ("xl/workbook.xml", "</sheets>", "</sheets>" + listed),
        ):
            parts[name] = parts[name].replace(old.encode(), new.encode())
        return bytes(room.packed(parts | {f"xl/{part}": xml.encode()}))

    return edit


def renamed(change: Callable[[str], str]) -> Callable[[Any, bytes], bytes]:
    """Return a change of the names of parts."""

    def edit(room: Any, content: bytes) -> bytes:
        return bytes(room.packed({change(name): part for name, part in room.parts(content).items()}))

    return edit


MADE: dict[str, Callable[[Any], None]] = {
    function.__name__: function
    for function in (protected, rules, names, filtered, lists, drawn, hidden, laid_out, own_run)
}
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
EDITED: dict[str, Callable[[Any, bytes], bytes]] = {
    "a prefix for every element": in_xml(
        lambda xml: re.sub("<(/?)(?!\\?)", r"<\1x:", xml).replace("xmlns=", "xmlns:x=")
    ),
    "no dimension": in_xml(lambda xml: re.sub("<dimension[^>]*/>", "", xml)),
    "no references": in_xml(lambda xml: re.sub(r'(<(?:c|row)\b[^>]*?) r="[^"]*"', r"\1", xml)),
    "line ends in tags": in_xml(lambda xml: xml.replace("/>", " />").replace(' r="', '\n r="')),
    "line ends between tags": in_xml(lambda xml: xml.replace("><", ">\r\n  <")),
    "extensions": in_xml(
        lambda xml: xml.replace(
            "</worksheet>",
            f'<extLst><ext uri="{{78C0D931-6437-407d-A8EE-F0AAD7539E65}}" xmlns:x14="{X14}/main">'
            "<x14:conditionalFormattings/></ext></extLst></worksheet>",
        )
    ),
    "rows with formats and hints": in_xml(
        lambda xml: xml.replace(
            '<row r="2"', f'<row r="2" spans="1:4" s="0" customFormat="1" x14ac:dyDescent="0.3" xmlns:x14ac="{X14}/ac"'
        )
    ),
    "rows with formats only": in_xml(
        lambda xml: xml.replace(
            "</sheetData>", "".join(f'<row r="{n}"><c r="A{n}" s="0"/></row>' for n in range(7, 3_000)) + "</sheetData>"
        )
    ),
    "shared and array formulas": in_xml(
        lambda xml: re.sub(
            '(<row r="3".*?)</row>',
            r'\1<c r="J3"><f t="shared" ref="J3:J6" si="0">A3*2</f><v>2</v></c><c r="AD3"><f t="shared" si="0"/></c>'
            r'<c r="AE3" cm="1"><f t="array" ref="AE3">SUM(A2:A6*2)</f><v>30</v></c></row>',
            xml,
            count=1,
        )
    ),
    "a pivot cache": related(
        "pivotCacheDefinition",
        "pivotCache/pivotCacheDefinition1.xml",
        f'<pivotCacheDefinition xmlns="{MAIN}" recordCount="0"><cacheSource type="worksheet">'
        '<worksheetSource ref="A1:A6" sheet="Set"/></cacheSource><cacheFields count="1"><cacheField name="id" '
        'numFmtId="0"><sharedItems/></cacheField></cacheFields></pivotCacheDefinition>',
        f'<pivotCaches><pivotCache xmlns:r="{OFFICE}" cacheId="1" r:id="rIdX"/></pivotCaches>',
    ),
    "an external link": related(
        "externalLink",
        "externalLinks/externalLink1.xml",
        f'<externalLink xmlns="{MAIN}"/>',
        f'<externalReferences><externalReference xmlns:r="{OFFICE}" r:id="rIdX"/></externalReferences>',
    ),
    "persons of threaded comments": related("person", "persons/person.xml", '<personList xmlns="urn:x"/>'),
    "back slashes in names": renamed(lambda name: name.replace("/", "\\") if name.startswith("xl") else name),
    "capitals in names": renamed(lambda name: name.replace("xl/", "XL/")),
}


NOT_IN_LIBREOFFICE = ("back slashes in names", "capitals in names")
"""It opens them neither before nor after; Excel does."""


def odd(room: Any, name: str) -> bytes:
    """Return a workbook of that kind, with five questions."""
    if name in MADE:
        return bytes(room.sheet(ALL, *ROWS, edit=MADE[name]))
    return EDITED[name](room, room.sheet(ALL, *ROWS))


def done(room: Any, content: bytes) -> tuple[bytes, bytes]:
    """Return a workbook filled and filtered, and its next set."""
    results = room.answered(room.read(content))
    flagged = room.answered(room.read(content), flagged=True)
    filled = room.write(content, results[:2] + flagged[2:], Section("Run", (("Run id", "r1"),)), flagged=True)
    return filled, room.adopt(filled, every=True).content


@pytest.mark.parametrize("name", [*MADE, *EDITED])
def test_odd_workbooks_run_and_come_back_whole(room: Any, name: str) -> None:
    """Five answers, five adopted; every part a run has nothing to do with is the same, byte by byte."""
    content = odd(room, name)
    filled, adopted = done(room, content)
    again = room.read(filled)
    assert (again.run_id, [answer.text for answer in again.given.values()]) == ("r1", ["The new answer."] * 5)
    assert [row.question.reference for row in room.read(adopted).rows] == ["The new answer."] * 5
    before, after = room.parts(content), room.parts(filled)
    differ = {part.replace("\\", "/").replace("XL/", "xl/") for part in before if after.get(part) != before[part]}
    assert differ == CHANGED


def test_rows_without_numbers_are_filtered_to_the_last(room: Any) -> None:
    """The filter of the flagged reaches as far as the questions do."""
    filled, _ = done(room, odd(room, "no references"))
    assert re.findall('<autoFilter ref="(.*?)"', room.parts(filled)[SHEET].decode()) == ["A1:AB6"]


@pytest.mark.slow
def test_libreoffice_opens_what_becomes_of_odd_workbooks(room: Any, tmp_path: Path) -> None:
    """Filled, filtered and adopted, each converts and shows the five answers."""
    for number, name in enumerate(name for name in [*MADE, *EDITED] if name not in NOT_IN_LIBREOFFICE):
        for state, content in zip(("filled", "adopted"), done(room, odd(room, name)), strict=True):
            (tmp_path / f"{number}-{state}.xlsx").write_bytes(content)
    command = ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to"]
    made = sorted(tmp_path.glob("*.xlsx"))
    subprocess.run(
        [*command, "xlsx:Calc MS Excel 2007 XML", "--outdir", tmp_path / "out", *made], check=True, timeout=300
    )
    for path in made:
        reading = room.read((tmp_path / "out" / path.name).read_bytes(), sheet="Set")
        shown = [row.question.reference for row in reading.rows]
        if path.stem.endswith("filled"):
            shown = [answer.text for answer in reading.given.values()]
        assert shown == ["The new answer."] * 5, path.name
