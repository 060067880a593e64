"""Texts longer than a judge can read at once: judged in parts, and the replies merged as the flag says."""

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from flags._case import Answer, Case, Source
from flags._clean import answer_of, reference_of
from flags._errors import JudgeFailed
from flags._evidence import evidence
from flags._flag import Judge, Judgement, Rubric
from flags._render import render

_FENCE = "0" * 16
_SPARE = 40
"""Tokens around a text: its fence lines, and what counts otherwise where texts meet."""
_LEAST = 100
"""A part must have room for so many tokens, or the question is too long for this judge."""
_BREAK = re.compile(r"(?<=[.!?…])\s+|\n+")


@dataclass(frozen=True, kw_only=True)
class Window:
    """What a judge reads at once: `tokens`, and how a text's are counted."""

    tokens: int
    count: Callable[[str], int]

    def holds(self, text: str) -> bool:
        """Tell whether a text fits; a token is at least a byte, so that a short text is not counted."""
        return len(text.encode()) <= self.tokens or self.count(text) <= self.tokens


class SplitJudge:
    """Hands a case on as it is where it fits into the judge's window, else in parts that do.

    The answer falls into parts, and so does what it is held against; each part of the one is judged against each part
    of the other. Nothing is left out. Raises `JudgeFailed` (judge_text_too_long) where no part would fit.
    """

    def __init__(self, judge: Judge, window: Window) -> None:
        self._judge = judge
        self._window = window

    @property
    def name(self) -> str:
        """Return which judge is asked."""
        return self._judge.name

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Return the judge's reply, or what its replies on the parts come to."""
        if self._window.holds(render(rubric, case, _FENCE)):
            return await self._judge.decide(rubric, case)
        parts = self._parts(rubric, case)
        replies = await asyncio.gather(
            *(self._judge.decide(rubric, part) for line in parts for part in line), return_exceptions=True
        )
        said = []
        for reply in replies:
            if isinstance(reply, BaseException):
                raise reply
            said.append(reply)
        assert rubric.merge is not None
        width = len(parts[0])
        return rubric.merge([said[start : start + width] for start in range(0, len(said), width)])

    def _parts(self, rubric: Rubric, case: Case) -> list[list[Case]]:
        """Return a line of cases a part of the answer: one for each part of what it is held against."""
        room = self._window.tokens - self._window.count(render(rubric, _emptied(case), _FENCE)) - 2 * _SPARE
        if rubric.merge is None or room < _LEAST:
            length = self._window.count(render(rubric, case, _FENCE))
            raise JudgeFailed(
                "judge_text_too_long",
                f"Question, answers and sources are {length:,} tokens long, more than the judge may be given at once "
                f"({self._window.tokens:,}), and cannot be judged in parts. Nothing was cut.",
            )
        if "{{ sources }}" in rubric.template:
            return self._with_sources(case, room)
        return self._with_reference(rubric, case, room)

    def _with_reference(self, rubric: Rubric, case: Case, room: int) -> list[list[Case]]:
        count = self._window.count
        reference = reference_of(case) if "{{ reference }}" in rubric.template else ""
        left, right = _shares(count(answer_of(case)), count(reference), room)
        return [
            [_with(case, answer, reference=other) for other in pieces(reference, right, count)]
            for answer in pieces(answer_of(case), left, count)
        ]

    def _with_sources(self, case: Case, room: int) -> list[list[Case]]:
        count = self._window.count
        answer, sources = answer_of(case), evidence(case)
        size = sum(_size(source, count) for source in sources)
        left, right = _shares(count(answer), size, room)
        groups = list(_groups(sources, right, count))
        # a statement may rest on a source of one group and its neighbour on one of another
        small = pieces(answer, left, count) if len(groups) == 1 else _statements(answer, left, count)
        return [[_with(case, piece, sources=group) for group in groups] for piece in small]


def _shares(one: int, other: int, room: int) -> tuple[int, int]:
    """Return how much room each text gets: half, and what the other leaves."""
    half = room // 2
    return max(half, room - other), max(half, room - one)


def _emptied(case: Case) -> Case:
    return _with(case, "", reference="")


def _with(case: Case, answer: str, *, reference: str | None = None, sources: tuple[Source, ...] = ()) -> Case:
    """Return the case with a part of its answer, and of its reference or of its sources."""
    question = case.question if reference is None else replace(case.question, reference=reference)
    return replace(case, question=question, answer=Answer(text=answer, sources=sources))


def _size(source: Source, count: Callable[[str], int]) -> int:
    return count(source.name) + count(source.text) + _SPARE


def _groups(sources: Iterable[Source], limit: int, count: Callable[[str], int]) -> Iterator[tuple[Source, ...]]:
    """Yield groups of sources that fit together; one too long for a group falls into parts of the same name."""
    group: list[Source] = []
    taken = 0
    for source in sources:
        room = limit - count(source.name) - _SPARE
        for text in pieces(source.text, max(room, 1), count):
            part = replace(source, text=text)
            size = _size(part, count)
            if group and taken + size > limit:
                yield tuple(group)
                group, taken = [], 0
            group.append(part)
            taken += size
    yield tuple(group)


def pieces(text: str, limit: int, count: Callable[[str], int]) -> list[str]:
    """Return a text in parts of at most `limit` tokens, broken between sentences where there are any."""
    if count(text) <= limit:
        return [text]
    found: list[str] = []
    taken = 0
    for unit in _units(text, limit, count):
        size = count(unit) + 1
        if found and taken + size <= limit:
            found[-1] += f"\n{unit}"
            taken += size
        else:
            found.append(unit)
            taken = size
    return found


def _statements(text: str, limit: int, count: Callable[[str], int]) -> Sequence[str]:
    return list(_units(text, limit, count))


def _units(text: str, limit: int, count: Callable[[str], int]) -> Iterator[str]:
    """Yield the sentences of a text; one longer than the limit in halves, broken between words where it has any."""
    for sentence in filter(None, map(str.strip, _BREAK.split(text))):
        yield from _halves(sentence, limit, count)


def _halves(text: str, limit: int, count: Callable[[str], int]) -> Iterator[str]:
    if count(text) <= limit or len(text) < 2:
        yield text
        return
    middle = len(text) // 2
    space = text.find(" ", middle)
    at = space if 0 < space < len(text) - 1 else middle
    yield from _halves(text[:at].strip(), limit, count)
    yield from _halves(text[at:].strip(), limit, count)
