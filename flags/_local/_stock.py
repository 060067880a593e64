"""How many of some stems a text has, in the same or a kindred form."""

from collections.abc import Collection, Iterable

_KINDRED = 0.8
_LEAST = 5
"""Letters two stems must share to be kindred: at their beginning, or one within the other as in compounds."""
_ALIKE = 0.6
"""Share of letter triples from which a stem counts as another's misspelling, by that share."""
_SOUGHT = 400


class Stock:
    """The stems of a text, made to be searched in time that does not grow with it."""

    def __init__(self, stems: Collection[str]) -> None:
        self._stems = frozenset(stems)
        self._joined = " ".join(self._stems)
        self._beginnings: dict[str, set[str]] = {}
        for stem in self._stems:
            self._beginnings.setdefault(stem[:2], set()).add(stem)

    def has(self, stem: str) -> float:
        """Return 1 where the stem is there, less where only a kindred one is, else 0."""
        if stem in self._stems:
            return 1.0
        if len(stem) >= _LEAST and (stem[:_LEAST] in self._joined_beginnings(stem) or self._joins(stem)):
            return _KINDRED
        near = max((_alike(stem, other) for other in self._beginnings.get(stem[:2], ())), default=0.0)
        return near if near >= _ALIKE else 0.0

    def share(self, sought: Iterable[str]) -> float:
        """Return the share of stems that are there, drawn towards one half where few are sought."""
        few = sorted(sought)[:_SOUGHT]
        return (sum(map(self.has, few)) + 0.5) / (len(few) + 1)

    def _joined_beginnings(self, stem: str) -> set[str]:
        return {other[:_LEAST] for other in self._beginnings.get(stem[:2], ())}

    def _joins(self, stem: str) -> bool:
        """Tell whether the stem is part of a compound, or has one of the stems as a part."""
        parts = (stem[start:end] for start in range(len(stem)) for end in range(start + _LEAST, len(stem) + 1))
        return stem in self._joined or any(part in self._stems for part in parts)


def _alike(one: str, other: str) -> float:
    if len(one) < _LEAST - 1 or len(other) < _LEAST - 1:
        return 0.0
    mine, theirs = _triples(one), _triples(other)
    return 2 * len(mine & theirs) / (len(mine) + len(theirs))


def _triples(stem: str) -> set[str]:
    marked = f"^{stem}$"
    return {marked[place : place + 3] for place in range(len(marked) - 2)}
