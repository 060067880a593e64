"""A comparison as a workbook: what it says, the rows that changed, and those that may be improvements."""

from collections.abc import Iterator, Sequence

from service.runs._compare import Change, Compared, Comparison, Outcome, Rate
from service.workbook import CellValue, Table, write_tables

KINDS = {
    "worse": "deviates now",
    "better": "no longer deviates",
    "unjudged": "not judged in B",
    "judged": "not judged in A",
    "reference": "other benchmark answer",
    "new": "new in B",
    "lost": "only in A",
}
"""What a change is called."""

_HEADINGS = ("Verdict", "Look out", "Pass rates", "Judged with")
_ROWS = ("Change", "Assistant", "id", "Question", "Benchmark answer", "Marked wrong")
_SIDES = ("answer in {}", "flags in {}", "explanation in {}", "row in {}")
_WIDTHS = (20, 18, 8, 44, 44, 10, 44, 44, 20, 20, 44, 44, 8, 8)

Line = tuple[CellValue | None, ...]


def comparison_workbook(found: Comparison) -> bytes:
    """Return the workbook of a comparison."""
    return write_tables([_summary(found), _rows("Changed", found.changes), _rows("May be better", found.improvements)])


def _summary(found: Comparison) -> Table:
    lines: list[Line] = [
        ("A", found.a.name, found.a.run, found.a.rows),
        ("B", found.b.name, found.b.run, found.b.rows),
        (),
        ("Verdict", found.verdict),
    ]
    if found.warnings:
        lines += [(), ("Look out", found.warnings[0]), *(("", warning) for warning in found.warnings[1:])]
    header = ("Assistant", "A passed", "A rate, %", "A 95 %", "B passed", "B rate, %", "B 95 %")
    lines += [(), ("Pass rates",), (*header, "Paired", "Deviate now", "No longer", "p (McNemar)", "Verdict")]
    lines += [_rates(each) for each in (*found.spaces, found.total)]
    lines += [(), ("Judged with", "A", "B"), *_setup(found)]
    return Table(
        title="Comparison",
        header=("Comparison", "File", "Run", "Rows"),
        lines=[line or ("",) for line in lines],
        widths=(34, 60, 38, 16),
        boxed=False,
        headings=frozenset(_HEADINGS),
    )


def _rates(compared: Compared) -> Line:
    return (
        compared.space or "all",
        *_rate(compared.a),
        *_rate(compared.b),
        compared.paired,
        compared.worse,
        compared.better,
        round(compared.p, 4),
        compared.trend,
    )


def _rate(rate: Rate) -> Line:
    if rate.rate is None or rate.low is None or rate.high is None:
        return ("0 of 0", None, None)
    return (
        f"{rate.passed} of {rate.compared}",
        round(100 * rate.rate, 1),
        f"{100 * rate.low:.1f} – {100 * rate.high:.1f}",
    )


def _setup(found: Comparison) -> Iterator[Line]:
    for name in dict.fromkeys((*found.a.setup, *found.b.setup)):
        yield (name, found.a.setup.get(name), found.b.setup.get(name))


def _rows(title: str, changes: Sequence[Change]) -> Table:
    header = (*_ROWS, *(name.format(side) for name in _SIDES for side in "AB"))
    return Table(title=title, header=header, lines=[_row(change) for change in changes], widths=_WIDTHS)


def _row(change: Change) -> Line:
    shown = change.b or change.a
    assert shown is not None
    sides = [_side(each) for each in (change.a, change.b)]
    wrong = "yes" if shown.correct is False else None
    first = (KINDS[change.kind], shown.space, shown.id, shown.question, shown.reference, wrong)
    return (*first, *(value for pair in zip(*sides, strict=True) for value in pair))


def _side(outcome: Outcome | None) -> Line:
    if outcome is None:
        return (None, None, None, None)
    return outcome.answer, ", ".join(outcome.flags), outcome.explanation, outcome.number
