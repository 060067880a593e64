"""The sheets `Heatmap`, `Summary` and `Charts` of an experiment, made of its aggregates."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from flags.niah import EXCLUDED, Aggregate, Mean, discover_tasks, interpret
from service.workbook import AddedSheet, CellValue, Chart, Line

_EXCLUDED: Final = sorted(EXCLUDED)
_INTERVAL: Final = ("mean", "95 % from", "95 % to")


def niah_sheets(found: Sequence[Aggregate]) -> tuple[AddedSheet, ...]:
    """Return the three sheets; they hold nothing that cannot be computed from the sheet `NIAH`."""
    return heatmap(found), summary(found), charts(found)


def heatmap(found: Sequence[Aggregate]) -> AddedSheet:
    """Return the means by length and depth, a block for each assistant and task, under one colour scale."""
    lines = [Line(("flagbook heatmap",), "title"), Line(("Mean score by context length (tokens) and depth.",))]
    scales: list[str] = []
    widest = 1
    for each in found:
        if each.heatmap:
            lengths = sorted({cell.context_length for cell in each.heatmap})
            widest = max(widest, len(lengths))
            lines += [
                Line(),
                Line((f"{each.assistant} · {each.task}",), "heading"),
                Line(("depth %", *lengths), "header"),
            ]
            top = len(lines) + 1
            lines += _grid(each, lengths)
            scales.append(f"B{top}:{_letter(len(lengths))}{len(lines)}")
    return AddedSheet("Heatmap", tuple(lines), (22, *[11] * widest), tuple(scales))


def _grid(found: Aggregate, lengths: Sequence[int]) -> Iterator[Line]:
    means = {(cell.depth, cell.context_length): cell.mean.value for cell in found.heatmap}
    for depth in sorted({depth for depth, _ in means}):
        percent = round(100 * depth, 4)
        yield Line(
            (int(percent) if percent == int(percent) else percent, *[means.get((depth, length)) for length in lengths])
        )


def _letter(index: int) -> str:
    """Return the letter of the column so many to the right of A."""
    from service.workbook.columns import column_letter

    return column_letter(index + 1)


def summary(found: Sequence[Aggregate]) -> AddedSheet:
    """Return the figures: scores with bands and intervals, by length, needles and hops, positions, patterns."""
    blocks = (
        ("Scores", ("assistant", "task", *_INTERVAL, "band", "cells", "trials", *_EXCLUDED), _scores),
        ("By length", ("assistant", "task", "context_length", *_INTERVAL, "trials"), _by(lambda one: one.by_length)),
        ("By needles", ("assistant", "task", "num_needles", *_INTERVAL, "trials"), _by(lambda one: one.by_needles)),
        ("By hops", ("assistant", "task", "hops", *_INTERVAL, "trials"), _by(lambda one: one.by_hops)),
        ("Positions", ("assistant", "task", "primacy rate", "recency rate", "neither or both"), _positions),
        ("Categories", ("assistant", "task", "category", "cells"), _categories),
        ("Patterns", ("assistant", "task", "pattern", "what it means", "numbers"), _patterns),
    )
    lines = [
        Line(("flagbook summary",), "title"),
        Line(("Means over cells, trials averaged first; cells that are skipped, cut, empty or failed are left out.",)),
    ]
    for title, header, make in blocks:
        rows = [Line(cells) for each in found for cells in make(each)]
        if rows:
            lines += [Line(), Line((title,), "heading"), Line(header, "header"), *rows]
    return AddedSheet("Summary", tuple(lines), (24, 16, 18, 11, 11, 11, *[9] * 8))


_Cells = tuple[CellValue | None, ...]


def _mean(mean: Mean) -> tuple[float, float, float]:
    return float(mean.value), float(mean.low), float(mean.high)


def _scores(found: Aggregate) -> Iterator[_Cells]:
    counts = [found.excluded.get(name, 0) for name in _EXCLUDED]
    if found.mean is None:
        yield (found.assistant, found.task, None, None, None, "not measured", 0, 0, *counts)
    else:
        yield (
            found.assistant,
            found.task,
            *_mean(found.mean),
            found.band,
            found.mean.cells,
            found.mean.trials,
            *counts,
        )


def _by(of: Callable[[Aggregate], Mapping[int, Mean]]) -> Callable[[Aggregate], Iterator[_Cells]]:
    def rows(found: Aggregate) -> Iterator[_Cells]:
        for value, mean in of(found).items():
            yield (found.assistant, found.task, value, *_mean(mean), mean.trials)

    return rows


def _positions(found: Aggregate) -> Iterator[_Cells]:
    if found.primacy is not None and found.recency is not None:
        rest = float(1 - found.primacy - found.recency)
        yield (found.assistant, found.task, float(found.primacy), float(found.recency), rest)


def _categories(found: Aggregate) -> Iterator[_Cells]:
    for category, count in {**found.categories, **found.excluded}.items():
        yield (found.assistant, found.task, category, count)


def _patterns(found: Aggregate) -> Iterator[_Cells]:
    for pattern in interpret(found):
        numbers = ", ".join(f"{name} {value:.6g}" for name, value in pattern.numbers.items())
        yield (found.assistant, found.task, pattern.name, pattern.sentence, numbers)


def charts(found: Sequence[Aggregate]) -> AddedSheet:
    """Return a radar chart of the assistants over the tasks, and a line chart over lengths for each task."""
    drawn: list[Chart] = []
    tasks = [task for task in discover_tasks() if any(each.task == task and each.mean for each in found)]
    names = list(dict.fromkeys(each.assistant for each in found if each.mean))
    tables = [_over_tasks(found, names, tasks), *[_over_lengths(found, names, task) for task in tasks]] if names else []
    # the charts come first, what they are drawn from stands below them
    height = -(-len(tables) // _ACROSS) * _HEIGHT
    lines = [Line(("flagbook charts",), "title"), *[Line()] * height]
    for title, header, rows in tables:
        lines += [Line(), Line((title,), "heading"), Line(header, "header"), *[Line(row) for row in rows]]
        drawn.append(_chart(title, len(header) - 1, (len(lines) - len(rows), len(lines)), len(drawn)))
    return AddedSheet("Charts", tuple(lines), (24, *[11] * 24), (), tuple(drawn))


_Table = tuple[str, _Cells, list[_Cells]]
_HEIGHT: Final = 24
"""Rows of cells a row of charts takes."""
_ACROSS: Final = 2


def _over_tasks(found: Sequence[Aggregate], names: Sequence[str], tasks: Sequence[str]) -> _Table:
    means = {(each.assistant, each.task): each.mean.value for each in found if each.mean}
    rows: list[_Cells] = [(name, *[_float(means.get((name, task))) for task in tasks]) for name in names]
    return "Mean score by task", ("assistant", *tasks), rows


def _over_lengths(found: Sequence[Aggregate], names: Sequence[str], task: str) -> _Table:
    by_name = {each.assistant: each.by_length for each in found if each.task == task}
    lengths = sorted({length for means in by_name.values() for length in means})
    rows: list[_Cells] = []
    for name in names:
        means = by_name.get(name, {})
        rows.append((name, *[float(means[length].value) if length in means else None for length in lengths]))
    return f"{task}: mean score by context length", ("assistant", *lengths), rows


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)


def _chart(title: str, columns: int, rows: tuple[int, int], number: int) -> Chart:
    """Return the chart of a table whose header stands in row `rows[0]` and whose last row is `rows[1]`."""
    header, last = rows
    end = _letter(max(columns, 1))
    series = tuple((f"A{row}", f"B{row}:{end}{row}") for row in range(header + 1, last + 1))
    kind = "line" if number else "radar"
    across, down = number % _ACROSS, number // _ACROSS
    return Chart(
        kind=kind,  # type: ignore[arg-type]
        title=title,
        categories=f"B{header}:{end}{header}",
        series=series,
        top=2 + down * _HEIGHT,
        place=across,
        axis="tokens" if number else "",
    )
