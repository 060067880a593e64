"""Any text a model can return comes back from the file as documented."""

import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flags import Answer, Question, Verdict
from service.workbook import Result, answer_hash
from service.workbook._text import CELL_LIMIT, cell_text, units

TEXTS = [
    ("=1+1", "=1+1"),
    ("@SUM(A1)", "@SUM(A1)"),
    ("a\r\nb\rc\nd\te", "a\nb\nc\nd\te"),
    ("bell\x07 and null\x00", "bell and null"),
    ("lone \ud800 surrogate", "lone \ufffd surrogate"),
    ("pair \ud83d\ude00", "pair 😀"),
    ("not a character \ufffe\uffff", "not a character \ufffd\ufffd"),
    ("_x0041_ and _x000D_ and _x005F_", "_x0041_ and _x000D_ and _x005F_"),
    ("<b>&amp;</b> ]]>", "<b>&amp;</b> ]]>"),
    ("  spaces at both ends  ", "  spaces at both ends  "),
    ("שלום עולם — مرحبا", "שלום עולם — مرحبا"),
    ("👩‍👩‍👧‍👦 " * 10, "👩‍👩‍👧‍👦 " * 10),
    ("TRUE", "TRUE"),
    ("00123", "00123"),
]
ANYTHING = st.text(st.characters(exclude_categories=()), max_size=60)


def one_row(room: Any) -> bytes:
    content: bytes = room.sheet(["Question", "Assistant"], ["What?", "HR"])
    return content


def answered(text: str) -> list[Result]:
    final = Verdict.given(True, text)
    return [Result(2, Question(text="What?", space="HR"), Answer(text=text), {"final": final})]


@pytest.mark.parametrize(("said", "stored"), TEXTS)
def test_an_answer_comes_back_as_documented(room: Any, said: str, stored: str) -> None:
    """What the reader finds, what openpyxl finds and what `cell_text` promises are the same text."""
    content = room.write(one_row(room), answered(said))
    assert cell_text(said) == stored
    assert room.read(content).given[2].text == stored
    sheet = room.opened(content)["Set"]
    assert sheet["J2"].data_type in ("s", "inlineStr")
    if "_x" not in stored:  # openpyxl does not resolve escapes of inline strings
        assert sheet["J2"].value == stored


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ANYTHING)
def test_any_text_survives_the_file(room: Any, said: str) -> None:
    """Whatever is said, the file reads back what `cell_text` says a cell will hold."""
    given_back = room.read(room.write(one_row(room), answered(said))).given
    stored = cell_text(said)
    assert [answer.text for answer in given_back.values()] == ([stored] if stored.strip() else [])


@settings(max_examples=300)
@given(ANYTHING)
def test_cleaning_a_text_twice_changes_nothing(said: str) -> None:
    """A text that came out of a file is stored as it is, so that a review finds its answer again."""
    assert cell_text(cell_text(said)) == cell_text(said)
    assert answer_hash(cell_text(said)) == answer_hash(said)


@pytest.mark.parametrize("text", ["word " * 8_000, "😀" * 20_000, "x" * 32_768])
def test_a_text_longer_than_a_cell_is_cut_with_a_note(room: Any, text: str) -> None:
    """It ends in a note that names both lengths, and the sheet Run names the cell."""
    content = room.write(one_row(room), answered(text))
    stored = room.read(content).given[2].text
    assert CELL_LIMIT - 1 <= units(stored) <= CELL_LIMIT  # an emoji is never cut in half
    assert f"cut: {units(text):,} characters" in stored[-200:]
    run = [[cell.value for cell in row] for row in room.opened(content)["Run"].iter_rows()]
    assert ["Texts cut at 32,767 characters", 2, "J2, AA2"] in [row[:3] for row in run]


def test_a_text_as_long_as_a_cell_is_not_cut(room: Any) -> None:
    """32,767 characters fit."""
    text = "x" * CELL_LIMIT
    assert room.read(room.write(one_row(room), answered(text))).given[2].text == text


PIECES = (
    *(
        "=",
        "+",
        "-",
        "@",
        "\t",
        "\n",
        "\r\n",
        "\r",
        " ",
        "'",
        '"',
        "&",
        "<",
        ">",
        "]]>",
        "&#0;",
        "_x0041_",
        "_x",
        "_x000D_",
    ),
    *(
        "\x00",
        "\x07",
        "\x1b",
        "\x7f",
        "\x85",
        "\ufeff",
        "\ufffe",
        "\uffff",
        "\ud800",
        "\udfff",
        "\u2028",
        "\u202e",
        "\u200d",
    ),
    *("word", "É", "ß", "中", "שלום", "مرحبا", "😀", "👩‍👩‍👧", "1", "0.5", "TRUE", "#REF!", "[… cut:"),
)


def any_texts(count: int) -> list[str]:
    """Return texts of all that a model can return, the last two longer than a cell; the same ones every time."""
    chance = random.Random(5)
    texts = ["".join(chance.choices(PIECES, k=chance.randint(1, 30))) for _ in range(count - 2)]
    return [*(f"{text}." for text in texts), "y" * 40_000, "😀" * 20_000]


@pytest.mark.slow
def test_libreoffice_opens_every_text(room: Any, tmp_path: Path) -> None:
    """A workbook of all these texts and of 400 mixtures converts, and LibreOffice shows the same texts as text."""
    said = [*(text for text, _ in TEXTS), *any_texts(400)]
    rows = [["Question", "Assistant"], *([f"Question {number}", "HR"] for number in range(len(said)))]
    results = [
        Result(number, Question(text="", space=""), Answer(text=text), {}) for number, text in enumerate(said, start=2)
    ]
    (tmp_path / "texts.xlsx").write_bytes(room.write(room.sheet(*rows), results))
    command = [
        "soffice",
        f"-env:UserInstallation=file://{tmp_path}/profile",
        "--headless",
        "--convert-to",
        "xlsx:Calc MS Excel 2007 XML",
    ]
    subprocess.run([*command, "--outdir", tmp_path / "out", tmp_path / "texts.xlsx"], check=True, timeout=120)
    sheet = room.opened((tmp_path / "out" / "texts.xlsx").read_bytes())["Set"]
    shown = room.read((tmp_path / "out" / "texts.xlsx").read_bytes()).given
    kept = {number: cell_text(text) for number, text in enumerate(said, start=2)}
    assert [text for number, text in kept.items() if len(text) < 16_000 and shown[number].text != text] == []
    for number in list(kept)[-2:]:  # it breaks lines of 16,000 units in two, in texts of several lines
        assert shown[number].text.replace("\n", "")[:8_000] == kept[number].replace("\n", "")[:8_000]
    assert {sheet.cell(number, 10).data_type for number in range(2, len(said) + 2)} == {"s"}
