"""From the texts of the sheet `NIAH` to cells of an experiment, and back."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, get_args

from flags import Question
from flags.niah import Category as CategoryName
from flags.niah import NiahError, Outcome, Spec, check
from service.errors import CellAssistantEmpty, NiahCellRefused
from service.workbook._records import CellRecord, CellValue, Finding, Summary, finding
from service.workbook._shapes import Experiment, Measured, Reading, Row
from service.workbook._text import cell_text
from service.workbook.niah_columns import NIAH_COLUMNS

_PLACES: Final = {column.header: place for place, column in enumerate(NIAH_COLUMNS)}
_CATEGORIES: Final = frozenset(get_args(CategoryName))
SEPARATOR: Final = "; "
"""Stands between true depths in their cell."""


class _Problem(Exception):
    """What is wrong in the column of that header."""

    def __init__(self, header: str, problem: str) -> None:
        self.header = header
        super().__init__(problem)


def make_experiment(records: Iterable[CellRecord], summary: Summary) -> Reading:
    """Return the reading of an experiment; a row whose cell cannot be made stands in `errors`."""
    rows: list[Row] = []
    errors: list[Finding] = []
    cells: dict[int, Spec] = {}
    measured: dict[int, Measured] = {}
    for number, texts in records:
        said = {header: texts[place].strip() for header, place in _PLACES.items()}
        try:
            cells[number] = _spec(said)
        except _Problem as problem:
            cell = f"{summary.columns.get(problem.header, '')}{number}"
            refused = NiahCellRefused(cell=cell, problem=str(problem))
            empty = CellAssistantEmpty(cell=cell)
            errors.append(finding(number, cell, empty if problem.header == "Assistant" else refused))
            continue
        rows.append(Row(number, Question(text="", space=said["Assistant"], id=said["id"])))
        if said["category"]:
            measured[number] = _measured(said)
    config, told = summary.niah or ({}, {})
    return Reading(
        sheet=summary.sheet,
        header_row=summary.header_row,
        columns=summary.columns,
        missing=summary.missing,
        rows=tuple(rows),
        notes=tuple(Finding(*note) for note in summary.notes),
        errors=tuple(errors),
        run_id=summary.run_id,
        niah=Experiment(config=_config(config), cells=cells, measured=measured, told=told),
    )


def _spec(said: Mapping[str, str]) -> Spec:
    if not said["Assistant"]:
        raise _Problem("Assistant", "")
    spec = Spec(
        task="_".join(said["task"].lower().replace("-", " ").split()),
        context_length=_whole(said, "context_length") or 0,
        depth=_depth(said),
        num_needles=_whole(said, "num_needles"),
        distribution=said["distribution"].lower(),  # type: ignore[arg-type]
        haystack=said["haystack"] or "synthetic",
        seed=_whole(said, "seed") or 0,
        trial=_trial(said),
        parameters=_parameters(said["parameters"]),
    )
    try:
        check(spec)
    except NiahError as error:
        raise _Problem(_blamed(spec, str(error)), str(error)) from error
    return spec


def _blamed(spec: Spec, says: str) -> str:
    """Return the header of the column an error is about."""
    begins = {
        "The context_length must": "context_length",
        f"The task {spec.task} takes": "num_needles",
        "There is no distribution": "distribution",
        "There is no task": "task",
    }
    return next((header for words, header in begins.items() if says.startswith(words)), "parameters")


def _number(said: Mapping[str, str], header: str) -> float | None:
    text = said[header].replace("\u00a0", "").replace("'", "").replace("’", "").removesuffix("%").strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise _Problem(header, f"“{said[header][:60]}” is not a number.")
    return value


def _whole(said: Mapping[str, str], header: str) -> int | None:
    value = _number(said, header)
    if value is None:
        return None
    if value != int(value):
        raise _Problem(header, f"“{said[header][:60]}” is not a whole number.")
    return int(value)


def _depth(said: Mapping[str, str]) -> float:
    value = _number(said, "depth_percent")
    if value is not None and not 0 <= value <= 100:
        raise _Problem("depth_percent", f"The depth must lie between 0 and 100 (percent), not {value:g}.")
    return 0.5 if value is None else round(value / 100, 6)


def _trial(said: Mapping[str, str]) -> int:
    value = _whole(said, "trial")
    if value is not None and value < 1:
        raise _Problem("trial", f"Trials are counted from 1, not {value}.")
    return (value or 1) - 1


def _parameters(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise _Problem("parameters", f'“{text[:60]}” is not a JSON object such as {{"reasoning": "max"}}.')
    return found


def _config(pairs: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of the sheet `Experiment`: JSON where it is JSON, else the text."""
    return {name: _plain(value) for name, value in pairs.items() if name and value and name.isidentifier()}


def _plain(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {"TRUE": True, "FALSE": False}.get(text, text)


def _measured(said: Mapping[str, str]) -> Measured:
    return Measured(
        question=said["question"],
        expected=tuple(line for line in said["expected"].split("\n") if line),
        answer=said["answer"],
        score=_figure(said["score"]),
        category=said["category"] if said["category"] in _CATEGORIES else "failed",  # type: ignore[arg-type]
        scorer=said["scorer"],
        explanation=said["explanation"],
        depths=tuple(
            round(value / 100, 6)
            for part in said["true_depths"].split(SEPARATOR)
            if (value := _figure(part)) is not None
        ),
        prompt_tokens=_count(said["prompt_tokens"]),
        completion_tokens=_count(said["completion_tokens"]),
        seconds=_figure(said["latency_seconds"]),
        error=said["error"],
    )


def _figure(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _count(text: str) -> int | None:
    value = _figure(text)
    return None if value is None else int(value)


def measured_values(measured: Measured) -> tuple[CellValue | None, ...]:
    """Return a value for each column a run fills, in the table's order; None leaves the cell empty."""
    return (
        _cell(measured.question),
        _cell("\n".join(measured.expected)),
        _cell(measured.answer),
        measured.score,
        _cell(measured.category),
        _cell(measured.scorer),
        _cell(measured.explanation),
        _cell(SEPARATOR.join(f"{100 * depth:.2f}" for depth in measured.depths)),
        measured.prompt_tokens,
        measured.completion_tokens,
        measured.seconds,
        _cell(measured.error),
    )


def _cell(text: str) -> str | None:
    return cell_text(text) if text else None


def spec_values(spec: Spec) -> tuple[CellValue | None, ...]:
    """Return columns C–K of a cell."""
    return (
        spec.task,
        spec.context_length,
        round(100 * spec.depth, 6),
        spec.num_needles,
        spec.distribution or None,
        spec.haystack,
        spec.seed,
        spec.trial + 1,
        json.dumps(dict(spec.parameters), ensure_ascii=False, sort_keys=True) if spec.parameters else None,
    )


def named_cells(reading: Reading) -> Iterator[Mapping[str, CellValue | None]]:
    """Yield each row of the sheet by the headers of its columns; those of a run are missing where it has no result."""
    assert reading.niah is not None, "the workbook is no experiment"
    for row in reading.rows:
        measured = reading.niah.measured.get(row.number)
        values = (row.question.id, row.question.space, *spec_values(reading.niah.cells[row.number]))
        values += measured_values(measured) if measured else ()
        yield dict(zip(_PLACES, values, strict=False))


def outcomes(reading: Reading) -> Iterator[Outcome]:
    """Yield what became of each cell of a result, for `flags.niah.aggregate`; cells without a result are left out."""
    assert reading.niah is not None, "the workbook is no experiment"
    for row in reading.rows:
        measured = reading.niah.measured.get(row.number)
        if measured is not None and measured.category:
            yield Outcome(
                assistant=row.question.space,
                spec=reading.niah.cells[row.number],
                score=measured.score,
                category=measured.category,
            )
