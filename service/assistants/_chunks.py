"""Documents into passages of a few sentences that stand together under one heading."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flags import Language, Source, language_of, sentences, words
from service.assistants._pieces import Document, Piece

_LONGEST = 900
"""Characters of a passage: what small embedding models read at once."""
_SHORT_LIST = 350


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, short list or table row, with its page (0: the format has none)."""

    text: str
    page: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """Sentences in reading order from one document, with the headings above them."""

    name: str
    identity: str
    heading: str
    language: Language
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        """Return what stands in the passage."""
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def source(self) -> Source:
        """Return the passage as a source, its heading in front of its text."""
        text = f"{self.heading}\n{self.text}" if self.heading else self.text
        return Source(name=self.name, pages=pages_of(self.sentences), identity=self.identity, text=text)


def pages_of(found: Iterable[Sentence]) -> str:
    """Return the pages of sentences as a person writes them: `3, 4`."""
    return ", ".join(map(str, sorted({sentence.page for sentence in found} - {0})))


def passages_of(document: Document) -> Iterator[Passage]:
    """Yield the passages of a document; none crosses a heading, a paragraph is torn only when it is too long."""
    language = language_of(words(" ".join(piece.text for piece in document.pieces)))
    for heading, group in _sections(document.pieces):
        for taken in _filled(_paragraphs(group)):
            yield Passage(document.name, document.identity, heading, language, tuple(taken))


def _sections(pieces: Iterable[Piece]) -> Iterator[tuple[str, list[Piece]]]:
    """Yield (headings above, pieces) of each section; a heading with nothing below it is text like any other."""
    trail: list[Piece] = []
    group: list[Piece] = []
    for piece in (*pieces, Piece("heading", "", level=0)):
        if piece.kind != "heading":
            group.append(piece)
            continue
        closed = [above for above in trail if above.level >= piece.level]
        if not group and closed:
            group = [trail.pop()]
        if group:
            yield " – ".join(above.text for above in trail), group
        trail = [above for above in trail if above.level < piece.level] + [piece]
        group = []


def _paragraphs(pieces: list[Piece]) -> Iterator[list[Sentence]]:
    """Yield the sentences of each paragraph; a short list of fragments is one sentence with the words above it."""
    for group in _with_lists(pieces):
        items = [piece.text for piece in group if piece.kind == "item"]
        fragments = [item for item in items if not item.endswith((".", "!", "?"))]
        if fragments and sum(map(len, items)) <= _SHORT_LIST:
            lead = "".join(f"{piece.text} " for piece in group if piece.kind != "item")
            yield [Sentence(lead + "; ".join(item.rstrip(".;,") for item in items) + ".", group[0].page)]
        else:
            yield [Sentence(one, piece.page) for piece in group for one in _sentences(piece)]


def _sentences(piece: Piece) -> tuple[str, ...]:
    return (piece.text,) if piece.kind == "row" else tuple(one.strip() for one in sentences(piece.text))


def _with_lists(pieces: list[Piece]) -> Iterator[list[Piece]]:
    """Yield each paragraph alone, and list items together with the line that introduces them."""
    group: list[Piece] = []
    for piece in pieces:
        joins = piece.kind == "item" and group and (group[-1].kind == "item" or group[-1].text.endswith(":"))
        if group and not joins:
            yield group
            group = []
        group.append(piece)
    if group:
        yield group


def _filled(paragraphs: Iterable[list[Sentence]]) -> Iterator[list[Sentence]]:
    """Yield passages of whole paragraphs up to the longest allowed; a longer paragraph is torn between sentences."""
    taken: list[Sentence] = []
    for paragraph in paragraphs:
        if taken and _length(taken) + _length(paragraph) > _LONGEST:
            yield taken
            taken = []
        for sentence in paragraph:
            if taken and _length(taken) + len(sentence.text) > _LONGEST:
                yield taken
                taken = []
            taken.append(sentence)
    if taken:
        yield taken


def _length(found: Iterable[Sentence]) -> int:
    return sum(len(sentence.text) + 1 for sentence in found)
