"""Text as a cell may hold it: what xlsx escapes, what XML forbids, how long it may be.

What comes back from a written file is `cell_text(text)`: CRLF and CR become LF, control characters XML forbids are
dropped, lone surrogates and noncharacters become U+FFFD, and text over 32,767 UTF-16 units ends in a visible note.
"""

import hashlib
import re

CELL_LIMIT = 32_767
"""UTF-16 units a cell may hold (an emoji counts two)."""
CUT_MARK = "[… cut:"

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_BROKEN = re.compile("[\ud800-\udfff\ufffe\uffff]")
_ODD = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")


def cell_text(text: str) -> str:
    """Return the text as a cell will hold it, cut with a visible note when it is too long."""
    clean = clean_text(text)
    if len(clean) * 2 <= CELL_LIMIT or units(clean) <= CELL_LIMIT:
        return clean
    total = units(clean)
    note = f"\n{CUT_MARK} {total:,} characters, a cell holds {CELL_LIMIT:,}; the whole text is kept in the database]"
    return _first_units(clean, CELL_LIMIT - units(note)) + note


def clean_text(text: str) -> str:
    """Return the text without what no cell can hold: LF line ends, no control characters, no lone surrogates."""
    if not _ODD.search(text):
        return text
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    unix = paired.replace("\r\n", "\n").replace("\r", "\n")
    return _BROKEN.sub("\ufffd", _CONTROL.sub("", unix))


def answer_hash(text: str) -> str:
    """Return what a review remembers of the answer it was given for: the SHA-256 of the text as its cell holds it."""
    return hashlib.sha256(cell_text(text).encode()).hexdigest()


def was_cut(text: str) -> bool:
    """Say whether a cell's text is one that `cell_text` has cut."""
    return CUT_MARK in text[-200:] and text.endswith("kept in the database]")


def units(text: str) -> int:
    """Return the length as Excel counts it, in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "replace")) // 2


def xml_text(text: str) -> str:
    """Return a cell's text as it stands inside `<t>`: what looks like an xlsx escape is escaped itself."""
    if "_x" in text:
        text = _ESCAPE.sub(lambda match: "_x005F" + match.group(), text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def read_text(text: str) -> str:
    """Return what `<t>` means: escapes resolved (`_x000D_`), then cleaned."""
    if "_x" not in text and "\r" not in text:
        return text  # XML itself allows nothing else that would have to be cleaned
    return clean_text(_ESCAPE.sub(lambda match: chr(int(match.group(1), 16)), text))


def _first_units(text: str, count: int) -> str:
    return text.encode("utf-16-le")[: count * 2].decode("utf-16-le", "ignore")
