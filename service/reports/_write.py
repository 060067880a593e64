"""A report in a folder: figures as PNG and SVG, one page, JSON and CSV."""

from collections.abc import Iterator
from pathlib import Path

from service.reports._figures import Format, pictures
from service.reports._page import page
from service.reports._study import Study
from service.reports._tables import cells_csv, results_json, scores_csv

_FORMATS: tuple[Format, ...] = ("png", "svg")


def write_report(study: Study, folder: Path) -> tuple[Path, ...]:
    """Write every file of the report into the folder, which may not exist yet; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for name, content in _files(study):
        path = folder / name
        path.write_bytes(content)
        written.append(path)
    return tuple(written)


def _files(study: Study) -> Iterator[tuple[str, bytes]]:
    drawn = tuple(pictures(study))
    yield "report.html", page(study, drawn)
    yield "results.json", results_json(study)
    yield "cells.csv", cells_csv(study)
    yield "scores.csv", scores_csv(study)
    for picture in drawn:
        for kind in _FORMATS:
            yield f"{picture.name}.{kind}", picture.render(kind)
