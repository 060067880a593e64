"""The report as one page that needs nothing else: tables, figures, checklist, config."""

import json
from collections.abc import Sequence
from pathlib import Path

from flags.niah import interpret
from service.reports._checklist import checklist
from service.reports._figures import Picture
from service.reports._study import Study, title


def page(study: Study, pictures: Sequence[Picture]) -> bytes:
    """Return the page; every text from the workbook is escaped, figures are drawn into it."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    loader = FileSystemLoader(Path(__file__).parent / "templates")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters.update(title=title, share=lambda value: "–" if value is None else f"{value:.0%}")
    drawn = [
        # drawn by matplotlib, which escapes the names that stand in it
        {"caption": each.caption, "svg": Markup(_inner(each.svg))}  # noqa: S704
        for each in pictures
    ]
    text = made.get_template("niah.html").render(
        study=study,
        figures=drawn,
        excluded=sorted({name for found in study.aggregates for name in found.excluded}),
        patterns=[(found, interpret(found)) for found in study.aggregates],
        checklist=checklist(study),
        config=json.dumps(dict(study.config), ensure_ascii=False, indent=2, default=str),
    )
    return text.encode("utf-8", "replace")


def _inner(svg: bytes) -> str:
    """Return the drawing without the XML declaration and document type, which have no place in a page."""
    text = svg.decode()
    return text[text.index("<svg") :]
