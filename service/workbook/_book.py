"""The workbook part: which sheets there are, where they stand, and how parts are related."""

import posixpath
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import unquote

from service.errors import WorkbookDamaged, WorkbookTooLarge
from service.workbook._limits import MB
from service.workbook._package import Package, part_key
from service.workbook._recognise import check_kind
from service.workbook._xml import Element, feed, new_parser, parse, utf8

_SMALL = 20
"""Largest size of a part that is read as a tree, in MB."""


def read_tree(package: Package, name: str) -> tuple[bytes, Element]:
    """Return a part's bytes (in UTF-8) and its tree; one that is damaged is named."""
    pieces: list[bytes] = []
    size = 0
    for piece in utf8(package.stream(name)):
        size += len(piece)
        if size > _SMALL * MB:
            raise WorkbookTooLarge(what=f"part {name}", limit=f"{_SMALL} MB")
        pieces.append(piece)
    content = b"".join(pieces)
    with naming(name):
        return content, parse(content)


@contextmanager
def naming(part: str) -> Iterator[None]:
    """Name the part in which something is damaged."""
    try:
        yield
    except WorkbookDamaged as error:
        raise WorkbookDamaged(problem=f"part {part}: {error.params['problem']}") from error


def attributes_in(package: Package, part: str, name: str) -> Iterator[str]:
    """Yield an attribute of every element of a part, however large it is."""
    found: list[str] = []
    parser = new_parser()
    parser.StartElementHandler = lambda _, attributes: found.append(attributes.get(name, ""))
    for _ in feed(parser, utf8(package.stream(part))):
        yield from found
        found.clear()


@dataclass(frozen=True, slots=True)
class Relation:
    """One relationship: its id, the last word of its type, and the part it leads to."""

    id: str
    kind: str
    part: str
    element: Element


def relations_part(part: str) -> str:
    """Return the name of the part that holds a part's relationships."""
    folder, _, name = part.rpartition("/")
    return f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels"


def read_relations(package: Package, part: str) -> tuple[Relation, ...]:
    """Return the internal relationships of a part, with targets resolved to part names."""
    name = relations_part(part)
    if name not in package:
        return ()
    _, root = read_tree(package, name)
    return tuple(
        Relation(
            element.get("Id"),
            element.get("Type").rpartition("/")[2],
            _resolve(package, part, element.get("Target")),
            element,
        )
        for element in root.all("Relationship")
        if element.get("TargetMode").lower() != "external"
    )


def _resolve(package: Package, part: str, target: str) -> str:
    folder = "/" if target.startswith("/") else posixpath.dirname("/" + part)
    name = posixpath.normpath(posixpath.join(folder, target.replace("\\", "/"))).lstrip("/")
    return name if name in package else unquote(name)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A worksheet: its name, its part, whether a person sees it, its place in the list and its element there."""

    name: str
    part: str
    visible: bool
    position: int
    relation: Relation
    element: Element

    @property
    def key(self) -> str:
        """Return the part's name as it is compared."""
        return part_key(self.part)


class Book:
    """The workbook part with its relations and worksheets."""

    def __init__(self, package: Package) -> None:
        check_kind(package)
        self.package = package
        main = [relation.part for relation in read_relations(package, "") if relation.kind == "officeDocument"]
        if not main:
            raise WorkbookDamaged(problem="it does not say which part is the workbook")
        self.part = main[0]
        self.content, self.root = read_tree(package, self.part)
        self.relations = read_relations(package, self.part)
        self.sheets = tuple(self._sheets())

    def _sheets(self) -> list[Sheet]:
        by_id = {relation.id: relation for relation in self.relations}
        found: list[Sheet] = []
        for position, element in enumerate(self.all_sheets):
            relation = by_id.get(element.get("id"))
            if relation is None or relation.kind != "worksheet":
                continue
            if relation.part not in self.package:
                raise WorkbookDamaged(problem=f"the sheet “{element.get('name')}” is missing")
            visible = element.get("state") in ("", "visible")
            found.append(Sheet(element.get("name"), relation.part, visible, position, relation, element))
        if not found and any(element.get("id") not in by_id for element in self.all_sheets):
            raise WorkbookDamaged(problem="it does not say where its sheets stand")
        return found

    @property
    def all_sheets(self) -> list[Element]:
        """Return the elements of all sheets, charts among them."""
        listed = self.root.first("sheets")
        return listed.all("sheet") if listed else []

    def related(self, kind: str) -> str:
        """Return the part of a kind (`styles`, `sharedStrings`, `calcChain`) the workbook leads to, or nothing."""
        parts = [relation.part for relation in self.relations if relation.kind == kind]
        return parts[0] if parts and parts[0] in self.package else ""

    @property
    def strict(self) -> bool:
        """Say whether the workbook is written in the namespaces of Strict Open XML."""
        return any("purl.oclc.org" in value for value in self.root.attributes.values())

    @property
    def date1904(self) -> bool:
        """Say whether its dates are counted from 1904."""
        properties = self.root.first("workbookPr")
        return properties is not None and properties.get("date1904") in ("1", "true")
