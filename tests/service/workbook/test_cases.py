"""Every handed workbook ends as its manifest says, and comes back with everything that was in it."""

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from service.errors import WorkbookRefused

CASES = Path(__file__).parent / "cases"
MANIFEST = {row["file"]: row for row in csv.DictReader((CASES / "manifest.csv").open(encoding="utf-8"))}
REFUSED = {
    "missing_question_header.xlsx": ("workbook_header_missing", "Prompt text in B1"),
    "header_only.xlsx": ("workbook_no_questions", "No questions were found below the header"),
    "sheet_completely_empty.xlsx": ("workbook_sheet_empty", "is empty"),
    "csv_renamed_to.xlsx": ("workbook_text", "CSV or text file"),
    "old_xls_renamed_to.xlsx": ("workbook_old_xls", "old .xls format"),
    "html_table_renamed_to.xlsx": ("workbook_html", "HTML"),
    "docx_renamed_to.xlsx": ("workbook_other_document", "Word document"),
    "zero_bytes.xlsx": ("workbook_empty_file", "file is empty"),
    "truncated_half.xlsx": ("workbook_damaged", "damaged or incomplete"),
    "malformed_sheet_xml.xlsx": ("workbook_damaged", "damaged"),
    "macro_workbook.xlsm": ("workbook_macros", "macros"),
    "password_to_open.xlsx": ("workbook_encrypted", "password"),
    "zip_bomb_300MB_of_spaces.xlsx": ("workbook_too_large", "unpacked"),
    "billion_laughs_sheet.xlsx": ("workbook_forbidden_xml", "DTD"),
    "question_formula_without_cached_value.xlsx": ("workbook_formulas_unsaved", "B2..B4 hold formulas"),
}
RUNS = sorted(set(MANIFEST) - set(REFUSED))
PLACES = {
    "title_rows_above_header.xlsx": ("Benchmark", 3),
    "merged_banner_above_header.xlsx": ("Benchmark", 2),
    "like_numbers_export_table_title.xlsx": ("Sheet 1 - Table 1", 2),
    "hidden_first_sheet.xlsx": ("Set A", 1),
}
FINDINGS = {
    "correct_benchmark_1_0_other_blank.xlsx": [("D4", "cell_yes_no_unknown"), ("D5", "cell_yes_no_empty")],
    "question_is_number_or_date.xlsx": [("B2", "cell_not_text"), ("B3", "cell_not_text")],
    "error_cells_REF_NA.xlsx": [("E2", "cell_error_ignored"), ("B3", "cell_error_value")],
}
MAY_CHANGE = re.compile(r"\[Content_Types\]\.xml|xl/workbook\.xml|xl/_rels/workbook\.xml\.rels|xl/styles\.xml")


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_file_that_cannot_run_gets_one_clear_sentence(room: Any, name: str) -> None:
    """The refusal has its own code and names the cause; the manifest expects an error here."""
    code, words = REFUSED[name]
    with pytest.raises(WorkbookRefused) as refused:
        room.read(room.case(name), name)
    assert refused.value.code == code
    assert words in refused.value.message
    assert "clear error" in MANIFEST[name]["expect"]


@pytest.mark.parametrize("name", RUNS)
def test_a_file_that_can_run_is_read_as_a_person_would(room: Any, name: str) -> None:
    """As many questions as the manifest counts, from the sheet and header row it names, with notes by cell."""
    reading = room.read(room.case(name), name)
    assert len(reading.rows) == int(MANIFEST[name]["n_questions"])
    assert (reading.sheet, reading.header_row) == PLACES.get(name, ("Benchmark", 1))
    assert [(one.cell, one.code) for one in (*reading.notes, *reading.errors)] == FINDINGS.get(name, [])
    assert not any("_x0007_" in row.question.text or row.question.text == "#N/A" for row in reading.rows)


@pytest.mark.parametrize("name", RUNS)
def test_a_file_comes_back_with_all_that_was_in_it(room: Any, name: str) -> None:
    """Untouched parts are the same bytes; in the sheet only the cells of a run, and what must follow them, differ."""
    before = room.case(name)
    reading = room.read(before, name)
    after = room.write(before, room.answered(reading))
    old, new = room.parts(before), room.parts(after)
    sheet = _part_of(old, reading.sheet)
    changed = {part for part in old if old[part] != new.get(part)}
    assert {part for part in changed if not MAY_CHANGE.fullmatch(part)} == {sheet}
    assert len(new) == len(old) + 1
    assert _kept(old[sheet], reading) == _kept(new[sheet], reading)
    assert _around(old[sheet]) == _around(new[sheet])


@pytest.mark.parametrize("name", RUNS)
def test_what_was_written_reads_back(room: Any, name: str) -> None:
    """Answers stand in the file, questions are unchanged, and nothing of an old run is left."""
    before = room.case(name)
    reading = room.read(before, name)
    again = room.read(room.write(before, room.answered(reading, "=1+1 is text")))
    assert again.rows == reading.rows
    assert [answer.text for answer in again.given.values()] == ["=1+1 is text"] * len(reading.rows)
    assert not again.missing or not {"answer", "final_flag"} & set(again.missing)


def test_merged_assistants_count_for_all_their_rows(room: Any) -> None:
    """A merged cell names the assistant of each row it covers."""
    rows = room.read(room.case("merged_assistant_C2_C4.xlsx")).rows
    assert [row.question.space for row in rows[:3]] == ["Library"] * 3


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("question_is_number_or_date.xlsx", ["42", "2024-01-01"]),
        ("questions_start_with_formula_signs.xlsx", None),
        ("columns_reordered_assistant_first.xlsx", None),
    ],
)
def test_questions_are_what_a_person_sees(room: Any, name: str, expected: list[str] | None) -> None:
    """Numbers and dates as displayed, signs as written, and never the assistant's name."""
    texts = [row.question.text for row in room.read(room.case(name)).rows]
    assert texts[: len(expected or [])] == (expected or [])
    assert not {"Library", "Facilities", "Workshop"} & set(texts)


def test_ids_and_long_references_are_kept_as_written(room: Any) -> None:
    """Leading zeros stay, and a reference as long as a cell can hold is read whole."""
    assert room.read(room.case("ids_as_text_leading_zeros.xlsx")).rows[0].question.id == "001"
    content = room.case("answer_benchmark_exactly_32767.xlsx")
    sheet = etree.fromstring(room.parts(content)["xl/worksheets/sheet1.xml"])
    [stored] = ["".join(cell.itertext()) for cell in sheet.iter("{*}c") if cell.get("r") == "E2"]
    assert len(stored) > 32_000
    assert room.read(content).rows[0].question.reference == stored


def test_yes_and_no_may_be_booleans(room: Any) -> None:
    """Real booleans in correct_benchmark are yes and no."""
    rows = room.read(room.case("correct_benchmark_real_booleans.xlsx")).rows
    assert {row.question.correct for row in rows} == {True, False}


def test_a_cached_value_stands_for_its_formula(room: Any) -> None:
    """The text a link to another workbook gave last is the reference."""
    assert room.read(room.case("external_link_with_cached_value.xlsx")).rows[0].question.reference


def _part_of(parts: dict[str, bytes], sheet: str) -> str:
    book = etree.fromstring(parts["xl/workbook.xml"])
    [relation] = [
        next(value for key, value in element.attrib.items() if key.endswith("}id"))
        for element in book.iter("{*}sheet")
        if element.get("name") == sheet
    ]
    relations = etree.fromstring(parts["xl/_rels/workbook.xml.rels"])
    [target] = [element.get("Target") for element in relations if element.get("Id") == relation]
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def _kept(xml: bytes, reading: Any) -> dict[tuple[str, str], bytes]:
    """Return every cell that no run writes, with all its XML, and the attributes of its row."""
    kept: dict[tuple[str, str], bytes] = {}
    written = {"answer", "Sources", "Modules", "Followup", "ChatMessages", "explanation", "emb_text"}
    output = {
        letter for header, letter in reading.columns.items() if header in written or header.endswith(("_flag", "_text"))
    }
    rows = {row.number for row in reading.rows}
    for place, row in enumerate(etree.fromstring(xml).iter("{*}row"), start=1):
        number = int(row.get("r", place))
        attributes = {key: value for key, value in row.attrib.items() if key != "spans"}
        kept[str(number), "row"] = repr(sorted(attributes.items())).encode()
        for column, cell in enumerate(row, start=1):
            letter = re.sub(r"\d", "", cell.get("r", chr(64 + column) if column < 27 else "AA"))
            if not (number in rows and letter in output):
                kept[str(number), letter] = etree.tostring(cell, with_tail=False)
    headers = {key for key in kept if key[0] == str(reading.header_row) and key[1] not in reading.columns.values()}
    added = {key for key in headers if b"human_review" in kept[key]}
    return {key: cell for key, cell in kept.items() if key not in added}


def _around(xml: bytes) -> list[bytes]:
    """Return what stands in the sheet beside its rows, the stated dimension and widths of added columns aside."""
    ignored = ("sheetData", "dimension", "cols")
    return [
        etree.tostring(element, with_tail=False)
        for element in etree.fromstring(xml)
        if etree.QName(element).localname not in ignored
    ]
