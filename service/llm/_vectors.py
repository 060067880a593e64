"""The vectors of the texts seen last, so that a text that comes again costs nothing."""

from collections import OrderedDict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


class Vectors:
    """A least-recently-used cache from text to vector."""

    def __init__(self, size: int = 8192) -> None:
        self._size = size
        self._kept: OrderedDict[str, Vector] = OrderedDict()

    def get(self, text: str) -> Vector | None:
        """Return the text's vector, None when it is not (or no longer) known."""
        if text in self._kept:
            self._kept.move_to_end(text)
        return self._kept.get(text)

    def keep(self, pairs: Iterable[tuple[str, Vector]]) -> None:
        """Remember vectors, forgetting those not asked for longest."""
        for text, vector in pairs:
            self._kept[text] = vector
            self._kept.move_to_end(text)
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)
