"""The texts an answer must rest on."""

from collections.abc import Iterable

from flags._case import Case, Source
from flags._sources import missing_sources


def evidence(case: Case) -> tuple[Source, ...]:
    """Return the sources whose texts must support the answer.

    These are the sources it references (with the retrieved passages of the same document where a reference carries no
    text of its own); the retrieved passages where it references none, or none whose text is known.
    """
    passages = _with_text(case.answer.passages)
    referenced = tuple(text for source in case.answer.sources for text in _texts_of(source, passages))
    return tuple(dict.fromkeys(referenced or passages))


def without_text(case: Case) -> tuple[Source, ...]:
    """Return the referenced documents of which no text is at hand, each once."""
    return missing_sources(case.answer.sources, evidence(case))


def _texts_of(source: Source, passages: tuple[Source, ...]) -> tuple[Source, ...]:
    if source.text.strip():
        return (source,)
    return tuple(passage for passage in passages if not missing_sources((source,), (passage,)))


def _with_text(sources: Iterable[Source]) -> tuple[Source, ...]:
    return tuple(source for source in sources if source.text.strip())
