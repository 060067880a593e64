"""The methodology's named patterns of a heatmap, each with the numbers it rests on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from flags.niah._aggregate import Aggregate

PatternName = Literal["perfect square", "lost in the middle", "context cliff", "end advantage", "diagonal fade"]
GREEN = 0.95
"""A cell at least so good is green."""
_DIFFERENCE = 0.1
"""Means of rows must differ by so much to be called different."""
_CLIFF, _BEFORE = 0.3, 0.6
"""Columns must fall by so much at once, from at least so high, and stay down."""
_FIT = 0.5
"""So much of the variation must be explained by a fall with length and depth together (R²)."""


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """A named pattern with the figures it rests on, and a sentence that says what they mean."""

    name: PatternName
    sentence: str
    numbers: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class _Grid:
    """Means with depths in rows and lengths in columns; NaN where nothing could be counted."""

    lengths: tuple[int, ...]
    depths: tuple[float, ...]
    means: NDArray[np.float64]

    def rows(self, low: float, high: float) -> float:
        chosen = [index for index, depth in enumerate(self.depths) if low <= depth <= high]
        cells = self.means[chosen]
        return float(np.nanmean(cells)) if chosen and not np.isnan(cells).all() else float("nan")

    @property
    def columns(self) -> NDArray[np.float64]:
        return np.array([np.nanmean(column) for column in self.means.T])


def interpret(found: Aggregate) -> tuple[Pattern, ...]:
    """Return the patterns a heatmap shows; a perfect square shows no other."""
    grid = _grid(found)
    square = _perfect(grid)
    if square:
        return (square,)
    rules: tuple[Callable[[_Grid], Pattern | None], ...] = (_middle, _cliff, _end, _diagonal)
    return tuple(pattern for rule in rules if (pattern := rule(grid)))


def _grid(found: Aggregate) -> _Grid:
    lengths = tuple(sorted({cell.context_length for cell in found.heatmap}))
    depths = tuple(sorted({cell.depth for cell in found.heatmap}))
    means = np.full((len(depths), len(lengths)), np.nan)
    for cell in found.heatmap:
        means[depths.index(cell.depth), lengths.index(cell.context_length)] = cell.mean.value
    return _Grid(lengths=lengths, depths=depths, means=means)


def _perfect(grid: _Grid) -> Pattern | None:
    if not grid.means.size or np.isnan(grid.means).any() or grid.means.min() < GREEN:
        return None
    least = float(grid.means.min())
    return Pattern(
        name="perfect square",
        sentence=f"All {grid.means.size} cells are green (the least is {least:.2f}): no weakness at these settings.",
        numbers={"least": least, "cells": float(grid.means.size)},
    )


def _middle(grid: _Grid) -> Pattern | None:
    top, middle, bottom = grid.rows(0.0, 0.3), grid.rows(0.3001, 0.6999), grid.rows(0.7, 1.0)
    if not min(top, bottom) - middle >= _DIFFERENCE:
        return None
    return Pattern(
        name="lost in the middle",
        sentence=f"Needles in the middle third score {middle:.2f}, against {top:.2f} above and {bottom:.2f} below it.",
        numbers={"top": top, "middle": middle, "bottom": bottom},
    )


def _cliff(grid: _Grid) -> Pattern | None:
    columns = grid.columns
    falls = [float(columns[at] - columns[at + 1]) for at in range(len(columns) - 1)]
    if not falls or max(falls) < _CLIFF:
        return None
    at = int(np.argmax(falls))
    before, after = float(columns[: at + 1].min()), float(columns[at + 1 :].max())
    if before < _BEFORE or before - after < _CLIFF:
        return None
    return Pattern(
        name="context cliff",
        sentence=(
            f"Up to {grid.lengths[at]} tokens every length scores at least {before:.2f}, from {grid.lengths[at + 1]} "
            f"tokens on at most {after:.2f}."
        ),
        numbers={"last_good": grid.lengths[at], "first_bad": grid.lengths[at + 1], "before": before, "after": after},
    )


def _end(grid: _Grid) -> Pattern | None:
    top, bottom = grid.rows(0.0, 0.3), grid.rows(0.7, 1.0)
    if not bottom - top >= _DIFFERENCE:
        return None
    return Pattern(
        name="end advantage",
        sentence=f"Needles near the end score {bottom:.2f}, near the beginning {top:.2f}: recency.",
        numbers={"top": top, "bottom": bottom},
    )


def _diagonal(grid: _Grid) -> Pattern | None:
    if min(grid.means.shape) < 2 or np.isnan(grid.means).any():
        return None
    down, right = np.meshgrid(np.linspace(0, 1, len(grid.depths)), np.linspace(0, 1, len(grid.lengths)), indexing="ij")
    plane = np.column_stack([np.ones(down.size), right.ravel(), down.ravel()])
    heights = grid.means.ravel()
    weights, *_ = np.linalg.lstsq(plane, heights, rcond=None)
    by_length, by_depth = float(weights[1]), float(weights[2])
    spread = float(((heights - heights.mean()) ** 2).sum())
    fit = 1 - float(((heights - plane @ weights) ** 2).sum()) / spread if spread else 0.0
    if max(by_length, by_depth) > -_DIFFERENCE or fit < _FIT:
        return None
    return Pattern(
        name="diagonal fade",
        sentence=(
            f"Scores fall by {-by_length:.2f} from the shortest to the longest document and by {-by_depth:.2f} "
            f"from the beginning to the end (R² {fit:.2f})."
        ),
        numbers={"by_length": by_length, "by_depth": by_depth, "r_squared": fit},
    )
