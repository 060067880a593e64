"""Answers as every database and workbook can hold them."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from flags import Answer, Source, Verdict
from service.runs._text import storable, storable_verdicts


@given(st.text(alphabet=st.characters(codec=None)))
def test_any_text_can_be_stored(text: str) -> None:
    """What remains can be encoded and holds no control character but tab and line feed."""
    stored = storable(Answer(text=text, sources=(Source(name=text, text=text),), modules=(text,))).text
    stored.encode()
    assert not any(ord(letter) < 32 and letter not in "\t\n" for letter in stored)


def test_ordinary_text_is_left_alone() -> None:
    """Umlauts, emoji, tabs and line feeds stay."""
    answer = Answer(text="Grüße 🙂\n\tzwei", messages={"model": "m", "tokens": 3, "cost": 0.5, "ok": True, "no": None})
    assert storable(answer) == answer


def test_messages_become_plain_json() -> None:
    """What an assistant puts there may hold anything."""
    odd = {1: (date(2026, 1, 2), float("nan"), {"x"}), "bad\x00key": "bad\x00text"}
    assert storable(Answer(text="", messages=odd)).messages == {  # type: ignore[arg-type]
        "1": ["2026-01-02", "nan", ["x"]],
        "badkey": "badtext",
    }


def test_reasons_can_be_stored() -> None:
    """A judge may say anything; everything else of a verdict stays."""
    said = {"final": Verdict.given(True, "bad\x00 \ud800", score=0.5, code="c")}
    assert storable_verdicts(said) == {"final": Verdict.given(True, "bad \ufffd", score=0.5, code="c")}
