"""Looking for replies the judge gave before: those that are wanted at the same time are looked for together."""

import asyncio
from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

from sqlalchemy.orm import Session

from flags import Judgement
from service.store._database import Database
from service.store._row_statements import KNOWN_REPLY

_Wanted = tuple[str, asyncio.Future[Judgement | None]]


class KnownReplies:
    """Finds replies by their content; what is wanted while a look is under way shares the next one.

    Going to a reading thread and back, with a transaction, takes many times as long as finding a reply.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        # futures belong to their event loop
        self._lines: WeakKeyDictionary[asyncio.AbstractEventLoop, _Line] = WeakKeyDictionary()

    async def find(self, content: str) -> Judgement | None:
        """Return a reply that was kept under the content, None without one."""
        loop = asyncio.get_running_loop()
        line = self._lines.get(loop)
        if line is None:
            line = self._lines[loop] = _Line(self._database)
        found: asyncio.Future[Judgement | None] = loop.create_future()
        line.add(content, found)
        return await found


class _Line:
    """Those who wait on one event loop."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[_Wanted] = []
        self._looking: asyncio.Task[None] | None = None

    def add(self, content: str, found: asyncio.Future[Judgement | None]) -> None:
        self._waiting.append((content, found))
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        wanted: list[_Wanted] = []
        try:
            while self._waiting:
                wanted, self._waiting = self._waiting, []
                await self._tell(wanted)
        finally:
            self._looking = None
            for _, found in (*wanted, *self._waiting):  # the process stops: nobody looks any more
                found.cancel()
            self._waiting = []

    async def _tell(self, wanted: Sequence[_Wanted]) -> None:
        contents = frozenset(content for content, _ in wanted)
        known: Mapping[str, Judgement] = {}
        failure: Exception | None = None
        try:
            known = await self._database.read(lambda session: _known(session, contents))
        except Exception as error:  # noqa: BLE001 - everyone who waits hears of it
            failure = error
        for content, found in wanted:
            if found.done():
                continue
            if failure is None:
                found.set_result(known.get(content))
            else:
                found.set_exception(failure)


def _known(session: Session, contents: frozenset[str]) -> dict[str, Judgement]:
    # One by one: thousands of rows may hold the same reply, and one of them is wanted.
    connection = session.connection()
    replies = ((content, connection.scalar(KNOWN_REPLY, {"content": content})) for content in contents)
    return {content: reply for content, reply in replies if reply is not None}
