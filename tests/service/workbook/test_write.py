"""Results are written in place: where columns go, what is kept, what is cleared, and what the sheet Run says of it."""

import re
from typing import Any

import pytest
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.table import Table

from flags import Answer, Question, Source, Verdict
from service.workbook import Result, Section
from service.workbook.columns import COLUMNS, OUTPUT

HEADER = ["Question", "Assistant"]
ALL = [column.header for column in COLUMNS]
RUN = Section("Run", (("Run id", "run-1"), ("Questions", 2, 0.5, True)))


def notes(room: Any, content: bytes) -> dict[str, str]:
    """Return what the sheet Run notes, by title."""
    rows = [[cell.value for cell in row] for row in room.opened(content)["Run"].iter_rows()]
    titles = [row[0] for row in rows]
    return {row[0]: row[2] for row in rows[titles.index("Notes on the sheet") + 1 :]}


def filled(room: Any, content: bytes, **choices: Any) -> bytes:
    """Return a workbook with an answer in each row; every second is flagged."""
    reading = room.read(content)
    results = room.answered(reading)
    flagged = room.answered(reading, flagged=True)
    mixed = [one if place % 2 else other for place, (one, other) in enumerate(zip(results, flagged, strict=True))]
    return bytes(room.write(content, mixed, RUN, **choices))


def test_missing_columns_are_added_at_their_letters(room: Any) -> None:
    """A first-run file of two columns gets J-AA and AB where the template has them, headed and wide enough."""
    sheet = room.opened(filled(room, room.sheet(HEADER, ["Why?", "HR"])))["Set"]
    for column in (*OUTPUT, COLUMNS[-1]):
        assert sheet[f"{column.letter}1"].value == column.header
        assert sheet.column_dimensions[column.letter].width == column.width
    assert sheet["J1"].font.bold
    assert sheet["J2"].alignment.wrap_text
    assert sheet.dimensions == "A1:AB2"


def test_columns_whose_letters_are_taken_go_after_the_last_one(room: Any) -> None:
    """A person's own column J is left alone; answer moves behind everything used."""
    content = room.sheet([*HEADER, *[""] * 7, "owner"], ["Why?", "HR", *[""] * 7, "Kim"])
    sheet = room.opened(filled(room, content))["Set"]
    assert (sheet["J1"].value, sheet["J2"].value) == ("owner", "Kim")
    assert (sheet["AC1"].value, sheet["AC2"].value) == ("answer", "The new answer.")
    assert sheet["K1"].value == "Sources"


def test_cells_hold_real_booleans_and_numbers(room: Any) -> None:
    """Flags are booleans, the similarity is a number, what was not given stays empty."""
    sheet = room.opened(filled(room, room.sheet(HEADER, ["Why?", "HR"])))["Set"]
    assert sheet["Z2"].value is True
    assert sheet["M2"].value is False
    assert sheet["O2"].value == 0.5
    assert sheet["R2"].value is True
    assert sheet["T2"].value is None
    assert sheet["K2"].value == "[1] a.pdf : 3"


@pytest.mark.parametrize(
    ("verdict", "text", "flag"),
    [
        (Verdict.given(True, "differs"), "differs", True),
        (Verdict.skipped("no benchmark answer"), None, None),
        (Verdict.failed("judge_malformed", "No verdict."), "NOT JUDGED judge_malformed: No verdict.", None),
    ],
)
def test_a_verdict_becomes_cells(room: Any, verdict: Verdict, text: str | None, flag: bool | None) -> None:
    """A given verdict fills text and flag, a skipped one neither, a failed one says why and leaves the flag empty."""
    result = Result(2, Question(text="", space=""), Answer(text="a"), {"contradiction": verdict})
    sheet = room.opened(room.write(room.sheet(HEADER, ["Why?", "HR"]), [result]))["Set"]
    assert (sheet["Q2"].value, sheet["R2"].value) == (text, flag)


def test_a_row_without_an_answer_keeps_its_code_and_is_flagged(room: Any) -> None:
    """J-N stay empty, final_flag is TRUE and the explanation tells why."""
    final = Verdict.given(True, "NOT JUDGED space_unknown There is no such space.", code="space_unknown")
    content = room.write(
        room.sheet(HEADER, ["Why?", "HR"]), [Result(2, Question(text="", space=""), None, {"final": final})]
    )
    sheet = room.opened(content)["Set"]
    assert [sheet[f"{letter}2"].value for letter in "JKLMN"] == [None] * 5
    assert (sheet["Z2"].value, sheet["AA2"].value) == (True, final.reason)


def test_rows_that_were_not_run_keep_no_results_of_an_earlier_run(room: Any) -> None:
    """After a run of a few rows nobody takes old answers and flags of the others for new ones."""
    content = room.sheet(ALL, ["1", "One?", "HR", "", "", "", "", "", "", "old one"], ["2", "Two?", "HR"])
    reading = room.read(content)
    sheet = room.opened(room.write(content, room.answered(reading)[1:]))["Set"]
    assert (sheet["J2"].value, sheet["Z2"].value) == (None, None)
    assert sheet["J3"].value == "The new answer."


def test_a_rerun_leaves_nothing_of_the_old_results(room: Any) -> None:
    """All output cells of a row that ran are those of the new run."""
    old = ["1", "One?", "HR", *[None] * 6, *["old"] * len(OUTPUT)]
    content = room.sheet(ALL, old)
    result = Result(2, Question(text="", space=""), Answer(text="new"), {})
    sheet = room.opened(room.write(content, [result]))["Set"]
    values = [sheet[f"{column.letter}2"].value for column in OUTPUT]
    assert "old" not in values
    assert values[0] == "new"


def test_each_cells_format_is_kept(room: Any) -> None:
    """Fill and font of a cell survive its new text; new cells take the format of their row or column."""

    def paint(page: Any) -> None:
        page["J2"].fill = PatternFill("solid", fgColor="FFFFEE00")
        page["J2"].font = Font(italic=True)
        page.column_dimensions["K"].font = Font(bold=True)

    content = room.sheet(ALL, ["1", "One?", "HR"], edit=paint)
    sheet = room.opened(filled(room, content))["Set"]
    assert sheet["J2"].fill.fgColor.rgb == "FFFFEE00"
    assert sheet["J2"].font.italic
    assert sheet["K2"].font.bold


def test_coloured_words_are_not_taken_for_cells(room: Any) -> None:
    """Tags whose names begin like that of a cell, closed by end tags of their own, stand inside one."""
    content = room.sheet(ALL, ["1", "One?", "HR"])
    parts = room.parts(content)
    rich = b'<is><r><rPr><color rgb="FFFF0000"></color><charset val="0"></charset></rPr><t>One?</t></r></is>'
    name = "xl/worksheets/sheet1.xml"
    parts[name] = parts[name].replace(b"<is><t>One?</t></is>", rich)
    assert rich in parts[name]
    after = filled(room, room.packed(parts))
    assert rich in room.parts(after)[name]
    assert room.opened(after)["Set"]["J2"].value == "The new answer."


def test_results_out_of_order_or_of_unknown_rows_are_a_mistake(room: Any) -> None:
    """The caller is told at once instead of a workbook with gaps being delivered."""
    content = room.sheet(HEADER, ["One?", "HR"], ["Two?", "HR"])
    one, two = room.answered(room.read(content))
    with pytest.raises(ValueError, match="row 2 comes after that of row 3"):
        room.write(content, [two, one])
    with pytest.raises(ValueError, match="row 9"):
        room.write(content, [Result(9, one.question, None, {})])


def test_a_review_stays_only_with_its_answer(room: Any) -> None:
    """AB is cleared where the answer has changed, and Run says so; where it is the same or new, AB stays."""
    rows = [
        ["1", "One?", "HR", *[None] * 6, answer, *[None] * 17, "yes"] for answer in ("old", "The new answer.", None)
    ]
    content = room.sheet(ALL, *rows)
    after = filled(room, content)
    sheet = room.opened(after)["Set"]
    assert [sheet[f"AB{number}"].value for number in (2, 3, 4)] == [None, "yes", "yes"]
    assert notes(room, after)["Reviews cleared, their answer has changed"] == "AB2"


def test_the_sheet_run_is_added_and_replaced(room: Any) -> None:
    """A second run replaces the sheet of the first; its id is read back."""
    first = filled(room, room.sheet(HEADER, ["Why?", "HR"]))
    assert room.read(first).run_id == "run-1"
    second = room.write(first, room.answered(room.read(first)), Section("Run", (("Run id", "run-2"),)))
    assert room.read(second).run_id == "run-2"
    assert room.opened(second).sheetnames == ["Set", "Run"]
    assert [cell.value for cell in room.opened(first)["Run"][5]][:4] == ["Questions", 2, 0.5, True]


def test_a_persons_own_sheet_named_run_is_kept(room: Any) -> None:
    """Ours gets another name."""

    def add(page: Any) -> None:
        page.parent.create_sheet("Run")["A1"] = "my runs on foot"

    after = filled(room, room.sheet(HEADER, ["Why?", "HR"], edit=add))
    book = room.opened(after)
    assert book.sheetnames == ["Set", "Run", "Run (flagbook)"]
    assert book["Run"]["A1"].value == "my runs on foot"
    assert room.read(after).run_id == "run-1"


def filtered(page: Any) -> None:
    page.auto_filter.ref = "A1:AB3"
    page.auto_filter.add_filter_column(25, ["TRUE"])
    page.row_dimensions[3].hidden = True


def test_a_stored_filter_over_flags_is_cleared(room: Any) -> None:
    """It would hide rows that are flagged now: its condition goes, its rows are shown, and Run says so."""
    after = filled(room, room.sheet(ALL, ["1", "One?", "HR"], ["2", "Two?", "HR"], edit=filtered))
    sheet = room.opened(after)["Set"]
    assert sheet.auto_filter.ref == "A1:AB3"
    assert not sheet.auto_filter.filterColumn
    assert not sheet.row_dimensions[3].hidden
    assert notes(room, after)["Filters cleared, they could hide new flags"] == "A1:AB3"


def test_a_filter_over_a_persons_columns_stays(room: Any) -> None:
    """Only the questions of one assistant were shown, and so it is afterwards."""

    def by_assistant(page: Any) -> None:
        page.auto_filter.ref = "A1:AB3"
        page.auto_filter.add_filter_column(2, ["HR"])
        page.row_dimensions[3].hidden = True

    sheet = room.opened(filled(room, room.sheet(ALL, ["1", "One?", "HR"], ["2", "Two?", "IT"], edit=by_assistant)))[
        "Set"
    ]
    assert sheet.auto_filter.filterColumn[0].colId == 2
    assert sheet.row_dimensions[3].hidden


def test_the_flagged_download_shows_flagged_rows_only(room: Any) -> None:
    """The filter stands on final_flag = TRUE, other rows are hidden, and Excel's hidden name is there."""
    content = room.sheet(HEADER, ["One?", "HR"], ["Two?", "HR"], ["Three?", "HR"])
    book = room.opened(filled(room, content, flagged=True))
    sheet = book["Set"]
    [column] = sheet.auto_filter.filterColumn
    assert (sheet.auto_filter.ref, column.colId, column.filters.filter) == ("A1:AB4", 25, ["TRUE"])
    assert [bool(sheet.row_dimensions[number].hidden) for number in (2, 3, 4)] == [False, True, False]
    names = room.parts(filled(room, content, flagged=True))["xl/workbook.xml"].decode()
    assert "'Set'!$A$1:$AB$4" in names


def test_a_table_is_filtered_inside_itself(room: Any) -> None:
    """Excel forbids a sheet filter over a table: the condition goes into the table that holds final_flag."""

    def tabled(page: Any) -> None:
        page.add_table(Table(displayName="Bench", ref="A1:AB3"))

    content = room.sheet(ALL, ["1", "One?", "HR"], ["2", "Two?", "HR"], edit=tabled)
    after = filled(room, content, flagged=True)
    parts = room.parts(after)
    assert b'<filterColumn colId="25"><filters><filter val="TRUE"/>' in parts["xl/tables/table1.xml"]
    assert b"autoFilter" not in parts["xl/worksheets/sheet1.xml"]
    assert room.parts(filled(room, content))["xl/tables/table1.xml"] == room.parts(content)["xl/tables/table1.xml"]


def test_merged_cells_over_results_are_taken_apart(room: Any) -> None:
    """Each row gets its own answer; other merged cells stay, and Run says what was done."""

    def merge(page: Any) -> None:
        page.merge_cells("J2:J3")
        page.merge_cells("AD2:AE2")

    after = filled(room, room.sheet(ALL, ["1", "One?", "HR"], ["2", "Two?", "HR"], edit=merge))
    sheet = room.opened(after)["Set"]
    assert [str(area) for area in sheet.merged_cells.ranges] == ["AD2:AE2"]
    assert sheet["J3"].value == "The new answer."
    assert notes(room, after)["Merged cells taken apart"] == "J2:J3"


def chained(room: Any, formula_in: str) -> bytes:
    """Return a workbook with a formula and the calculation chain Excel keeps of it."""

    def put(page: Any) -> None:
        page[formula_in] = "=1+1"

    parts = room.parts(room.sheet(ALL, ["1", "One?", "HR"], edit=put))
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.calcChain+xml"
    link = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/calcChain"
    parts["xl/calcChain.xml"] = f'<calcChain xmlns="x"><c r="{formula_in}" i="1"/></calcChain>'.encode()
    types = parts["[Content_Types].xml"].decode()
    override = f'<Override PartName="/xl/calcChain.xml" ContentType="{kind}"/></Types>'
    parts["[Content_Types].xml"] = types.replace("</Types>", override).encode()
    relations = parts["xl/_rels/workbook.xml.rels"].decode()
    relation = f'<Relationship Id="rIdChain" Type="{link}" Target="calcChain.xml"/></Relationships>'
    parts["xl/_rels/workbook.xml.rels"] = relations.replace("</Relationships>", relation).encode()
    return bytes(room.packed(parts))


def test_the_calculation_chain_goes_only_with_a_formula_it_names(room: Any) -> None:
    """Excel calls a file damaged whose chain names a cell without a formula; otherwise the chain is kept."""
    overwritten = room.parts(filled(room, chained(room, "J2")))
    assert "xl/calcChain.xml" not in overwritten
    assert b"calcChain" not in overwritten["[Content_Types].xml"] + overwritten["xl/_rels/workbook.xml.rels"]
    assert notes(room, filled(room, chained(room, "J2")))["Formulas overwritten"] == "J2"
    assert "xl/calcChain.xml" in room.parts(filled(room, chained(room, "AD2")))


def test_a_workbook_without_styles_gets_some(room: Any) -> None:
    """Parts that are missing are added with what leads to them."""
    parts = room.parts(room.case("baseline_5q.xlsx"))
    del parts["xl/styles.xml"]
    for name in ("[Content_Types].xml", "xl/_rels/workbook.xml.rels"):
        text = parts[name].decode()
        start = text.index("<", text.rindex("<", 0, text.index("styles.xml")))
        parts[name] = (text[:start] + text[text.index("/>", start) + 2 :]).encode()
    for name in ("xl/worksheets/sheet1.xml",):
        parts[name] = parts[name].replace(b' s="1"', b"").replace(b' s="2"', b"")
    after = filled(room, room.packed(parts))
    assert room.opened(after)["Benchmark"]["J2"].alignment.wrap_text


def test_comments_and_cdata_between_rows_do_no_harm(room: Any) -> None:
    """A sheet written by a script is read and filled all the same."""
    content = room.case("missing_question_header.xlsx")
    content = room.changed(content, "xl/worksheets/sheet1.xml", "Prompt text", "<![CDATA[Question]]>")
    content = room.changed(content, "xl/worksheets/sheet1.xml", "<sheetData>", "<sheetData><!-- <row r='9'/> -->")
    after = filled(room, content)
    assert len(room.read(after).given) == len(room.read(content).rows) > 0


def test_a_prefixed_utf16_sheet_is_read_and_filled(room: Any) -> None:
    """Namespace prefixes and another encoding are as good as any."""
    parts = room.parts(room.case("baseline_5q.xlsx"))
    text = parts["xl/worksheets/sheet1.xml"].decode()
    import re

    prefixed = re.sub(r"<(/?)(?=[a-z])", r"<\1x:", text).replace("xmlns=", "xmlns:x=").replace("UTF-8", "UTF-16")
    parts["xl/worksheets/sheet1.xml"] = prefixed.encode("utf-16")
    content = room.packed(parts)
    after = filled(room, content)
    assert len(room.read(after).given) == 5
    assert room.opened(after)["Benchmark"]["J2"].value == "The new answer."


def test_debug_json_is_shortened_until_it_fits_and_stays_json(room: Any) -> None:
    """Column N holds whole JSON; long texts in it are cut, and what was said before stays readable."""
    messages = {"model": "m", "passages": [{"name": "a", "text": "word " * 9000}, {"name": "b", "text": "short"}]}
    result = Result(2, Question(text="", space=""), Answer(text="a", messages=messages), {})
    given = room.read(room.write(room.sheet(HEADER, ["Why?", "HR"]), [result])).given[2]
    assert given.messages["model"] == "m"
    assert given.passages[1] == Source(name="b", text="short")
    assert "cut:" in given.passages[0].text


def test_modules_and_followup_come_back(room: Any) -> None:
    """Names with commas stay whole, several are read one a line."""
    answers = [
        Answer(text="a", modules=("Search, web",), followup=True),
        Answer(text="b", modules=("One", "Two, three"), followup=None),
    ]
    content = room.sheet(HEADER, ["One?", "HR"], ["Two?", "HR"])
    results = [Result(number, Question(text="", space=""), one, {}) for number, one in enumerate(answers, start=2)]
    given = room.read(room.write(content, results)).given
    assert [one.modules for one in given.values()] == [("Search, web",), ("One", "Two, three")]
    assert [one.followup for one in given.values()] == [True, False]


def with_table(page: Any) -> None:
    """Make a table of all columns, with a row of totals below two questions."""
    table = Table(displayName="Set", ref="A1:AB4", totalsRowCount=1)
    table._initialise_columns()
    for column, header in zip(table.tableColumns, ALL, strict=True):
        column.name = header
    page.add_table(table)


def test_the_filtered_download_shows_the_totals_of_a_table(room: Any) -> None:
    """The row of totals is no question: it is neither hidden nor part of the filter."""
    rows = [[1, "Why?", "HR"], [2, "How?", "HR"], ["Total", None, None]]
    content = room.sheet(ALL, *rows, edit=with_table)
    book = room.opened(filled(room, content, flagged=True))
    sheet = book.worksheets[0]
    assert sheet.tables["Set"].autoFilter.ref == "A1:AB3"
    assert [sheet.row_dimensions[row].hidden for row in (2, 3, 4)] == [False, True, False]


def test_a_table_without_headers_is_not_filtered_over(room: Any) -> None:
    """Excel allows no filter of the sheet over a table: rows that are not flagged are hidden all the same."""

    def headless(page: Any) -> None:
        table = Table(displayName="Set", ref="A2:AB3", headerRowCount=0)
        table._initialise_columns()
        page.add_table(table)

    content = room.sheet(ALL, [1, "Why?", "HR"], [2, "How?", "HR"], edit=headless)
    parts = room.parts(filled(room, content, flagged=True))
    assert b"<autoFilter" not in parts["xl/worksheets/sheet1.xml"]
    assert re.findall(rb'<row r="(\d)"[^>]* hidden="1"', parts["xl/worksheets/sheet1.xml"]) == [b"3"]
