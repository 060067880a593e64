"""What every document format is read into: pieces of text in reading order, and the documents they make."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

Kind = Literal["heading", "text", "item", "row"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A heading, a paragraph, a list item or a table row; `page` counts from 1, 0 where a format has no pages."""

    kind: Kind
    text: str
    page: int = 0
    level: int = 0


@dataclass(frozen=True)
class Document:
    """A document as read; `name` is what a person calls it, `identity` its path inside its folder."""

    name: str
    identity: str
    pieces: tuple[Piece, ...]


def table_rows(rows: Iterable[list[str]], page: int = 0) -> Iterator[Piece]:
    """Yield a table's rows as sentences: `Header: cell; Header: cell`, so that a row can stand alone."""
    header, *others = [cells for cells in rows if any(cells)] or [[]]
    for cells in others:
        named = [
            f"{name}: {cell}" if name and name != cell else cell
            for name, cell in zip_longest(header, cells, fillvalue="")
            if cell
        ]
        yield Piece("row", "; ".join(named), page)
    if header and not others:
        yield Piece("text", "; ".join(filter(None, header)), page)


def tidy(text: str) -> str:
    """Return the text on one line."""
    return " ".join(text.replace("\u00ad", "").split())
