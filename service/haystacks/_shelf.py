"""The corpora of an installation, for doors that have no service open."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from service.errors import CorpusUnknown
from service.haystacks._gathered import Source
from service.haystacks._keep import keep
from service.settings import Settings
from service.store import CorpusRecord, Store


async def import_corpus(settings: Settings, company: str, name: str, source: Source) -> tuple[CorpusRecord, list[str]]:
    """Gather a haystack and keep it under a name; return what is known of it, and notes on what was left out."""
    gathered = await source.gather()
    async with _store(settings) as store:
        return await keep(store, company, name, gathered), list(gathered.notes)


async def list_corpora(settings: Settings, company: str) -> list[CorpusRecord]:
    """Return the company's corpora by name."""
    async with _store(settings) as store:
        return await store.corpora.list(company)


async def remove_corpus(settings: Settings, company: str, name: str) -> None:
    """Remove a corpus; raise `CorpusUnknown` where there is none."""
    async with _store(settings) as store:
        if not await store.corpora.remove(company, name):
            raise CorpusUnknown(name=name)


@asynccontextmanager
async def _store(settings: Settings) -> AsyncIterator[Store]:
    settings.home.mkdir(parents=True, exist_ok=True)
    store = await Store.open(settings.store_url)
    try:
        yield store
    finally:
        await store.close()
