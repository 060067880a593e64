"""The word tables in `lexicon/`: read once, when first needed."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def lines(name: str, separator: str = ":") -> tuple[tuple[str, str], ...]:
    """Return the (key, rest) lines of a table, comments and empty lines left out."""
    text = files("flags._local").joinpath("lexicon", f"{name}.txt").read_text(encoding="utf-8")
    kept = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    parted = (line.partition(f"{separator} ") for line in kept)
    return tuple((key.strip(), rest.strip()) for key, _, rest in parted)


@cache
def words(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return key → words of a table whose lines are `key: word word …`; equal keys are joined."""
    return _joined(name, " ")


@cache
def phrases(name: str, separator: str = ":") -> Mapping[str, tuple[str, ...]]:
    """Return key → phrases of a table whose lines are `key: phrase | phrase …`; equal keys are joined."""
    return _joined(name, "|", separator)


@cache
def sentences(name: str) -> Mapping[str, str]:
    """Return key → sentence of a table whose lines are `key: sentence`."""
    return dict(lines(name))


def _joined(name: str, between: str, separator: str = ":") -> Mapping[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for key, rest in lines(name, separator):
        table[key] = (*table.get(key, ()), *(word.strip() for word in rest.split(between) if word.strip()))
    return table
