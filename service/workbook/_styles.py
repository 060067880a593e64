"""Cell formats of ours, appended to a workbook's styles; what stands there already stays as it is."""

from dataclasses import dataclass, field

from service.workbook._xml import Edit, Element, edited, insert_last, parse, tag_with

_NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LISTS = (
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>'
)
EMPTY_STYLES = (
    f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<styleSheet xmlns="{_NAMESPACE}">{_LISTS}</styleSheet>'
).encode()
"""The styles of a workbook that has none."""

HEADER_FILL = "FF1F3A5F"
RUN_FILL = "FF2E6F73"
"""Colours of the headers a person fills and a run fills, in the template and in added columns."""


@dataclass(frozen=True, slots=True)
class Styles:
    """Numbers of our cell formats in one workbook."""

    title: int
    heading: int
    header: int
    wrapped: int
    plain: int
    number: int
    flag: int


@dataclass
class _Appender:
    """Adds children to the lists of a styles part, or finds them there."""

    content: bytes
    root: Element
    added: dict[str, list[bytes]] = field(default_factory=dict)

    def index(self, listed: str, xml: str) -> int:
        """Return the number of a child in a list, which gets it if it has none like it; 0 without such a list."""
        parent = self.root.first(listed)
        if parent is None:
            return 0
        child = _prefixed(xml, self.root.prefix)
        known = [self.content[element.start : element.end] for element in parent.children]
        known += self.added.setdefault(listed, [])
        if child.encode() not in known:
            known.append(child.encode())
            self.added[listed].append(child.encode())
        return known.index(child.encode())

    def number_format(self, code: str) -> int:
        """Return the id of a number format, added where it is missing."""
        parent = self.root.first("numFmts")
        formats = parent.all("numFmt") if parent else []
        for element in formats:
            if element.get("formatCode") == code:
                return element.number("numFmtId")
        ids = [element.number("numFmtId") for element in formats]
        number = max([163, *ids]) + 1
        xml = f'<{self.root.prefix}numFmt numFmtId="{number}" formatCode="{code}"/>'.encode()
        self.added["numFmts"] = [xml]
        return number

    def result(self) -> bytes:
        """Return the part with everything added."""
        edits: list[Edit] = []
        for listed, children in self.added.items():
            parent = self.root.first(listed)
            if children and parent:
                edits += _grown(self.content, parent, children)
            elif children:
                name = f"{self.root.prefix}{listed}"
                xml = f'<{name} count="{len(children)}">'.encode() + b"".join(children) + f"</{name}>".encode()
                edits.append((self.root.open_end, self.root.open_end, xml))
        return edited(self.content, edits)


def _grown(content: bytes, parent: Element, children: list[bytes]) -> list[Edit]:
    tag = content[parent.start : parent.open_end]
    opened = tag_with(tag, "count", str(len(parent.children) + len(children)))
    if not parent.empty:
        return [(parent.start, parent.open_end, opened), (parent.close, parent.close, b"".join(children))]
    opened = opened[: opened.rindex(b"/")] + b">"
    return [(parent.start, parent.end, opened + b"".join(children) + f"</{parent.name}>".encode())]


def _prefixed(xml: str, prefix: str) -> str:
    return xml.replace("<", f"<{prefix}").replace(f"<{prefix}/", f"</{prefix}")


def _with_lists(content: bytes) -> bytes:
    """Return the part with the lists every workbook has, when it is empty."""
    root = parse(content)
    if root.children:
        return content
    return edited(content, [insert_last(content, root, _prefixed(_LISTS, root.prefix).encode())])


def append_styles(content: bytes) -> tuple[bytes, Styles]:
    """Return the styles part with our formats in it, and their numbers."""
    content = _with_lists(content)
    appender = _Appender(content, parse(content))
    bold = appender.index("fonts", '<font><b/><sz val="11"/><name val="Calibri"/></font>')
    large = appender.index("fonts", '<font><b/><sz val="16"/><color rgb="FF1F3A5F"/><name val="Calibri"/></font>')
    white = appender.index("fonts", '<font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/></font>')
    fill = f'<fill><patternFill patternType="solid"><fgColor rgb="{RUN_FILL}"/></patternFill></fill>'
    dark = appender.index("fills", fill)
    similarity = appender.number_format("0.000")

    def xf(alignment: str, *, font: int = 0, fill: int = 0, number: int = 0) -> int:
        applied = "".join(
            f' {name}="1"'
            for name, used in (("applyNumberFormat", number), ("applyFont", font), ("applyFill", fill))
            if used
        )
        ids = f'numFmtId="{number}" fontId="{font}" fillId="{fill}" borderId="0" xfId="0"'
        return appender.index("cellXfs", f'<xf {ids}{applied} applyAlignment="1"><alignment {alignment}/></xf>')

    styles = Styles(
        title=xf('vertical="center"', font=large),
        heading=xf('vertical="top"', font=bold),
        header=xf('vertical="center" wrapText="1"', font=white, fill=dark),
        wrapped=xf('vertical="top" wrapText="1"'),
        plain=xf('vertical="top"'),
        number=xf('horizontal="right" vertical="top"', number=similarity),
        flag=xf('horizontal="center" vertical="top"'),
    )
    return appender.result(), styles
