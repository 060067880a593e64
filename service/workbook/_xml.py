"""XML without DTDs, with byte positions: bounded streams, and a small tree for parts that are edited in place."""

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pyexpat import ExpatError, ParserCreate, XMLParserType
from typing import NoReturn

from service.errors import WorkbookDamaged, WorkbookForbiddenXml, WorkbookTooLarge
from service.workbook._limits import MB

_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_ENCODING = re.compile(r"""(<\?xml[^>]*?encoding\s*=\s*["'])[A-Za-z0-9._-]+""")
_TAG = re.compile(rb"""<(?:[^"'>]|"[^"]*"|'[^']*')*>""")
_DEEPEST = 200
"""So many elements may stand in one another in a part that is read as a tree."""
_DIGITS = 10
_LONGEST = 4 * MB
_UTF16 = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"<\x00": "utf-16-le", b"\x00<": "utf-16-be"}


def utf8(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield an XML part in UTF-8, whatever encoding it declares, so that byte positions and insertions fit."""
    source = iter(pieces)
    first = next(source, b"")
    declared = _DECLARED.match(first.removeprefix(codecs.BOM_UTF8))
    encoding = _UTF16.get(first[:2]) or (declared.group(1).decode() if declared else "utf-8")
    if encoding.lower() in ("utf-8", "utf8", "us-ascii", "ascii"):
        yield first
        yield from source
        return
    yield from _transcoded(first, source, encoding)


def _transcoded(first: bytes, rest: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    try:
        decoder = codecs.getincrementaldecoder(encoding)()
        yield _ENCODING.sub(r"\1UTF-8", decoder.decode(first), count=1).encode()
        for piece in rest:
            yield decoder.decode(piece).encode()
        yield decoder.decode(b"", True).encode()
    except (LookupError, UnicodeError) as error:
        raise WorkbookDamaged(problem=f"a part is not readable as {encoding}") from error


def new_parser() -> XMLParserType:
    """Return an expat parser that refuses document type definitions."""
    parser = ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_doctype
    if hasattr(parser, "SetReparseDeferralEnabled"):  # newer expat would hold back what rows are waiting for
        parser.SetReparseDeferralEnabled(False)
    return parser


def _refuse_doctype(*_: object) -> NoReturn:
    raise WorkbookForbiddenXml()


class Feed:
    """Feeds a parser piece by piece; a tag or comment that has not ended after 4 MB is refused.

    A parser looks at what has not ended from its beginning again with every piece: that would take quadratic time.
    """

    def __init__(self, parser: XMLParserType) -> None:
        self._parser = parser
        self._fed = 0

    def __call__(self, piece: bytes, *, last: bool = False) -> None:
        """Parse the next piece of a part."""
        try:
            self._parser.Parse(piece, last)
        except ExpatError as error:
            raise WorkbookDamaged(problem=f"not well-formed XML ({error})") from error
        self._fed += len(piece)
        if self._fed - self._parser.CurrentByteIndex > _LONGEST:
            raise WorkbookTooLarge(what="a single tag or comment in it", limit=f"{_LONGEST // MB} MB")


def feed(parser: XMLParserType, pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Parse piece by piece; yield each piece once it is parsed."""
    parse_piece = Feed(parser)
    for piece in pieces:
        parse_piece(piece)
        yield piece
    parse_piece(b"", last=True)


def plain_xml(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same XML without comments, CDATA sections and instructions, and without `>` in attributes."""
    out: list[str] = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n']
    parser = new_parser()

    def start(name: str, attributes: dict[str, str]) -> None:
        given = "".join(f' {key}="{_plain_value(value)}"' for key, value in attributes.items())
        out.append(f"<{name}{given}>")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: out.append(f"</{name}>")
    parser.CharacterDataHandler = lambda text: out.append(attribute(text).replace(">", "&gt;").replace("\r", "&#13;"))
    for _ in feed(parser, pieces):
        yield "".join(out).encode()
        out.clear()
    yield "".join(out).encode()


def _plain_value(value: str) -> str:
    return attribute(value).replace(">", "&gt;").replace("\r", "&#13;")


def check_form(pieces: Iterable[bytes]) -> None:
    """Raise `WorkbookDamaged` unless the pieces are one well-formed XML part."""
    for _ in feed(new_parser(), pieces):
        pass


def tag_end(content: bytes | bytearray, start: int) -> int:
    """Return where the tag that starts at `start` ends; `>` may stand inside attribute values."""
    match = _TAG.match(content, start)
    if match is None:
        raise WorkbookDamaged(problem="a tag does not end")
    return match.end()


@dataclass(slots=True)
class Element:
    """An element with its place in the bytes: `start:open_end` is its start tag, `close:end` its end tag."""

    name: str
    attributes: dict[str, str]
    start: int
    open_end: int = 0
    close: int = 0
    end: int = 0
    children: list["Element"] = field(default_factory=list)

    @property
    def local(self) -> str:
        """Return the name without its prefix."""
        return self.name.rpartition(":")[2]

    @property
    def prefix(self) -> str:
        """Return the prefix with its colon, empty when there is none."""
        return self.name[: len(self.name) - len(self.local)]

    @property
    def empty(self) -> bool:
        """Say whether it is written `<name/>`."""
        return self.open_end == self.end

    def all(self, local: str) -> list["Element"]:
        """Return the children of that name."""
        return [child for child in self.children if child.local == local]

    def first(self, local: str) -> "Element | None":
        """Return the first child of that name."""
        return next((child for child in self.children if child.local == local), None)

    def get(self, local: str) -> str:
        """Return an attribute by its name without prefix; empty when there is none."""
        if local in self.attributes:
            return self.attributes[local]
        return next((value for key, value in self.attributes.items() if key.endswith(":" + local)), "")

    def number(self, local: str) -> int:
        """Return an attribute as a number; 0 when it is none."""
        value = self.get(local).strip()
        return int(value) if value.isascii() and value.isdigit() and len(value) < _DIGITS else 0


def parse(content: bytes) -> Element:
    """Return the tree of a small part."""
    root = Element("", {}, 0)
    stack = [root]
    parser = new_parser()

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes, parser.CurrentByteIndex)
        stack[-1].children.append(element)
        stack.append(element)
        if len(stack) > _DEEPEST:
            raise WorkbookDamaged(problem=f"its elements stand in one another more than {_DEEPEST} times")

    def end(name: str) -> None:
        element = stack.pop()
        element.open_end = element.close = element.end = tag_end(content, element.start)
        if content[element.open_end - 2] != ord("/"):
            element.close = parser.CurrentByteIndex
            element.end = content.index(b">", element.close) + 1

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    for _ in feed(parser, [content]):
        pass
    return root.children[0]


Edit = tuple[int, int, bytes]
"""Replace the bytes from the first to the second position."""


def edited(content: bytes, edits: Sequence[Edit]) -> bytes:
    """Return the content with all edits made; they must not overlap. At one place they follow in the given order."""
    pieces: list[bytes] = []
    position = 0
    for start, end, replacement in sorted(edits, key=lambda edit: edit[:2]):
        pieces += (content[position:start], replacement)
        position = end
    return b"".join([*pieces, content[position:]])


def insert_last(content: bytes, parent: Element, child: bytes) -> Edit:
    """Return the edit that adds a child at the end of an element, opening `<parent/>` where needed."""
    if not parent.empty:
        return parent.close, parent.close, child
    tag = content[parent.start : parent.open_end]
    opened = tag[: tag.rindex(b"/")] + b">" + child + f"</{parent.name}>".encode()
    return parent.start, parent.end, opened


def set_attribute(content: bytes, element: Element, name: str, value: str | None) -> Edit:
    """Return the edit that sets an attribute in a start tag (None: removes it)."""
    tag = content[element.start : element.open_end]
    return element.start, element.open_end, tag_with(tag, name, value)


def tag_with(tag: bytes, name: str, value: str | None) -> bytes:
    """Return a start tag with an attribute set, or without it when the value is None."""
    tag = re.sub(rb"""\s""" + re.escape(name.encode()) + rb"""\s*=\s*("[^"]*"|'[^']*')""", b"", tag, count=1)
    if value is None:
        return tag
    at = tag.rindex(b"/>") if tag.endswith(b"/>") else tag.rindex(b">")
    return tag[:at].rstrip() + f' {name}="{attribute(value)}"'.encode() + tag[at:]


def attribute(value: str) -> str:
    """Return a value as it stands between double quotes."""
    escaped = value.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return escaped.replace("\n", "&#10;").replace("\t", "&#9;")
