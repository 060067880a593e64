"""The corpora of an installation, for doors that have no service open."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from flags.niah import Haystack
from service.errors import CorpusUnknown
from service.haystacks._gathered import Source
from service.haystacks._keep import FETCHED, keep, source_of
from service.settings import Settings
from service.store import CorpusRecord, Store


async def import_corpus(settings: Settings, company: str, name: str, source: Source) -> tuple[CorpusRecord, list[str]]:
    """Gather a haystack and keep it under a name; return what is known of it, and notes on what was left out."""
    gathered = await source.gather()
    async with _store(settings) as store:
        return await keep(store, company, name, gathered), list(gathered.notes)


async def import_missing(settings: Settings, company: str, haystack: Haystack) -> CorpusRecord | None:
    """Fetch the haystack an experiment names and keep it under its key, None where nothing had to be fetched.

    Raise `HaystackNotFetched` or `HaystackEmpty`; a key that is there already is left as it is.
    """
    if haystack.source not in FETCHED or haystack.key in {each.name for each in await list_corpora(settings, company)}:
        return None
    record, _ = await import_corpus(settings, company, haystack.key, source_of(haystack, settings))
    return record


async def corpus_text(settings: Settings, company: str, name: str) -> str | None:
    """Return the text of a corpus, None where the company has none of that name."""
    async with _store(settings) as store:
        return await store.corpora.text(company, name)


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
