"""The kinds of sheets a run fills: which columns each has, and what some of them mean to the writer."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from service.workbook.columns import COLUMNS, REQUIRED, Column, normalise
from service.workbook.niah_columns import NIAH_COLUMNS


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """A kind of sheet; `required` headers make a row the header row, a text under the first makes a row one to run.

    A text under `review` belongs to the text under `answer`, `final` is what the flagged rows are filtered by; both
    may be missing.
    """

    columns: tuple[Column, ...]
    required: tuple[str, ...]
    answer: str
    final: str = ""
    review: str = ""

    @cached_property
    def names(self) -> dict[str, tuple[str, int]]:
        """Return normalised name → (header, 0 for its own name, 1 for another)."""
        names = {normalise(alias): (column.header, 1) for column in self.columns for alias in column.aliases}
        return names | {normalise(column.header): (column.header, 0) for column in self.columns}

    @cached_property
    def output(self) -> tuple[Column, ...]:
        """Return the columns a run fills."""
        return tuple(column for column in self.columns if column.filled_by == "run")

    @cached_property
    def written(self) -> tuple[Column, ...]:
        """Return the columns that stand in every result: those a run fills, and the one for the review."""
        return tuple(column for column in self.columns if column.filled_by == "run" or column.header == self.review)


BENCHMARK: Final = Table(
    columns=COLUMNS,
    required=REQUIRED,
    answer="answer",
    final="final_flag",
    review="human_review_answer_correct",
)
NIAH: Final = Table(columns=NIAH_COLUMNS, required=("task", "Assistant", "context_length"), answer="answer")
