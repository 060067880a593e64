"""A report in a folder: figures as PNG and SVG, one page, JSON and CSV."""

from collections.abc import Iterator
from pathlib import Path

from service.errors import OutputRefused
from service.reports._figures import pictures
from service.reports._page import page
from service.reports._study import Study
from service.reports._tables import cells_csv, results_json, scores_csv


def write_report(study: Study, folder: Path) -> tuple[Path, ...]:
    """Write every file of the report into the folder, which may not exist yet; return their paths.

    Raise `OutputRefused` where they cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return tuple(_written(folder / name, content) for name, content in _files(study))
    except OSError as error:
        raise OutputRefused(path=str(folder), problem=error.strerror or str(error)) from error


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _files(study: Study) -> Iterator[tuple[str, bytes]]:
    drawn = tuple(pictures(study))
    yield "report.html", page(study, drawn)
    yield "results.json", results_json(study)
    yield "cells.csv", cells_csv(study)
    yield "scores.csv", scores_csv(study)
    for picture in drawn:
        yield f"{picture.name}.png", picture.png
        yield f"{picture.name}.svg", picture.svg
