"""A haystack's text, tokenised once: where its tokens begin and where one may cut it."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flags.niah._bounds import joins
from flags.niah._errors import HaystackTooShort
from flags.niah._task import Tokenizer

Positions = NDArray[np.int64]

_PARAGRAPH_END = re.compile(rb"\n[ \t]*\n[\n \t]*(?<=\n)")
_SENTENCE_END = re.compile(rb"(?:[.!?][\"')\]]*(?=\s)|\xe3\x80\x82|\xef\xbc\x81|\xef\xbc\x9f)")
_WORD_END = re.compile(rb"(?<=\S)(?=\s)")
_WORD = re.compile(r"\w+")
SEPARATOR = "\n\n* * *\n\n"
"""Stands between the repetitions of a corpus that was too short."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Corpus:
    """A text whose paragraphs end with an empty line; `starts` holds the byte at which each token begins, and the end.

    Positions within a corpus are tokens, counted from 0.
    """

    name: str
    content: bytes
    starts: Positions

    @classmethod
    def of(cls, name: str, text: str, tokenizer: Tokenizer) -> "Corpus":
        """Tokenise a text; line ends become LF, white space around it goes."""
        text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
        if not text:
            raise HaystackTooShort(f"The haystack “{name}” is empty.")
        text += "\n\n"
        starts = np.zeros(1, dtype=np.int64)
        widths = tokenizer.widths(tokenizer.encode(text))
        return cls(name=name, content=text.encode(), starts=np.concatenate([starts, np.cumsum(widths)]))

    @property
    def tokens(self) -> int:
        """Return how many tokens the corpus has."""
        return len(self.starts) - 1

    @cached_property
    def sha256(self) -> str:
        """Return the hash of the text, as recorded with the run."""
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def paragraphs(self) -> Positions:
        """Return the token at which each paragraph ends, and 0."""
        return self._ends(_PARAGRAPH_END)

    @cached_property
    def sentences(self) -> Positions:
        """Return the token at which each sentence ends, and 0 and the end."""
        return self._ends(_SENTENCE_END)

    @cached_property
    def words(self) -> Positions:
        """Return the token at which each word ends, and 0 and the end."""
        return self._ends(_WORD_END)

    @property
    def units(self) -> Positions:
        """Return the ends of the smallest whole parts one may leave out: paragraphs, else sentences, else words."""
        if len(self.paragraphs) > 2:
            return self.paragraphs
        return self.sentences if len(self.sentences) > 2 else self.words

    def repeated(self, tokens: int, tokenizer: Tokenizer, separator: str = SEPARATOR) -> "Corpus":
        """Return the corpus repeated, with a separator between, until it has at least so many tokens."""
        times = -(-tokens // self.tokens)
        text = self.content.decode().strip()
        return Corpus.of(self.name, separator.join([text] * times), tokenizer) if times > 1 else self

    def text(self, start: int, end: int) -> bytes:
        """Return the bytes of the tokens from `start` to before `end`."""
        return self.content[self.starts[start] : self.starts[end]]

    def is_whole(self, position: int) -> bool:
        """Tell whether no character is cut in two before this token."""
        byte = int(self.starts[position])
        return byte >= len(self.content) or self.content[byte] & 0xC0 != 0x80

    def is_before_word(self, position: int) -> bool:
        """Tell whether a letter stands before the token, and the token begins with a space and a letter (ASCII)."""
        byte = int(self.starts[position])
        around = self.content[max(byte - 1, 0) : byte + 2]
        return len(around) == 3 and around[1:2] == b" " and around[:1].isalpha() and around[2:].isalpha()

    def holds(self, phrase: str) -> tuple[int, ...]:
        """Return the tokens at which a phrase stands, in any case and not inside a longer word or number."""
        phrase = "".join(map(_folded, phrase))
        found = _WORD.findall(phrase)
        # most values are met nowhere: one look at the set of words spares a search through megabytes
        if phrase.isascii() and found and max(found, key=len) not in self._vocabulary:
            return ()
        hits = np.fromiter(self._places(phrase), dtype=np.int64)
        return tuple(int(place) for place in np.searchsorted(self.starts, hits, side="right") - 1)

    def _places(self, phrase: str) -> Iterator[int]:
        sought = phrase.encode()
        place = self._folded.find(sought)
        while place >= 0:
            end = place + len(sought)
            before = self._folded[max(place - 4, 0) : place].decode(errors="ignore")
            after = self._folded[end : end + 4].decode(errors="ignore")
            if not joins(before[-1:], phrase[0]) and not joins(phrase[-1], after[:1]):
                yield place
            place = self._folded.find(sought, end)

    @cached_property
    def _folded(self) -> bytes:
        text = self.content.decode()
        return (text.lower() if text.isascii() else "".join(map(_folded, text))).encode()

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset(found.group() for found in _WORD.finditer(self._folded.decode()))

    def _ends(self, pattern: re.Pattern[bytes]) -> Positions:
        found = np.fromiter((hit.end() for hit in pattern.finditer(self.content)), dtype=np.int64)
        near = np.searchsorted(self.starts, found)
        exact = near[self.starts[near] == found]
        return np.unique(np.concatenate([exact, np.array([0, self.tokens])]))


def _folded(character: str) -> str:
    # a character whose lower case has another length in bytes stays, so that positions in the text hold
    folded = character.lower()
    return folded if len(folded) == 1 and len(folded.encode()) == len(character.encode()) else character
