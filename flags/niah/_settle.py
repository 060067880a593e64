"""Bringing a document to its exact number of tokens by cutting its slack end."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from flags.niah._filler import Filler
from flags.niah._layout import Block
from flags.niah._task import Tokenizer

_REACH = 24
"""The slack end is tried so many tokens around the place it should be."""
_PADS = (" a", " .", "\n-", "\n\n\u2022")
_MOST_PADS = 12
_TRIES = 3


@dataclass(frozen=True, kw_only=True)
class Slack:
    """Filler between a fixed `anchor` and an end that may move; `glue` stands before it when it is not empty.

    `is_first` says that the moving end is the beginning. `guess` is where that end should be.
    """

    filler: Filler
    anchor: int
    guess: int
    is_first: bool
    glue: bytes = b""

    def text(self, end: int) -> bytes:
        """Return the filler between the anchor and an end."""
        found = self.filler.text(min(end, self.anchor), max(end, self.anchor))
        return self.glue + found if found else b""

    def ends(self, guess: int) -> Iterator[int]:
        """Yield possible ends, nearest to a guess first."""
        low, high = (0, self.anchor) if self.is_first else (self.anchor, self.filler.tokens)
        guess = min(max(guess, low), high)
        for end in sorted(range(guess - _REACH, guess + _REACH + 1), key=lambda end: abs(end - guess)):
            if low <= end <= high and self.filler.is_whole(end):
                yield end

    def padded(self, end: int, missing: int) -> list[bytes]:
        """Return the filler up to an end, lengthened by about so many tokens of padding."""
        text = self.text(end)
        paddings = [
            (pad * times).encode() for pad in _PADS for times in (missing, missing - 1, missing + 1, missing + 2)
        ]
        return [padding.strip() + b" " + text if self.is_first else text + padding for padding in paddings]


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A document whose block `free` is still empty and takes the slack."""

    blocks: Sequence[Block]
    free: int
    slack: Slack


@dataclass(frozen=True, kw_only=True)
class _Around:
    """What is counted together with the slack, and how many tokens all the rest has."""

    left: bytes
    right: bytes
    known: int
    tokenizer: Tokenizer

    def count(self, content: bytes) -> int:
        return self.known + self.tokenizer.count((self.left + content + self.right).decode())


def settle(draft: Draft, length: int, tokenizer: Tokenizer) -> list[Block] | None:
    """Return the blocks of a document of exactly `length` tokens, or None where none was found."""
    near, whole = _around(draft, tokenizer), _everything(draft, tokenizer)
    error = 0
    # where a script has no spaces, the count around the seams may be off: correct it, in the end count all each time
    for around in (*[near] * _TRIES, whole):
        content = _cut(draft.slack, around, length - (error if around is near else 0))
        if content is None:
            continue
        blocks = [*draft.blocks[: draft.free], Block(content=content), *draft.blocks[draft.free + 1 :]]
        # what is proven at every seam needs no second count
        if tokenizer.splits_before_words and all(block.proven for block in blocks):
            return blocks
        count = tokenizer.count(_joined(blocks).decode())
        if count == length:
            return blocks
        error += count - length
    return None


def _everything(draft: Draft, tokenizer: Tokenizer) -> _Around:
    left, right = _joined(draft.blocks[: draft.free]), _joined(draft.blocks[draft.free + 1 :])
    return _Around(left=left, right=right, known=0, tokenizer=tokenizer)


def _around(draft: Draft, tokenizer: Tokenizer) -> _Around:
    blocks, free = draft.blocks, draft.free
    first = next((at + 1 for at in range(free - 1, -1, -1) if blocks[at].tokens is not None), 0)
    last = next((at for at in range(free + 1, len(blocks)) if blocks[at].tokens is not None), len(blocks))
    outside = (*blocks[:first], Block(content=b"", tokens=0), *blocks[last:])
    return _Around(
        left=_joined(blocks[first:free]),
        right=_joined(blocks[free + 1 : last]),
        known=sum(tokens for _, tokens in _counted(outside, tokenizer)),
        tokenizer=tokenizer,
    )


def _cut(slack: Slack, around: _Around, length: int) -> bytes | None:
    guess = _guessed(slack, around, length)
    short: list[tuple[int, int]] = []
    for end in slack.ends(guess):
        content = slack.text(end)
        missing = length - around.count(content)
        if missing == 0:
            return content
        if 0 < missing <= _MOST_PADS:
            short.append((missing, end))
    fitting = (content for missing, end in sorted(short) for content in slack.padded(end, missing))
    return next((content for content in fitting if around.count(content) == length), None)


def _guessed(slack: Slack, around: _Around, length: int) -> int:
    guess = next(slack.ends(slack.guess))
    for _ in range(_TRIES):
        missing = length - around.count(slack.text(guess))
        if missing == 0:
            break
        guess = next(slack.ends(guess - missing if slack.is_first else guess + missing))
    return guess


def _joined(blocks: Iterable[Block]) -> bytes:
    return b"".join(block.content for block in blocks)


def _counted(blocks: Sequence[Block], tokenizer: Tokenizer) -> Iterator[tuple[Sequence[Block], int]]:
    for is_known, group in groupby(blocks, key=lambda block: block.tokens is not None):
        found = tuple(group)
        known = sum(block.tokens or 0 for block in found)
        yield found, known if is_known else tokenizer.count(_joined(found).decode())


def positions(blocks: Sequence[Block], tokenizer: Tokenizer) -> dict[int, int]:
    """Return the token at which each needle begins, by its index."""
    found: dict[int, int] = {}
    before = 0
    for group, tokens in _counted(blocks, tokenizer):
        for at, block in enumerate(group):
            if block.needle >= 0:
                # a space before a word belongs to the word's own token
                found[block.needle] = before + tokenizer.count(_joined(group[:at]).decode().rstrip(" "))
        before += tokens
    return found
