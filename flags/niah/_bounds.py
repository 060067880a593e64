"""Where a phrase stands in a text as itself, and not as a part of a longer word, name or number."""

from collections.abc import Iterator

_UNSPACED = ((0x0E00, 0x0EFF), (0x2E80, 0xD7FF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
"""Scripts that write words without spaces between them (Thai, Lao, Chinese, Japanese, Korean)."""
_HYPHENS = "-‐‑"


def joins(left: str, right: str) -> bool:
    """Tell whether two neighbouring characters belong to one word or number; "" joins nothing."""
    return bool(left and right) and _is_wordlike(left) and _is_wordlike(right)


def _is_wordlike(character: str) -> bool:
    code = ord(character)
    return (character.isalnum() or character == "_") and not any(low <= code <= high for low, high in _UNSPACED)


def occurrences(phrase: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of a phrase that no letter, digit, decimals or further `-part` makes longer."""
    start = text.find(phrase) if phrase else -1
    while start >= 0:
        end = start + len(phrase)
        before, after = text[max(start - 2, 0) : start], text[end : end + 2]
        if not _grows_left(before, phrase[0]) and not _grows_right(phrase[-1], after):
            yield start, end
        start = text.find(phrase, start + 1)


def _grows_right(last: str, after: str) -> bool:
    if joins(last, after[:1]):
        return True
    if len(after) < 2 or not _is_wordlike(after[1]):
        return False
    return after[0] in _HYPHENS or (after[0] in ".,'’" and last.isdigit() and after[1].isdigit())


def _grows_left(before: str, first: str) -> bool:
    if joins(before[-1:], first):
        return True
    if len(before) < 2 or not _is_wordlike(before[0]):
        return False
    return before[1] in _HYPHENS or (before[1] in ".,'’" and first.isdigit() and before[0].isdigit())
