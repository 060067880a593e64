"""Two runs side by side: which rows changed, and whether that is more than chance."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from flags import mcnemar, wilson

Kind = Literal["worse", "better", "unjudged", "judged", "reference", "new", "lost"]
Trend = Literal["worse", "better", "no evidence"]

SURE = 0.05
"""A change less likely than this by chance alone is evidence."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a question in one run.

    `number` is the sheet row. `passes` is None where the row was not judged (`code` says why) or not finished.
    `flags` are those that were TRUE.
    """

    number: int
    space: str
    question: str
    id: str = ""
    correct: bool | None = None
    reference: str = ""
    answer: str = ""
    passes: bool | None = None
    code: str = ""
    explanation: str = ""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of the two: a run, or a file that came out of one; `setup` says what it was judged with."""

    name: str
    run: str
    outcomes: tuple[Outcome, ...]
    setup: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class About:
    """A side without its rows."""

    name: str
    run: str
    rows: int
    setup: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Rate:
    """Rows that passed of those compared with a benchmark answer; the interval is Wilson's of 95 %."""

    passed: int
    compared: int
    rate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Rates of both sides and their paired rows, in one space or (named "") in all.

    `worse` rows passed in A and deviate in B, `better` the other way round; `p` is that of the exact McNemar test.
    """

    space: str
    a: Rate
    b: Rate
    paired: int
    worse: int
    better: int
    p: float
    trend: Trend


@dataclass(frozen=True, kw_only=True)
class Change:
    """A row that is not as it was: `a` None in a new one, `b` None in a lost one.

    `reference` rows have another benchmark answer, so that their flags cannot be compared.
    """

    kind: Kind
    a: Outcome | None
    b: Outcome | None


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What two runs tell together; `verdict` says it in a sentence, `warnings` what keeps it from being certain.

    `improvements` are the changes of rows whose benchmark answer was marked wrong (D = no): there a deviation may be
    the better answer.
    """

    a: About
    b: About
    total: Compared
    spaces: tuple[Compared, ...]
    changes: tuple[Change, ...]
    improvements: tuple[Change, ...]
    warnings: tuple[str, ...]
    verdict: str


Pair = tuple[Outcome | None, Outcome | None]


def compare(a: Side, b: Side) -> Comparison:
    """Compare two sides row by row; rows are joined by question and space, equal ones by id and then in order."""
    pairs = list(_joined(a.outcomes, b.outcomes))
    changes = tuple(Change(kind=kind, a=one, b=other) for one, other in pairs if (kind := _kind(one, other)))
    spaces = dict.fromkeys(_space(each) for pair in pairs for each in pair if each)
    total = _compared("", pairs)
    improvements = tuple(change for change in changes if change.kind in ("worse", "better") and _marked_wrong(change))
    return Comparison(
        a=_about(a),
        b=_about(b),
        total=total,
        spaces=tuple(_compared(space, [pair for pair in pairs if _in(space, pair)]) for space in spaces if space),
        changes=changes,
        improvements=improvements,
        warnings=tuple(_warnings(a, b, changes)),
        verdict=_verdict(total, improvements),
    )


def _about(side: Side) -> About:
    return About(name=side.name, run=side.run, rows=len(side.outcomes), setup=side.setup)


def _joined(a: Sequence[Outcome], b: Sequence[Outcome]) -> Iterator[Pair]:
    """Yield rows of the same question and space together, in the order of B, and at the end those B has no more."""
    left = defaultdict[tuple[str, str], list[Outcome]](list)
    for outcome in a:
        left[_key(outcome)].append(outcome)
    taken = {other.number: _same_id(other, left[_key(other)]) for other in b}
    for other in b:
        waiting = left[_key(other)]
        yield taken[other.number] or (waiting.pop(0) if waiting else None), other
    yield from ((one, None) for waiting in left.values() for one in waiting)


def _same_id(other: Outcome, waiting: list[Outcome]) -> Outcome | None:
    """Take the row with the same id out of those that wait."""
    found = next((one for one in waiting if one.id and one.id == other.id), None)
    if found:
        waiting.remove(found)
    return found


def _key(outcome: Outcome) -> tuple[str, str]:
    return _plain(outcome.question), _plain(outcome.space)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _space(outcome: Outcome) -> str:
    return " ".join(outcome.space.split())


def _in(space: str, pair: Pair) -> bool:
    return any(each is not None and _plain(each.space) == _plain(space) for each in pair)


def _kind(a: Outcome | None, b: Outcome | None) -> Kind | None:
    if a is None or b is None:
        return "new" if a is None else "lost"
    if a.passes is None or b.passes is None:
        return None if a.passes is b.passes else "unjudged" if b.passes is None else "judged"
    if not _same_reference(a, b):
        return "reference"
    if a.passes is b.passes or not a.reference.strip():
        return None
    return "worse" if a.passes else "better"


def _same_reference(a: Outcome, b: Outcome) -> bool:
    return a.reference.split() == b.reference.split()


def _marked_wrong(change: Change) -> bool:
    return any(each is not None and each.correct is False for each in (change.a, change.b))


def _compared(space: str, pairs: Sequence[Pair]) -> Compared:
    both = [(one, other) for one, other in pairs if one and other and _comparable(one, other)]
    kinds = [_kind(one, other) for one, other in both]
    worse, better = kinds.count("worse"), kinds.count("better")
    p = mcnemar(worse, better)
    trend: Trend = "no evidence" if p >= SURE else "worse" if worse > better else "better"
    return Compared(
        space=space,
        a=_rate(one for one, _ in pairs),
        b=_rate(other for _, other in pairs),
        paired=len(both),
        worse=worse,
        better=better,
        p=p,
        trend=trend,
    )


def _comparable(a: Outcome, b: Outcome) -> bool:
    return bool(a.reference.strip()) and None not in (a.passes, b.passes) and _same_reference(a, b)


def _rate(outcomes: Iterable[Outcome | None]) -> Rate:
    passes = [each.passes for each in outcomes if each and each.passes is not None and each.reference.strip()]
    if not passes:
        return Rate(passed=0, compared=0, rate=None, low=None, high=None)
    low, high = wilson(sum(passes), len(passes))
    return Rate(passed=sum(passes), compared=len(passes), rate=sum(passes) / len(passes), low=low, high=high)


def _warnings(a: Side, b: Side, changes: Sequence[Change]) -> Iterator[str]:
    for name in dict.fromkeys((*a.setup, *b.setup)):
        one, other = a.setup.get(name, "not recorded"), b.setup.get(name, "not recorded")
        if one != other:
            yield f"{name} differs: {one} in A, {other} in B. A change of the flags may come from it."
    if not a.setup or not b.setup:
        yield "What judged is not recorded on both sides (no sheet Run): whether it was the same is not known."
    kinds = [change.kind for change in changes]
    if others := kinds.count("reference"):
        yield f"{_rows(others)} {_has(others)} another benchmark answer in B, and cannot be paired."
    if unjudged := kinds.count("unjudged") + kinds.count("judged"):
        yield f"{_rows(unjudged)} {'was' if unjudged == 1 else 'were'} judged on one side only, and cannot be paired."


def _verdict(total: Compared, improvements: Sequence[Change]) -> str:
    if not total.paired:
        return "No evidence: no row was judged against the same benchmark answer on both sides."
    told = (
        f"{total.trend.capitalize()}: of {_rows(total.paired)} judged on both sides, {total.worse} "
        f"{'deviates' if total.worse == 1 else 'deviate'} now that did not before, and {total.better} no longer "
        f"{'does' if total.better == 1 else 'do'} (exact McNemar test, p = {total.p:.3f})."
    )
    if improvements:
        changed = len(improvements)
        told += (
            f" {changed} of these {_has(changed)} a benchmark answer that was marked wrong: a deviation may be better."
        )
    return told


def _rows(number: int) -> str:
    return f"{number:,} {'row' if number == 1 else 'rows'}"


def _has(number: int) -> str:
    return "has" if number == 1 else "have"
