"""What a file is, told by its content and never by its name, before anything is parsed."""

import re
from typing import Literal

from service.errors import (
    WorkbookBinaryXlsb,
    WorkbookDamaged,
    WorkbookEmptyFile,
    WorkbookEncrypted,
    WorkbookHtml,
    WorkbookMacros,
    WorkbookOds,
    WorkbookOldXls,
    WorkbookOtherDocument,
    WorkbookRefused,
    WorkbookText,
    WorkbookUnrecognised,
    WorkbookXml,
)
from service.workbook._package import Package

_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OTHERS = {
    "word/document.xml": "a Word document",
    "ppt/presentation.xml": "a PowerPoint presentation",
    "index/document.iwa": "a document of Numbers, Pages or Keynote",
    "visio/document.xml": "a Visio drawing",
    "meta-inf/container.xml": "an e-book",
    "meta-inf/manifest.mf": "a Java archive",
}
_SIGNATURES = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"{\\rtf": "a text document (RTF)",
    b"\x1f\x8b": "a compressed file (gzip)",
    b"7z\xbc\xaf": "a compressed file (7z)",
    b"Rar!": "a compressed file (rar)",
}
_HTML = re.compile(rb"<\s*(?:!doctype\s+html|html|head|body|table|meta|div)\b", re.IGNORECASE)
_TEXT_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_FEWEST_ZEROS = 8
_WORKBOOK_NAMES = re.compile(r"\.(?:xls[xmb]?|xlt[xm]?|ods)$", re.IGNORECASE)


def recognise(content: bytes, filename: str = "") -> Literal["zip", "csv"]:
    """Return how to read a file, or raise the refusal that names what it is.

    Text is CSV unless its name claims a workbook: then the person believes it to be one and is told.
    """
    if not content:
        raise WorkbookEmptyFile()
    if content.startswith(_ZIP):
        return "zip"
    if content.startswith(_OLE):
        raise _ole(content)
    for signature, kind in _SIGNATURES.items():
        if content.startswith(signature):
            raise WorkbookOtherDocument(kind=kind)
    return _text(content, filename)


def _ole(content: bytes) -> WorkbookRefused:
    def holds(name: str) -> bool:
        return name.encode("utf-16-le") + b"\x00\x00" in content

    if holds("EncryptedPackage") or holds("EncryptionInfo"):
        return WorkbookEncrypted()
    if holds("Workbook") or holds("Book"):
        return WorkbookOldXls()
    if holds("WordDocument"):
        return WorkbookOtherDocument(kind="a Word document in the old format")
    if holds("PowerPoint Document"):
        return WorkbookOtherDocument(kind="a presentation in the old format")
    return WorkbookDamaged(problem="it is neither a complete .xls nor a protected workbook")


def _text(content: bytes, filename: str) -> Literal["csv"]:
    head = content[:4096]
    plain = head.replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    if _HTML.match(plain):
        raise WorkbookHtml()
    if plain.startswith((b"<?xml", b"<")):
        raise WorkbookHtml() if _HTML.search(plain) else WorkbookXml()
    wide = head[:2] in (b"\xff\xfe", b"\xfe\xff") or wide_encoding(content)
    if not plain or (_TEXT_CONTROLS.search(head) and not wide):
        raise WorkbookUnrecognised()
    if _WORKBOOK_NAMES.search(filename):
        raise WorkbookText()
    return "csv"


def wide_encoding(content: bytes) -> str:
    """Return which UTF-16 a text without a byte order mark is in, empty when it is in neither.

    Delimiters, line ends, digits and Latin letters have a zero in one half of their two bytes; binary files have zeros
    in both. A single zero is a slip in another encoding: headers alone have more.
    """
    head = content[:4096]
    zeros = head[::2].count(0), head[1::2].count(0)
    if len(content) % 2 or not max(zeros) or min(zeros) or max(zeros) < max(_FEWEST_ZEROS, len(head) // 40):
        return ""
    encoding = "utf-16-le" if zeros[1] else "utf-16-be"
    return "" if _TEXT_CONTROLS.search(head.decode(encoding, "ignore").encode()) else encoding


def check_kind(package: Package) -> None:
    """Raise the refusal that names a zip which is no .xlsx: other Office files, ODS, xlsb, macros."""
    if "mimetype" in package:
        _check_open_document(package.read("mimetype")[:200])
    for part, kind in _OTHERS.items():
        if part in package:
            raise WorkbookOtherDocument(kind=kind)
    names = package.entries.keys()
    if any(name.startswith("index/") and name.endswith(".iwa") for name in names):
        raise WorkbookOtherDocument(kind="a document of Numbers, Pages or Keynote")
    if "[Content_Types].xml" not in package:
        if any(name.startswith("xl/") for name in names):
            raise WorkbookDamaged(problem="its list of content types is missing")
        raise WorkbookOtherDocument(kind="a zip archive")
    _check_types(package.read("[Content_Types].xml"), any(name.endswith("vbaproject.bin") for name in names))


def _check_open_document(kind: bytes) -> None:
    if b"opendocument.spreadsheet" in kind:
        raise WorkbookOds()
    if b"opendocument" in kind:
        raise WorkbookOtherDocument(kind="an OpenDocument file")


def _check_types(types: bytes, has_macros: bool) -> None:
    if b"sheet.binary.macroEnabled" in types:
        raise WorkbookBinaryXlsb()
    if has_macros or b"macroEnabled" in types:
        raise WorkbookMacros()
