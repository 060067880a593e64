"""Between nouns and cells: what a result puts into J–AA, and which answer already stands there."""

import json
from collections.abc import Mapping
from typing import Any

from flags import Answer, Source, Verdict, format_sources, parse_sources
from service.workbook._records import GIVEN, CellValue
from service.workbook._shapes import Flagged, Result
from service.workbook._text import CELL_LIMIT, CUT_MARK, cell_text, units
from service.workbook.columns import OUTPUT, Column, yes_no

_SHORTEST = 64


def output_values(result: Result) -> tuple[CellValue | None, ...]:
    """Return a value for each output column, in the table's order; None leaves the cell empty."""
    return tuple(_value(column, result) for column in OUTPUT)


def flagged(texts: Mapping[str, str]) -> Flagged:
    """Return what a run wrote into a row, from the texts of its columns; an empty flag was not given."""
    values = {
        column.verdict[0]: yes_no(texts.get(column.header, "")) for column in OUTPUT if column.verdict[1] == "value"
    }
    given = {flag: value for flag, value in values.items() if value is not None}
    return Flagged(given, texts.get("explanation", ""), _number(texts.get("emb_text", "")))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _value(column: Column, result: Result) -> CellValue | None:
    flag, part = column.verdict
    if flag:
        verdict = result.verdicts.get(flag)
        return _of_verdict(verdict, part) if verdict is not None else None
    return _of_answer(column.header, result.answer) if result.answer is not None else None


def _of_verdict(verdict: Verdict, part: str) -> CellValue | None:
    if part == "reason":
        text = f"NOT JUDGED {verdict.code}: {verdict.reason}" if verdict.status == "failed" else verdict.reason
        return cell_text(text) if text and verdict.status != "skipped" else None
    if verdict.status != "given":
        return None
    return verdict.value if part == "value" else _finite(verdict.score)


def _finite(score: float | None) -> float | None:
    return None if score is None or score - score != 0 else float(score)


def _of_answer(header: str, answer: Answer) -> CellValue | None:
    if header == "Followup":
        return bool(answer.followup)
    text = {
        "answer": lambda: answer.text,
        "Sources": lambda: format_sources(answer.sources),
        "Modules": lambda: format_names(answer.modules),
        "ChatMessages": lambda: _json(answer.messages),
    }[header]()
    return cell_text(text) if text else None


def format_names(names: tuple[str, ...]) -> str:
    """Return names as one cell, one a line; a single name with a comma ends in `;` so that it stays one name."""
    return f"{names[0]};" if len(names) == 1 and "," in names[0] else "\n".join(names)


def parse_names(text: str) -> tuple[str, ...]:
    """Return the names in one cell: one a line, or divided by `;`, else by commas."""
    divider = ";" if "\n" in text or ";" in text else ","
    names = text.replace("\n", divider).split(divider)
    return tuple(name.strip() for name in names if name.strip())


def _json(messages: Mapping[str, Any]) -> str:
    """Return the messages as JSON that fits into a cell: long texts in it are shortened until it does."""
    if not messages:
        return ""
    text = json.dumps(messages, ensure_ascii=False, default=str)
    length = 8_192
    while units(text) > CELL_LIMIT and length >= _SHORTEST:
        text = json.dumps(_shortened(messages, length), ensure_ascii=False, default=str)
        length //= 2
    return text


def _shortened(value: Any, length: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= length else f"{value[:length]} {CUT_MARK} {len(value):,} characters]"
    if isinstance(value, Mapping):
        return {key: _shortened(item, length) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_shortened(item, length) for item in value]
    return value


def given_answer(texts: tuple[str, ...]) -> Answer:
    """Return the answer that stands in J–N, from the texts of its cells."""
    cells = dict(zip(GIVEN, texts, strict=True))
    messages = _messages(cells["ChatMessages"])
    return Answer(
        text=cells["answer"],
        sources=parse_sources(cells["Sources"]),
        passages=_passages(messages.get("passages")),
        modules=parse_names(cells["Modules"]),
        followup=yes_no(cells["Followup"]),
        messages=messages,
    )


def _messages(text: str) -> dict[str, Any]:
    if not text.strip():
        return {}
    try:
        messages = json.loads(text)
    except (ValueError, RecursionError):
        return {"text": text}
    return messages if isinstance(messages, dict) else {"text": text}


def _passages(listed: Any) -> tuple[Source, ...]:
    if not isinstance(listed, list):
        return ()
    fields = ("name", "pages", "identity", "text")
    found = (item for item in listed if isinstance(item, dict))
    return tuple(Source(**{"name": "", **{key: str(item[key]) for key in fields if key in item}}) for item in found)
