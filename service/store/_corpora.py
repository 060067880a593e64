"""Corpora: texts that haystacks are made of, kept by name so that every worker has them."""

import zlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select
from sqlmodel import col

from service.errors import CorpusNameTaken
from service.store._database import Database
from service.store._records import CorpusRecord, NewCorpus
from service.store._tables import CorpusTable

_PLAIN = ("name", "sha256", "tokens")
_ABOUT = (*_PLAIN, "about", "created")


class StoredCorpora:
    """The corpora of a company; a name is bound to its text until it is removed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, company: str, new: NewCorpus) -> bool:
        """Store a text under a name; False when it stands there already.

        Raise `CorpusNameTaken` when the name belongs to another text.
        """
        values = {"company": company, "created": datetime.now(UTC), **{name: getattr(new, name) for name in _PLAIN}}
        values |= {"about": dict(new.about), "content": zlib.compress(new.text.encode(), 6)}
        stored = select(col(CorpusTable.sha256)).where(*_named(company, new.name))

        def work(connection: Connection) -> str | None:
            before: str | None = connection.scalar(stored)
            if before is None:
                connection.execute(insert(CorpusTable), [values])
            return before

        before = await self._database.write(work)
        if before not in (None, new.sha256):
            raise CorpusNameTaken(name=new.name)
        return before is None

    async def list(self, company: str) -> list[CorpusRecord]:
        """Return the company's corpora by name, without their texts."""
        columns = [getattr(CorpusTable, name) for name in _ABOUT]
        query = select(*columns).where(col(CorpusTable.company) == company).order_by(col(CorpusTable.name))
        return await self._database.read(lambda session: [CorpusRecord(*row) for row in session.execute(query)])

    async def get(self, company: str, name: str) -> CorpusRecord | None:
        """Return what is known of a corpus, None where the company has none of that name."""
        return next((corpus for corpus in await self.list(company) if corpus.name == name), None)

    async def text(self, company: str, name: str) -> str | None:
        """Return the text of a corpus, None where the company has none of that name."""
        query = select(col(CorpusTable.content)).where(*_named(company, name))
        content = await self._database.read(lambda session: session.scalar(query))
        return zlib.decompress(content).decode() if content is not None else None

    async def remove(self, company: str, name: str) -> bool:
        """Remove a corpus; False when there was none."""
        query = delete(CorpusTable).where(*_named(company, name))
        return await self._database.write(lambda connection: connection.execute(query).rowcount == 1)


def _named(company: str, name: str) -> tuple[Any, Any]:
    return col(CorpusTable.company) == company, col(CorpusTable.name) == name
