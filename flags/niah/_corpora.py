"""Haystacks by name: synthetic prose of any length, and the texts that were handed over."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock

from flags.niah._corpus import Corpus
from flags.niah._errors import HaystackTooShort, HaystackUnknown
from flags.niah._options import nearest
from flags.niah._prose import prose
from flags.niah._task import Tokenizer

SYNTHETIC = "synthetic"
_SMALLEST = 65_536
"""So many words of prose are written at least, so that short documents rarely begin alike."""
_KEPT = 6


class Corpora:
    """Opens corpora, tokenising each once; the last few are kept. May be shared by threads.

    `texts` holds the text of every named haystack. Reproducibility: `synthetic` depends on seed and length alone.
    """

    def __init__(self, tokenizer: Tokenizer, texts: Mapping[str, str] | None = None) -> None:
        self.tokenizer = tokenizer
        self._texts = dict(texts or {})
        self._open: OrderedDict[tuple[str, int, int], Corpus] = OrderedDict()
        self._lock = Lock()

    def open(self, name: str, length: int, *, seed: int = 0, pad: bool = False) -> Corpus:
        """Return a corpus for documents of `length` tokens.

        Raise `HaystackUnknown` for a name without a text, `HaystackTooShort` where it is shorter and may not be
        repeated (`pad`).
        """
        size = _size(length)
        if name == SYNTHETIC:
            return self._once((name, seed, size), lambda: Corpus.of(name, prose(seed, size), self.tokenizer))
        nearest(name, [SYNTHETIC, *self._texts], "haystack", HaystackUnknown)
        whole = self._once((name, 0, 0), lambda: Corpus.of(name, self._texts[name], self.tokenizer))
        if whole.tokens >= length:
            return whole
        if not pad:
            raise HaystackTooShort(
                f"The haystack “{name}” has {whole.tokens} tokens, the document needs {length}. "
                "Take a longer one, a shorter context_length, or allow `pad` to repeat it."
            )
        size = _size(length + length // 4)
        return self._once((name, 0, size), lambda: whole.repeated(size, self.tokenizer))

    def _once(self, key: tuple[str, int, int], make: Callable[[], Corpus]) -> Corpus:
        with self._lock:
            found = self._open.pop(key, None) or make()
            self._open[key] = found
            while len(self._open) > _KEPT:
                self._open.popitem(last=False)
            return found


def _size(length: int) -> int:
    """Return the least power of two that is not smaller, so that a document depends on its own cell only.

    As many words of prose have some 15 % more tokens, which leaves paragraphs to choose from.
    """
    return max(_SMALLEST, 1 << (length - 1).bit_length())
