"""The result as JSON and CSV, for other tools."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from flags.niah import Aggregate, Mean, interpret
from service.reports._checklist import checklist
from service.reports._study import Study

SCORE_COLUMNS = ("assistant", "task", "mean", "low", "high", "band", "cells", "trials")


def results_json(study: Study) -> bytes:
    """Return everything there is: config, what was told of the run, checklist, scores, patterns and cells."""
    whole = {
        "name": study.name,
        "config": dict(study.config),
        "run": dict(study.told),
        "checklist": [asdict(item) for item in checklist(study)],
        "scores": [_score(found) for found in study.aggregates],
        "cells": [dict(cell) for cell in study.cells],
    }
    return (json.dumps(whole, ensure_ascii=False, indent=2, default=str) + "\n").encode("utf-8", "replace")


def cells_csv(study: Study) -> bytes:
    """Return the sheet `NIAH`, a line a cell."""
    columns = list(dict.fromkeys(name for cell in study.cells for name in cell))
    return _csv(columns, ([cell.get(name) for name in columns] for cell in study.cells))


def scores_csv(study: Study) -> bytes:
    """Return a line for each assistant and task, then the counts of what was left out of the mean."""
    excluded = sorted({name for found in study.aggregates for name in found.excluded})
    lines = [[*score_line(found), *(found.excluded.get(name, 0) for name in excluded)] for found in study.aggregates]
    return _csv([*SCORE_COLUMNS, *excluded], lines)


def score_line(found: Aggregate) -> list[Any]:
    """Return the values of `SCORE_COLUMNS`; empty where nothing could be counted."""
    mean = found.mean
    figures = [round(value, 6) for value in (mean.value, mean.low, mean.high)] if mean else ["", "", ""]
    counts = [mean.cells, mean.trials] if mean else [0, 0]
    return [found.assistant, found.task, *figures, found.band or "", *counts]


def _score(found: Aggregate) -> dict[str, Any]:
    told = {
        "assistant": found.assistant,
        "task": found.task,
        "band": found.band,
        "mean": _mean(found.mean),
        "heatmap": [
            {"context_length": cell.context_length, "depth": cell.depth, **(_mean(cell.mean) or {})}
            for cell in found.heatmap
        ],
        "by_length": _means(found.by_length),
        "by_needles": _means(found.by_needles),
        "by_hops": _means(found.by_hops),
        "categories": dict(found.categories),
        "excluded": dict(found.excluded),
        "patterns": [asdict(pattern) for pattern in interpret(found)],
    }
    return told if found.primacy is None else {**told, "primacy": found.primacy, "recency": found.recency}


def _mean(mean: Mean | None) -> dict[str, float] | None:
    return asdict(mean) if mean else None


def _means(means: Mapping[int, Mean]) -> dict[str, Any]:
    return {str(value): _mean(mean) for value, mean in means.items()}


def _csv(columns: Sequence[str], lines: Iterable[Sequence[Any]]) -> bytes:
    from service.workbook import csv_cell

    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([csv_cell(value) for value in line] for line in lines)
    return out.getvalue().encode("utf-8-sig", "replace")
