"""A line of lineage in the file's own properties: of which set and run the benchmark answers are."""

from collections.abc import Mapping
from typing import Final

from service.workbook._parts import Changes, EditedPart
from service.workbook._text import clean_text
from service.workbook._xml import attribute

_PART: Final = "docProps/custom.xml"
_TYPE: Final = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
_SPACE: Final = "officeDocument/2006/custom-properties"
_RELATION: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/custom-properties"
_TYPES: Final = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"
_FORMAT: Final = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"
NAME: Final = "flagbook adopted"


def add_lineage(changes: Changes, lineage: Mapping[str, str]) -> None:
    """Add a property `flagbook adopted N` that says what the mapping says: set, run, who, when."""
    package = changes.book.package
    text = "; ".join(f"{key}: {value}" for key, value in lineage.items())
    if _PART in package:
        part = EditedPart(package, _PART)
        number = sum(element.get("name").startswith(NAME) for element in part.root.children) + 1
        taken = [element.number("pid") for element in part.root.children]
        part.add(part.root, _property(number, max([1, *taken]) + 1, text, part.root.prefix))
        changes.replaced[part.name] = part.result()
        return
    xml = f"<{_property(1, 2, text, '')}"
    changes.added[_PART] = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        f'<Properties xmlns="http://schemas.openxmlformats.org/{_SPACE}">{xml}</Properties>'
    ).encode()
    changes.declare(_PART, _TYPE)
    root = EditedPart(package, "_rels/.rels")
    ids = {element.get("Id") for element in root.root.children}
    free = next(f"rId{number}" for number in range(1, len(ids) + 2) if f"rId{number}" not in ids)
    root.add(root.root, f'Relationship Id="{free}" Type="{_RELATION}" Target="{_PART}"/>')
    changes.replaced[root.name] = root.result()


def _property(number: int, pid: int, text: str, prefix: str) -> str:
    value = attribute(clean_text(text)).replace(">", "&gt;")
    return (
        f'property fmtid="{_FORMAT}" pid="{pid}" name="{NAME} {number}">'
        f'<vt:lpwstr xmlns:vt="{_TYPES}">{value}</vt:lpwstr></{prefix}property>'
    )
