"""Which of several values a response says of which entity."""

import re
from collections.abc import Iterator, Mapping, Sequence

from flags.niah._bounds import occurrences
from flags.niah._numbers import numbers
from flags.niah._reading import lower

_LINE = re.compile(r"\n+|;\s*|(?<=[^\W_][.!?])\s+(?=[A-Z])|(?<=\d[.!?])\s+(?=[A-Z])")
_ITEM = re.compile(r"[\n;]+|,(?!\d)\s*(?:and\s+|und\s+|et\s+|e\s+)?|\s+(?:and|und|et|e)\s+")


def by_name(text: str, entities: Sequence[str]) -> Mapping[str, str]:
    """Return what a text says of each entity it names: its line, or the part between it and the next entity.

    In a line of several entities the value may stand before or after its entity, in the same way for all of them.
    """
    found: dict[str, str] = {}
    for line in _LINE.split(text):
        places = sorted(_places(line, entities))
        if len(places) == 1:
            found.setdefault(places[0][2], line)
        elif places:
            found = {**dict(_between(line, places)), **found}
    return found


def _places(line: str, entities: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    rest = lower(line)
    for entity in sorted(set(entities), key=lambda name: (-len(name), name)):
        for start, end in list(occurrences(lower(entity), rest)):
            rest = rest[:start] + "\0" * (end - start) + rest[end:]
            yield start, end, entity


def _between(line: str, places: Sequence[tuple[int, int, str]]) -> Iterator[tuple[str, str]]:
    is_value_first = bool(numbers(line[: places[0][0]]))
    starts = [0, *(end for _, end, _ in places[:-1])]
    ends = [*(start for start, _, _ in places[1:]), len(line)]
    for index, (start, end, entity) in enumerate(places):
        yield entity, line[starts[index] : start] if is_value_first else line[end : ends[index]]


def in_order(text: str, count: int) -> tuple[str, ...]:
    """Return the items of a text that lists exactly so many, on lines or behind commas, else nothing."""
    lines = [line for line in text.splitlines() if any(character.isalnum() for character in line)]
    items = [item for item in _ITEM.split(text) if any(character.isalnum() for character in item)]
    return next((tuple(found) for found in (lines, items) if len(found) == count), ())
