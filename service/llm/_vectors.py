"""The vectors of the texts seen last, so that a text that comes again costs nothing."""

from collections import OrderedDict
from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


class Vectors:
    """A least-recently-used cache from text to vector; of the texts only digests are kept."""

    def __init__(self, size: int = 4096) -> None:
        self._size = size
        self._kept: OrderedDict[bytes, Vector] = OrderedDict()

    def get(self, text: str) -> Vector | None:
        """Return the text's vector, None when it is not (or no longer) known."""
        key = _key(text)
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def keep(self, pairs: Iterable[tuple[str, Vector]]) -> None:
        """Remember vectors, forgetting those not asked for longest."""
        for text, vector in pairs:
            key = _key(text)
            self._kept[key] = vector
            self._kept.move_to_end(key)
        while len(self._kept) > self._size:
            self._kept.popitem(last=False)


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
