"""What crosses between a child process and the service: plain values, no nouns, nothing that runs code."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from service.errors import ServiceError

CellValue: TypeAlias = str | float | int | bool
"""What stands in a cell: a text, a number or a real boolean."""

RowValues: TypeAlias = tuple[int, Sequence[CellValue | None]]
"""A sheet row and its values for the output columns; texts are such as a cell holds (`cell_text`)."""

GIVEN: Final = ("answer", "Sources", "Modules", "Followup", "ChatMessages")
"""The columns in which an answer stands."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something said about one cell: a note (the row runs) or an error (the row does not).

    `cell` is a reference such as `D4`, empty when it concerns the whole sheet (then `row` is 0).
    """

    row: int
    cell: str
    code: str
    message: str


def finding(row: int, cell: str, problem: ServiceError) -> Finding:
    """Return a problem of a cell as a finding."""
    return Finding(row, cell, problem.code, problem.message)


@dataclass(frozen=True, slots=True)
class Section:
    """A block of the sheet `Run`: a title and lines of cells.

    The line `("Run id", id)` is where `Reading.run_id` is read from.
    """

    title: str
    lines: tuple[tuple[CellValue, ...], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an added sheet: its cells, and how they look (`title`, `heading`, `header` or nothing special)."""

    cells: tuple[CellValue | None, ...] = ()
    look: Literal["title", "heading", "header", ""] = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A native chart over cells of its own sheet; areas are such as `B4:F4`.

    `series` are (area of its name, area of its values), `categories` the area of the labels they share. It begins
    at row `top`, counted from 0, as the chart number `place` from the left.
    """

    kind: Literal["radar", "line"]
    title: str
    categories: str
    series: tuple[tuple[str, str], ...]
    top: int
    place: int = 0
    axis: str = ""


@dataclass(frozen=True, slots=True)
class AddedSheet:
    """A sheet a run adds or replaces; its first line is its title, `scales` are areas under a colour scale 0–1."""

    name: str
    lines: tuple[Line, ...]
    widths: tuple[int, ...] = ()
    scales: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()


class CellRecord(NamedTuple):
    """A row of the sheet `NIAH`: the texts of its columns in the table's order, numbers as they are stored."""

    number: int
    texts: tuple[str, ...]


class RowRecord(NamedTuple):
    """A question's row as it stands in the sheet; `given` are the texts of the columns `GIVEN`, empty without one."""

    number: int
    text: str
    space: str
    id: str
    correct: bool | None
    reference: str
    sources: str
    modules: str
    followup: bool | None
    given: tuple[str, ...]


class FlagTexts(NamedTuple):
    """What stands in a row's columns of verdicts, by header."""

    number: int
    texts: dict[str, str]


class Summary(NamedTuple):
    """What a sheet holds beside its rows; findings are (row, cell, code, message), reviews (correct, answer hash)."""

    sheet: str
    header_row: int
    columns: dict[str, str]
    missing: tuple[str, ...]
    reviews: dict[int, tuple[bool, str]]
    notes: tuple[tuple[int, str, str, str], ...]
    errors: tuple[tuple[int, str, str, str], ...]
    run_id: str
    niah: tuple[dict[str, str], dict[str, str]] | None = None
    """Of an experiment: columns A and B of the sheets Experiment and Run."""


@dataclass(frozen=True, kw_only=True)
class Terms:
    """How one file is handled: the sheet, the filter of a result, and what an adoption takes and remembers.

    `niah` says that results go into the sheet NIAH; `sheets` are added beside the sheet Run.
    """

    sheet: str | None = None
    flagged: bool = False
    every: bool = False
    lineage: Mapping[str, str] | None = None
    niah: bool = False
    sheets: tuple[AddedSheet, ...] = ()
