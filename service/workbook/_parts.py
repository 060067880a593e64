"""Edits of the small parts around the sheets: workbook, relationships, content types."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.errors import WorkbookDamaged
from service.workbook._book import Book, Sheet, read_tree, relations_part
from service.workbook._frame import Area
from service.workbook._package import Package, part_key
from service.workbook._styles import EMPTY_STYLES
from service.workbook._xml import Edit, Element, attribute, edited, insert_last, tag_with

_TYPES = "[Content_Types].xml"
_MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_TRANSITIONAL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STRICT = "http://purl.oclc.org/ooxml/officeDocument/relationships"
_FILTER_NAME = "_xlnm._FilterDatabase"
_BEFORE_NAMES = ("sheets", "functionGroups", "externalReferences")


class EditedPart:
    """A part with the edits to be made in it."""

    def __init__(self, package: Package, name: str) -> None:
        self.name = package.entries[part_key(name)].filename if name in package else name
        self.content, self.root = read_tree(package, name)
        self.edits: list[Edit] = []

    def add(self, parent: Element, child: str) -> None:
        """Add a child at the end of an element, in the element's namespace prefix."""
        self.edits.append(insert_last(self.content, parent, f"<{self.root.prefix}{child}".encode()))

    def remove(self, element: Element) -> None:
        """Take an element out."""
        self.edits.append((element.start, element.end, b""))

    def result(self) -> bytes:
        """Return the part with its edits made."""
        return edited(self.content, self.edits)


@dataclass
class Changes:
    """What becomes of a workbook's parts; parts not named here are copied as they are.

    `replaced` and `added` map part names to bytes. The four parts edited together are written by `finish`.
    """

    book: Book
    replaced: dict[str, bytes] = field(default_factory=dict)
    added: dict[str, bytes] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        package = self.book.package
        self.workbook = EditedPart(package, self.book.part)
        self.relations = EditedPart(package, relations_part(self.book.part))
        self.types = EditedPart(package, _TYPES)
        self._given: set[str] = set()
        self._sheets = 0
        self._ids = {relation.get("Id") for relation in self.relations.root.children}

    def finish(self) -> None:
        """Write the edited parts into `replaced`."""
        for part in (self.workbook, self.relations, self.types):
            if part.edits:
                self.replaced[part.name] = part.result()

    def free_part(self, stem: str) -> str:
        """Return a name for a new part: the stem with the first number that is free."""
        number = 1
        while f"{stem}{number}.xml" in self.book.package or f"{stem}{number}.xml" in self._given:
            number += 1
        self._given.add(f"{stem}{number}.xml")
        return f"{stem}{number}.xml"

    def relate(self, part: str, kind: str, content_type: str) -> str:
        """Lead the workbook to a new part; returns the relationship's id."""
        number = len(self._ids) + 1
        while f"rId{number}" in self._ids:
            number += 1
        self._ids.add(f"rId{number}")
        base = _STRICT if self.book.strict else _TRANSITIONAL
        self.relations.add(
            self.relations.root, f'Relationship Id="rId{number}" Type="{base}/{kind}" Target="/{attribute(part)}"/>'
        )
        self.declare(part, f"{_MAIN}.{content_type}+xml")
        return f"rId{number}"

    def declare(self, part: str, content_type: str) -> None:
        """Say of what type a new part is."""
        self.types.add(self.types.root, f'Override PartName="/{attribute(part)}" ContentType="{content_type}"/>')

    def add_sheet(self, name: str, part: str) -> None:
        """Put a new sheet at the end of the workbook's list."""
        relation = self.relate(part, "worksheet", "worksheet")
        sheets = self.book.root.first("sheets")
        if sheets is None:
            raise WorkbookDamaged(problem="the workbook lists no sheets")
        ids = [element.number("sheetId") for element in sheets.children]
        base = _STRICT if self.book.strict else _TRANSITIONAL
        self._sheets += 1
        number = max(ids, default=0) + self._sheets
        self.workbook.add(
            sheets, f'sheet xmlns:r="{base}" name="{attribute(name)}" sheetId="{number}" r:id="{relation}"/>'
        )

    def drop(self, part: str) -> None:
        """Take a part out, with what leads to it and says its type."""
        self.dropped.add(part_key(part))
        for relation in self.book.relations:
            if part_key(relation.part) == part_key(part):
                self.relations.remove(relation.element)
        for element in self.types.root.all("Override"):
            if part_key(element.get("PartName")) == part_key(part):
                self.types.remove(element)

    def styles(self) -> bytes:
        """Return the workbook's styles part; one is added where there is none."""
        part = self.book.related("styles")
        if part:
            return read_tree(self.book.package, part)[0]
        usual = "xl/styles.xml"  # some readers look for it under this name only
        self.styles_part = self.free_part("xl/styles") if usual in self.book.package else usual
        self.relate(self.styles_part, "styles", "styles")
        return EMPTY_STYLES

    def set_styles(self, content: bytes) -> None:
        """Put the changed styles in place."""
        part = self.book.related("styles")
        if part:
            self.replaced[part] = content
        else:
            self.added[self.styles_part] = content

    def remove_sheet(self, sheet: Sheet) -> None:
        """Take a sheet out of the workbook; names and views that count sheets are counted anew."""
        self.drop(sheet.part)
        self.dropped.add(part_key(relations_part(sheet.part)))
        self.workbook.remove(sheet.element)
        names = self.book.root.first("definedNames")
        for element in names.all("definedName") if names else ():
            if element.get("localSheetId") == str(sheet.position):
                self.workbook.remove(element)
            else:
                self._recount(element, ("localSheetId",), sheet.position)
        views = self.book.root.first("bookViews")
        for element in views.all("workbookView") if views else ():
            self._recount(element, ("activeTab", "firstSheet"), sheet.position)

    def _recount(self, element: Element, names: Sequence[str], removed: int) -> None:
        """Count sheets anew in the attributes of an element: those behind the removed one have moved up."""
        tag = old = self.workbook.content[element.start : element.open_end]
        for name in names:
            number = element.number(name)
            if number >= max(removed, 1):
                tag = tag_with(tag, name, str(number - 1))
        if tag != old:
            self.workbook.edits.append((element.start, element.open_end, tag))

    def define_filter(self, sheet: Sheet, area: Area) -> None:
        """Set the hidden name by which Excel knows a sheet's filter."""
        quoted = "'" + sheet.name.replace("'", "''") + "'"
        start, end = (_absolute(corner) for corner in (area.reference.split(":") * 2)[:2])
        text = attribute(f"{quoted}!{start}:{end}").replace(">", "&gt;")
        prefix = self.workbook.root.prefix
        local = f'localSheetId="{sheet.position}"'
        xml = f'definedName name="{_FILTER_NAME}" {local} hidden="1">{text}</{prefix}definedName>'
        names = self.book.root.first("definedNames")
        for element in names.all("definedName") if names else ():
            if element.get("name") == _FILTER_NAME and element.get("localSheetId") == str(sheet.position):
                self.workbook.remove(element)
        if names is not None:
            self.workbook.add(names, xml)
            return
        places = [element.end for local in _BEFORE_NAMES for element in self.book.root.all(local)]
        whole = f"<{prefix}definedNames><{prefix}{xml}</{prefix}definedNames>".encode()
        self.workbook.edits.append((max(places), max(places), whole))


def _absolute(corner: str) -> str:
    letters = corner.rstrip("0123456789")
    return f"${letters}${corner[len(letters) :]}"
