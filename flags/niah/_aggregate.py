"""From asked cells to figures: trials averaged into cells, cells into one mean for each assistant and task."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from flags._statistics import wilson
from flags.niah._discover import discover_tasks
from flags.niah._task import EXCLUDED, Category, Spec

Key = TypeVar("Key", int, tuple[int, float])
Band = Literal["excellent", "good", "fair", "poor", "failing"]
_BANDS: tuple[tuple[float, Band], ...] = ((0.95, "excellent"), (0.80, "good"), (0.60, "fair"), (0.40, "poor"))


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one asked cell: its score and category (`skipped` and `cut` are told by the service)."""

    assistant: str
    spec: Spec
    score: float | None
    category: Category


@dataclass(frozen=True, kw_only=True)
class Mean:
    """A mean over `cells` cells of together `trials` trials, with its 95 % interval (Wilson, for scores in [0, 1])."""

    value: float
    low: float
    high: float
    cells: int
    trials: int


@dataclass(frozen=True, kw_only=True)
class HeatCell:
    """The mean at a length (tokens) and depth (in [0, 1])."""

    context_length: int
    depth: float
    mean: Mean


@dataclass(frozen=True, kw_only=True)
class Aggregate:
    """The figures of one assistant on one task.

    `mean` is None where nothing could be counted. `excluded` counts the categories left out of every mean. `primacy`
    and `recency` are the shares of counted conflicting trials that gave the first or the last value.
    """

    assistant: str
    task: str
    mean: Mean | None
    heatmap: tuple[HeatCell, ...]
    by_length: Mapping[int, Mean]
    by_needles: Mapping[int, Mean]
    by_hops: Mapping[int, Mean]
    categories: Mapping[str, int]
    excluded: Mapping[str, int]
    primacy: float | None = None
    recency: float | None = None

    @property
    def band(self) -> Band | None:
        """Return the band of the mean, or None without one."""
        return band(self.mean.value) if self.mean else None


def band(score: float) -> Band:
    """Return the methodology's word for a score."""
    return next((name for least, name in _BANDS if score >= least), "failing")


def aggregate(outcomes: Iterable[Outcome]) -> tuple[Aggregate, ...]:
    """Return the figures of each assistant and task, in the order of their first outcome."""
    groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.assistant, outcome.spec.task].append(outcome)
    return tuple(_aggregate(assistant, task, group) for (assistant, task), group in groups.items())


def is_counted(outcome: Outcome) -> bool:
    """Tell whether an outcome enters a mean."""
    return outcome.score is not None and outcome.category not in EXCLUDED


def _aggregate(assistant: str, task: str, group: Sequence[Outcome]) -> Aggregate:
    counted = [outcome for outcome in group if is_counted(outcome)]
    categories = Counter(outcome.category for outcome in group)
    places = _means(counted, lambda spec: (spec.context_length, spec.depth))
    least, _, most = discover_tasks()[task].counts
    return Aggregate(
        assistant=assistant,
        task=task,
        mean=_mean(counted) if counted else None,
        heatmap=tuple(
            HeatCell(context_length=length, depth=depth, mean=mean) for (length, depth), mean in sorted(places.items())
        ),
        by_length=_means(counted, lambda spec: spec.context_length),
        by_needles=_means(counted, needles_of) if least < most else {},
        by_hops=_means(counted, hops_of) if task == "atc" else {},
        categories={name: count for name, count in categories.items() if name not in EXCLUDED},
        excluded={name: count for name, count in categories.items() if name in EXCLUDED},
        primacy=_share(categories["first"], counted) if task == "conflicting" else None,
        recency=_share(categories["last"], counted) if task == "conflicting" else None,
    )


def needles_of(spec: Spec) -> int:
    """Return the number of needles of a cell."""
    return spec.num_needles or discover_tasks()[spec.task].counts[1]


def hops_of(spec: Spec) -> int:
    """Return the hops of an ATC cell."""
    kind: Any = discover_tasks()[spec.task]
    return int(spec.parameters.get("hops", kind.hops))


def _share(count: int, counted: Sequence[Outcome]) -> float | None:
    return count / len(counted) if counted else None


def _means(counted: Sequence[Outcome], key: Callable[[Spec], Key]) -> dict[Key, Mean]:
    groups: dict[Key, list[Outcome]] = defaultdict(list)
    for outcome in counted:
        groups[key(outcome.spec)].append(outcome)
    return {name: _mean(group) for name, group in sorted(groups.items())}


def _mean(counted: Sequence[Outcome]) -> Mean:
    cells: dict[Hashable, list[float]] = defaultdict(list)
    for outcome in counted:
        cells[_cell(outcome.spec)].append(outcome.score or 0.0)
    value = math.fsum(math.fsum(trials) / len(trials) for trials in cells.values()) / len(cells)
    low, high = wilson(value * len(counted), len(counted))
    return Mean(value=value, low=low, high=high, cells=len(cells), trials=len(counted))


def _cell(spec: Spec) -> Hashable:
    settings = json.dumps(spec.parameters, sort_keys=True, default=str)
    return spec.context_length, spec.depth, needles_of(spec), spec.distribution, spec.haystack, spec.seed, settings
