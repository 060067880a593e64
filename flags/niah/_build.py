"""The exact document builder: L tokens with the needles inside, each at the paragraph end nearest to its depth."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from flags.niah._errors import DocumentImpossible, HaystackTooShort
from flags.niah._filler import Filler
from flags.niah._layout import Block, run
from flags.niah._settle import Draft, Slack, positions, settle
from flags.niah._task import Needle, Tokenizer

_NEAR_SHARE, _NEAR_TOKENS = 0.05, 250
"""A paragraph end is near when it is no further than this share of the document, or so many tokens."""
_MARGIN = 48
"""So many tokens at the slack end are free to be cut."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """A document of exactly `tokens` tokens; the needles know where they stand."""

    text: str
    tokens: int
    needles: tuple[Needle, ...]


def build(filler: Filler, needles: Sequence[Needle], length: int, tokenizer: Tokenizer) -> Document:
    """Return a document of exactly `length` tokens that holds the needles, ordered by the depth they want.

    Raise `DocumentImpossible` when the needles alone are longer, `HaystackTooShort` when the filler ends before.
    """
    ordered = tuple(sorted(needles, key=lambda needle: needle.wanted))
    places = _place(filler, ordered, length, tokenizer)
    draft = _draft(filler, ordered, places)
    blocks = settle(draft, length, tokenizer)
    if blocks is None:
        raise DocumentImpossible(
            f"No document of exactly {length} tokens could be built: its {len(ordered)} needles take "
            f"{sum(tokenizer.count(needle.text) for needle in ordered)}. "
            "Take a longer context_length, or fewer or shorter needles."
        )
    text = b"".join(block.content for block in blocks).decode()
    found = positions(blocks, tokenizer)
    stand = tuple(
        dataclasses.replace(needle, position=found[index], depth=found[index] / length)
        for index, needle in enumerate(ordered)
    )
    return Document(text=text, tokens=length, needles=stand)


@dataclass(frozen=True, kw_only=True)
class _Places:
    """Filler from `start` to `end`, needles before the filler tokens `at`; `join` stands between both."""

    start: int
    end: int
    at: tuple[int, ...]
    join: str

    @property
    def is_slack_first(self) -> bool:
        """Whether the slack is at the beginning, since a needle stands last."""
        return bool(self.at) and self.at[-1] == self.end > self.start


def _place(filler: Filler, needles: Sequence[Needle], length: int, tokenizer: Tokenizer) -> _Places:
    # the break before a needle may cost a token of its own, the one after it is counted with it
    sizes = [tokenizer.count(needle.text + "\n\n") for needle in needles]
    room = max(length - sum(sizes), 0)
    if room > filler.tokens:
        raise HaystackTooShort(
            f"The haystack “{filler.corpus.name}” has {filler.tokens} tokens for this document, {room} are needed. "
            "Take a longer one, a shorter context_length, or allow `pad` to repeat it."
        )
    before = np.cumsum([0, *sizes[:-1]]) if sizes else np.zeros(0, dtype=np.int64)
    wanted = [int(needle.wanted * length) for needle in needles]
    targets = [min(max(target - int(cost), 0), room) for target, cost in zip(wanted, before, strict=True)]
    targets = list(accumulate(targets, max))
    places = _nearest(filler, targets, (0, room), length)
    if places.is_slack_first:
        ends = filler.ends(filler.corpus.units)
        end = int(ends[np.searchsorted(ends, room)])
        start = end - room
        # a needle that stood last stays last, whatever other ends are near the new one
        moved = [end if at == room else start + target for at, target in zip(places.at, targets, strict=True)]
        places = _nearest(filler, moved, (start, end), length)
    return places


def _nearest(filler: Filler, targets: Sequence[int], edges: tuple[int, int], length: int) -> _Places:
    levels = ("paragraphs", "sentences", "words")
    allowed = max(_NEAR_SHARE * length, _NEAR_TOKENS)
    at: list[int] = []
    join = "\n\n"
    for level in levels:
        # each level is searched for once a corpus, and most corpora never need the finer ones
        inside = filler.ends(getattr(filler.corpus, level))
        inside = np.unique(np.concatenate([inside[(inside > edges[0]) & (inside < edges[1])], np.array(edges)]))
        at = [int(inside[np.argmin(np.abs(inside - target))]) for target in targets]
        has_choice = len(inside) > 2 or level == levels[-1]
        if has_choice and all(abs(place - target) <= allowed for place, target in zip(at, targets, strict=True)):
            break
        join = " "
    return _Places(start=edges[0], end=edges[1], at=tuple(at), join=join)


def _draft(filler: Filler, needles: Sequence[Needle], places: _Places) -> Draft:
    """Return the document with an empty place for its slack end."""
    groups: dict[int, list[int]] = {}
    for index, place in enumerate(places.at):
        groups.setdefault(place, []).append(index)
    stops = sorted({*groups, places.end} - {places.start})
    blocks = list(_inserted(filler, needles, groups.get(places.start, []), (places, places.start)))
    free, here, slack = len(blocks), places.start, None
    for stop in stops:
        if places.is_slack_first and slack is None:
            slack = Slack(filler=filler, anchor=_whole(filler, min(stop, here + _MARGIN)), guess=here, is_first=True)
            here = slack.anchor
            blocks.append(Block(content=b""))
        if stop == places.end and not places.is_slack_first:
            break
        blocks += _read(filler, here, stop)
        blocks += _inserted(filler, needles, groups.get(stop, []), (places, stop))
        here = stop
    if slack is None:
        anchor = _whole(filler, max(here, places.end - _MARGIN))
        blocks += _read(filler, here, anchor)
        glue = places.join.encode() if places.start == places.end and blocks else b""
        slack = Slack(filler=filler, anchor=anchor, guess=places.end, is_first=False, glue=glue)
        free = len(blocks)
        blocks.append(Block(content=b""))
    return Draft(blocks=blocks, free=free, slack=slack)


def _whole(filler: Filler, position: int) -> int:
    return next(place for place in range(position, -1, -1) if filler.is_whole(place))


def _read(filler: Filler, start: int, end: int) -> Iterator[Block]:
    for first, last in filler.parts(start, end):
        yield from run(filler.corpus, first, last)


def _inserted(
    filler: Filler, needles: Sequence[Needle], group: Sequence[int], where: tuple[_Places, int]
) -> Iterator[Block]:
    places, place = where
    join = places.join.encode()
    left = filler.text(place - 1, place) if group and place > places.start else b" "
    right = filler.text(place, place + 1) if group and place < places.end else b" "
    if places.is_slack_first and place == places.start:
        # what follows is cut at a place not known yet
        right = b"."
    if not left[-1:].isspace():
        yield Block(content=join)
    for nth, index in enumerate(group):
        yield Block(content=needles[index].text.encode(), needle=index)
        if nth < len(group) - 1 or not right[:1].isspace():
            yield Block(content=join)
