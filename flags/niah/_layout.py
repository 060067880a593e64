"""A document as blocks, and its exact count without reading all of it again.

Long runs of filler keep the count they have in the corpus; only around seams is text counted anew. That is exact where
every run begins and ends before a word (`Block.proven`), since the tokenizer always splits there.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from flags.niah._corpus import Corpus

EDGE = 40
"""So many tokens of filler are counted again on each side of a seam."""
_LOOK = 200
"""So many tokens further a place before a word is looked for."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """A piece of a document; `tokens` is its count where it is known from the corpus, None where it must be counted.

    `needle` is the index of the needle it is, -1 for other text.
    """

    content: bytes
    tokens: int | None = None
    needle: int = -1
    proven: bool = True


def run(corpus: Corpus, start: int, end: int) -> Iterator[Block]:
    """Yield a run of filler as an edge to be counted, a middle whose count is known, and an edge to be counted."""
    first, first_proven = _edge(corpus, start + EDGE, +1, end)
    last, last_proven = _edge(corpus, end - EDGE, -1, start)
    if first >= last:
        yield Block(content=corpus.text(start, end))
        return
    yield Block(content=corpus.text(start, first))
    yield Block(content=corpus.text(first, last), tokens=last - first, proven=first_proven and last_proven)
    yield Block(content=corpus.text(last, end))


def _edge(corpus: Corpus, position: int, step: int, limit: int) -> tuple[int, bool]:
    stop = position + step * _LOOK
    stop = min(stop, limit) if step > 0 else max(stop, limit)
    places = range(position, stop, step)
    proven = next((place for place in places if corpus.is_before_word(place)), None)
    if proven is not None:
        return proven, True
    return next((place for place in places if corpus.is_whole(place)), limit), False
