"""The sentences of two texts that are near copies of each other."""

from dataclasses import dataclass

from flags._local._claims import Claim
from flags._local._edits import LEAST_ALIKE, Edit, edits
from flags._local._pairs import Pairs

_PAIRS = 100
"""So many pairs of sentences are compared word by word."""


@dataclass(frozen=True, kw_only=True)
class Changes:
    """The sentences that were copied with their edits, and the share of both texts, by length, that they make up."""

    found: tuple[tuple[Claim, Claim, tuple[Edit, ...]], ...]
    copied: float

    @property
    def strongest(self) -> Edit | None:
        """Return the edit that most surely changes the meaning."""
        return max((edit for _, _, made in self.found for edit in made), key=lambda edit: edit.strength, default=None)


def changes(pairs: Pairs) -> Changes:
    """Return what was changed in all sentences that are near copies of one of the other text."""
    found: list[tuple[Claim, Claim, tuple[Edit, ...]]] = []
    for row, column in pairs.best(LEAST_ALIKE)[:_PAIRS]:
        one, other = pairs.one.claims[row], pairs.other.claims[column]
        if (made := edits(one, other, (pairs.one, pairs.other))) is not None:
            found.append((one, other, made))
    mine = {one.text: len(one.text) for one, _, _ in found}
    theirs = {other.text: len(other.text) for _, other, _ in found}
    whole = sum(len(claim.text) for claim in (*pairs.one.claims, *pairs.other.claims))
    copied = (sum(mine.values()) + sum(theirs.values())) / max(whole, 1)
    return Changes(found=tuple(found), copied=copied)
