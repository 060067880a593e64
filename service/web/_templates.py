"""The templates, read when the first page is drawn."""

from functools import cache
from pathlib import Path

from fastapi.templating import Jinja2Templates

from service.runs import cost_said, tokens_said
from service.web import _words


@cache
def templates() -> Jinja2Templates:
    """Return the templates; every text put into them is escaped."""
    made = Jinja2Templates(directory=Path(__file__).parent / "templates")
    made.env.trim_blocks = made.env.lstrip_blocks = True
    made.env.filters.update(
        {
            "count": _words.count,
            "tag": _words.tag,
            "tone": _words.tone,
            "progress": _words.progress,
            "spent": _words.spent,
            "tokens_said": tokens_said,
            "cost_said": cost_said,
            "announcement": _words.announcement,
            "choices": _words.choices,
            "spaces_asked": _words.spaces_asked,
            "grouped": _words.grouped,
            "when": _words.when,
            "row_tag": _words.row_tag,
            "row_tone": _words.row_tone,
            "duration": _words.duration,
        }
    )
    return made
