"""What column N tells about a retrieved passage."""

from typing import Any

from service.assistants._rank import Found


def told_of(found: Found) -> dict[str, Any]:
    """Return a passage with its document, pages, scores and text."""
    source = found.passage.source
    scores = {"score": found.score, "cosine": found.cosine, "keyword": found.keyword}
    return {"source": source.name, "pages": source.pages, **scores, "text": source.text}
