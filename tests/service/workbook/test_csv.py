"""CSV from other tools comes in, comes back as a workbook on the template, and goes out safely."""

import csv
import io
from typing import Any

import pytest

from flags import Answer, Question, Verdict
from service.errors import WorkbookRefused
from service.workbook import Result, read, template, write, write_csv
from service.workbook._csv import csv_to_xlsx
from service.workbook._limits import Limits
from service.workbook._package import Package
from service.workbook.columns import COLUMNS

ROWS = [["Frage", "Assistent", "Notiz"], ["Was; ist,\n„das“?\tGenau", "Büro", "=1+1"], ["Noch eine?", "Büro", ""]]


def as_csv(delimiter: str) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(ROWS)
    return out.getvalue()


def converted(content: bytes) -> bytes:
    out = io.BytesIO()
    csv_to_xlsx(content, Package(template(), Limits()), out)
    return out.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_csv_is_read_whatever_tool_wrote_it(room: Any, delimiter: str, encoding: str) -> None:
    """Delimiter and encoding are found out; cells with line breaks stay one cell; own columns follow after AB."""
    content = converted(as_csv(delimiter).encode(encoding))
    reading = room.read(content)
    assert [(row.number, row.question.text, row.question.space) for row in reading.rows] == [
        (2, ROWS[1][0], "Büro"),
        (3, "Noch eine?", "Büro"),
    ]
    sheet = room.opened(content)["Benchmark"]
    assert (sheet["AC1"].value, sheet["AC2"].value, sheet["AC2"].data_type) == ("Notiz", "=1+1", "s")
    assert sheet.freeze_panes == "C2"


def test_a_stated_delimiter_and_rows_above_the_header_are_understood(room: Any) -> None:
    """Excel's `sep=` line is honoured, and questions keep the row they have in the file."""
    reading = room.read(converted(b"sep=;\nSpring round\nQuestion;Assistant\nWhy, so?;HR\n"))
    assert [(row.number, row.question.text) for row in reading.rows] == [(3, "Why, so?")]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b'Question,Assistant\n"open,HR\n', "csv_broken"),
        (b"Question,Assistant\n\x81\xe4,HR\n", "csv_undecodable"),
        (b"Question,Assistant\n" + b"x" * 32_768 + b",HR\n", "csv_broken"),
        (b"a,b\n1,2\n", "workbook_header_missing"),
        (b"Question,Assistant\n", "workbook_no_questions"),
    ],
)
def test_csv_that_cannot_run_is_named(room: Any, content: bytes, code: str) -> None:
    """Each cause has its own code."""
    with pytest.raises(WorkbookRefused) as refused:
        room.read(converted(content))
    assert refused.value.code == code


def test_csv_comes_back_as_a_workbook_on_the_template(room: Any) -> None:
    """Uploaded as CSV, delivered as xlsx with the results in it."""
    content = as_csv(";").encode()
    reading = read(content, filename="set.csv")
    after = write(content, room.answered(reading), [])
    assert [answer.text for answer in read(after).given.values()] == ["The new answer."] * 2
    assert room.opened(after).sheetnames[0] == "Benchmark"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", " =1"])
def test_an_export_neutralises_what_would_be_a_formula(text: str) -> None:
    """A spreadsheet that opens the CSV shows the text and computes nothing."""
    result = Result(2, Question(text=text, space="HR", correct=True), Answer(text=text), {"final": Verdict.given(True)})
    exported = write_csv([result])
    assert exported.startswith(b"\xef\xbb\xbf")
    header, row = csv.reader(io.StringIO(exported.decode("utf-8-sig"), newline=""))
    cells = dict(zip(header, row, strict=True))
    assert header == [column.header for column in COLUMNS]
    assert cells["Question"][0] == cells["answer"][0] == "'"
    assert (cells["final_flag"], cells["correct_benchmark"], cells["emb_text"]) == ("TRUE", "yes", "")


HEADERS = "Question;Assistant;Note\r\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16", "utf-8", "utf-8-sig", "cp1252"])
def test_texts_are_read_in_any_usual_encoding(encoding: str) -> None:
    """UTF-16 also without its byte order mark, as scripts write it."""
    content = f"{HEADERS}Was heißt „Größe“?;Büro;–\r\n".encode(encoding)
    [row] = read(content, filename="set.csv").rows
    assert (row.question.text, row.question.space) == ("Was heißt „Größe“?", "Büro")


def test_what_stands_above_the_header_is_noted(room: Any) -> None:
    """The template has no place for it; a note of the report quotes it, and rows keep their numbers."""
    reading = read(f"Benchmark 2026;;\r\nOwner: Kim;;\r\n\r\n{HEADERS}Why?;HR;\r\n".encode(), filename="set.csv")
    assert [row.number for row in reading.rows] == [5]
    [note] = [note for note in reading.notes if note.code == "csv_rows_above"]
    assert "Benchmark 2026; Owner: Kim" in note.message
    assert (note.row, note.cell) == (0, "")


def test_a_column_without_a_header_is_kept(room: Any) -> None:
    """It stands with the person's own columns."""
    sheet = room.opened(converted(b"Question;;Assistant;\r\nWhy?;mine;HR;too\r\nHow?;;HR\r\n")).worksheets[0]
    assert [sheet[f"{letters}2"].value for letters in ("B", "C", "AC", "AD")] == ["Why?", "HR", "mine", "too"]


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"Question;Assistant;Question\r\nWhy?;HR;How?", "workbook_header_ambiguous", "Question: A1, C1"),
        (b"Frage;Assistant;Fragen\r\nWhy?;HR;How?", "workbook_header_ambiguous", "Question: A1, C1"),
        (b"Question,Assistant" + b",x" * 20_000 + b"\r\nWhy?,HR", "workbook_too_large", "columns exceeds 16,356"),
        (b"Question;Assistant\r\n" + b"x" * 40_000 + b";HR", "csv_broken", "row 2 has 40,000 characters"),
        (b'Question;Assistant\r\n"Why?;HR', "csv_broken", "line 2"),
        (b'id,Question,Assistant\n1,"Why?,HR\n', "csv_broken", "line 2"),
        (b"id,Question,Assistant\n1,Wh\x00y?,HR\n", "workbook_unrecognised", "not an Excel workbook"),
        (b"Question;Assistant\r\nWh\x81y?;HR", "csv_undecodable", "cp1252"),
        (b"Nothing;here\r\n1;2", "workbook_header_missing", "No column is headed Question"),
    ],
)
def test_a_csv_file_that_cannot_run_gets_one_sentence(content: bytes, code: str, said: str) -> None:
    """It names the column, the line or the limit."""
    with pytest.raises(WorkbookRefused) as refused:
        read(content, filename="set.csv")
    assert refused.value.code == code
    assert said in refused.value.message


def test_a_large_file_takes_little_memory() -> None:
    """A process that may have 100 MB reads 12 MB of records, some with characters that take four bytes each."""
    record = '%d,"Why, so? 🚀",HR,"' + "the same words again " * 60 + '"\n'
    content = "id,Question,Assistant,answer_benchmark\n" + "".join(record % number for number in range(10_000))
    assert len(read(content.encode(), limits=Limits(memory_mb=100)).rows) == 10_000


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"\xef\xbb\xbfQuestion,Assistant\n" + b"x" * (1 << 20) + b"\xff", 1_048_598),
        (b"\xef\xbb\xbfx\xff", 4),
        (b"\xef\xbb\xbf" + b"x" * ((1 << 20) - 4) + b"\xc3(", 1_048_575),
        (b"a" * (1 << 20) + b"\x81", 1 << 20),
    ],
)
def test_what_cannot_be_decoded_is_named_by_its_place(content: bytes, place: int) -> None:
    """The byte is counted from the beginning of the file, however it is divided for reading."""
    with pytest.raises(WorkbookRefused, match=f"at byte {place}"):
        read(content)


def test_a_stated_tab_divides(room: Any) -> None:
    """Excel's `sep=` line with a tab after it, in UTF-16 as Excel saves it."""
    reading = room.read(converted("sep=\t\r\nQuestion\tAssistant\r\nWhy, so;?\tHR\r\n".encode("utf-16")))
    assert [(row.number, row.question.text) for row in reading.rows] == [(2, "Why, so;?")]
