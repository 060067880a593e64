"""Which rows of a workbook can be asked, and which carry a code instead."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from flags import Question
from flags.niah import Spec
from service.assistants import Space
from service.errors import OptionsRefused, ServiceError, SpaceNotMember, SpaceUnknown
from service.runs._shapes import Remark, User
from service.workbook import Finding, Reading, Row


class _HasPosition(Protocol):
    @property
    def position(self) -> int: ...


Numbered = TypeVar("Numbered", bound=_HasPosition)

_SPAN = re.compile(r"(\d+)\s*(?:[-–]\s*(\d+))?")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A question in sheet order, counted from 1; `refusal` says why it cannot be asked.

    `space` is the space's own spelling of its name, `cell` what is asked in an experiment.
    """

    number: int
    space: str
    question: Question
    position: int = 0
    refusal: Remark | None = None
    cell: Spec | None = None


class Spaces:
    """The spaces there are, found by name whatever its case and white space."""

    def __init__(self, spaces: Sequence[Space]) -> None:
        self._by_name = {_key(space.name): space for space in spaces}
        self.names = tuple(space.name for space in spaces)

    def find(self, name: str) -> Space | None:
        """Return the space of that name."""
        return self._by_name.get(_key(name))

    def open_to(self, user: User, name: str) -> Space:
        """Return the space if the user may ask it; raise `SpaceUnknown` or `SpaceNotMember`."""
        space = self.find(name)
        if space is None:
            raise SpaceUnknown(space=name, known=", ".join(self.names) or "none")
        # The one user of a service that is not shared owns it, and with it every space.
        if user != User() and not space.admits(user.name):
            raise SpaceNotMember(space=space.name)
        return space


def sort_out(reading: Reading, spaces: Spaces, user: User, *, ask: bool = True) -> list[Entry]:
    """Return every question of the workbook in sheet order; when nothing is asked, any space will do."""
    column = reading.columns.get("Assistant", "")
    broken = {finding.row: finding for finding in reversed(reading.errors) if finding.row}
    entries = [_unreadable(finding) for finding in broken.values()]
    for row in reading.rows:
        if row.number not in broken:
            entry = _entry(row, f"{column}{row.number}", spaces, user, ask=ask)
            entries.append(replace(entry, cell=reading.niah.cells[row.number]) if reading.niah else entry)
    entries.sort(key=lambda entry: entry.number)
    return [replace(entry, position=position) for position, entry in enumerate(entries, start=1)]


def choose(entries: Sequence[Numbered], rows: str) -> list[Numbered]:
    """Return the questions that `rows` ("1-5,8", counted from 1; empty: all) names; raise `OptionsRefused`."""
    if not rows.strip():
        return list(entries)
    wanted: set[int] = set()
    for part in rows.split(","):
        wanted.update(_span(part, len(entries)))
    return [entry for entry in entries if entry.position in wanted]


def _span(part: str, questions: int) -> range:
    found = _SPAN.fullmatch(part.strip())
    if found is None:
        raise OptionsRefused(option="rows", problem=f"“{part.strip()}” is not like 1-5 or 8.")
    first, last = int(found[1]), int(found[2] or found[1])
    if not 1 <= first <= last <= questions:
        raise OptionsRefused(option="rows", problem=f"“{part.strip()}” is not within 1-{questions}.")
    return range(first, last + 1)


def _entry(row: Row, cell: str, spaces: Spaces, user: User, *, ask: bool) -> Entry:
    name = row.question.space
    space = spaces.find(name)
    entry = Entry(number=row.number, space=space.name if space else name, question=row.question)
    if not ask:
        return entry
    try:
        spaces.open_to(user, name)
    except ServiceError as error:
        refusal = Remark(code=error.code, message=error.message, cell=cell, row=row.number)
        return replace(entry, refusal=refusal)
    return entry


def _unreadable(finding: Finding) -> Entry:
    refusal = Remark(code=finding.code, message=finding.message, cell=finding.cell, row=finding.row)
    return Entry(number=finding.row, space="", question=Question(text="", space=""), refusal=refusal)


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()
