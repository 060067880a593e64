"""Counts over the rows of a run: per flag, per space, and the pass rate."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from service.runs import RowView


@dataclass(kw_only=True)
class FlagCount:
    """How often a flag was TRUE, FALSE, had nothing to judge, or could not judge."""

    true: int = 0
    false: int = 0
    empty: int = 0
    failed: int = 0


@dataclass(kw_only=True)
class SpaceCount:
    """Rows of one space; `errors` are neither passed nor flagged.

    `compared` were judged and have a benchmark answer, `passed` are those of them without a deviation, `unreferenced`
    were judged and have none.
    """

    rows: int = 0
    passed: int = 0
    flagged: int = 0
    errors: int = 0
    waiting: int = 0
    compared: int = 0
    unreferenced: int = 0

    @property
    def pass_rate(self) -> float | None:
        """Return passed rows over compared rows; None where nothing was compared."""
        return self.passed / self.compared if self.compared else None


@dataclass(kw_only=True)
class Tally:
    """The results of a run in numbers.

    `improvements` counts flagged rows whose benchmark answer was marked wrong: the new answer may be the better one.
    """

    total: SpaceCount
    improvements: int = 0
    spaces: dict[str, SpaceCount] = field(default_factory=dict)
    flags: dict[str, FlagCount] = field(default_factory=dict)
    codes: Counter[str] = field(default_factory=Counter)

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON shape of the results."""
        return {
            **_space_dict(self.total),
            "flags": {name: asdict(count) for name, count in self.flags.items()},
            "spaces": {name: _space_dict(count) for name, count in self.spaces.items()},
            "errors_by_code": dict(self.codes),
            "improvements": self.improvements,
        }


def tally(rows: "Iterable[RowView]") -> Tally:
    """Count the rows; spaces and flags stand in the order in which they were first seen."""
    result = Tally(total=SpaceCount())
    for row in rows:
        for count in (result.total, result.spaces.setdefault(row.space, SpaceCount())):
            _count_row(count, row)
        if row.code:
            result.codes[row.code] += 1
        result.improvements += bool(row.flagged and not row.code and row.correct is False and row.reference)
        for name, verdict in row.verdicts.items():
            slot = {"given": str(verdict.value).lower(), "skipped": "empty", "failed": "failed"}[verdict.status]
            flag = result.flags.setdefault(name, FlagCount())
            setattr(flag, slot, getattr(flag, slot) + 1)
    return result


def _count_row(count: SpaceCount, row: "RowView") -> None:
    count.rows += 1
    if row.code:
        count.errors += 1
    elif row.flagged is None:
        count.waiting += 1
    else:
        _count_judged(count, flagged=row.flagged, compared=bool(row.reference.strip()))


def _count_judged(count: SpaceCount, *, flagged: bool, compared: bool) -> None:
    count.flagged += flagged
    count.compared += compared
    count.unreferenced += not compared
    count.passed += compared and not flagged


def _space_dict(count: SpaceCount) -> dict[str, Any]:
    return {**asdict(count), "pass_rate": count.pass_rate}
