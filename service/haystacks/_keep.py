"""A gathered haystack goes into the store under a name."""

import asyncio
from typing import Final

from flags.niah import Corpus, Haystack, HaystackTooShort
from service.errors import HaystackEmpty
from service.haystacks._gathered import Gathered, Source
from service.haystacks._web import Web
from service.haystacks.arxiv import PAUSE_S as ARXIV_PAUSE_S
from service.haystacks.arxiv import Arxiv
from service.haystacks.wikipedia import Wikipedia
from service.settings import Settings
from service.store import CorpusRecord, NewCorpus, Store

FETCHED: Final = ("wikipedia", "arxiv")
"""Haystacks that a config describes well enough to fetch them."""


async def keep(store: Store, company: str, name: str, gathered: Gathered) -> CorpusRecord:
    """Store the text and return what is known of it.

    Raise `CorpusNameTaken` where another text has the name, `HaystackEmpty` where there is no text.
    """
    new = await asyncio.to_thread(_measured, name, gathered)
    await store.corpora.add(company, new)
    record = await store.corpora.get(company, name)
    assert record is not None
    return record


def source_of(haystack: Haystack, settings: Settings) -> Source:
    """Return where the fetched haystack of an experiment comes from; raise `HaystackEmpty` for any other."""
    folder = settings.home / "fetched"
    if haystack.source == "wikipedia":
        return Wikipedia(
            web=Web(folder=folder),
            url=settings.wikipedia_url,
            language=haystack.language,
            seed=haystack.seed,
            count=haystack.count,
        )
    if haystack.source == "arxiv":
        return Arxiv(web=Web(folder=folder, pause_s=ARXIV_PAUSE_S), url=settings.arxiv_url, count=haystack.count)
    raise HaystackEmpty(problem=f"a haystack of source {haystack.source} is not fetched")


def _measured(name: str, gathered: Gathered) -> NewCorpus:
    from service.llm import open_tokenizer

    try:
        corpus = Corpus.of(name, gathered.text, open_tokenizer())
    except HaystackTooShort as error:
        raise HaystackEmpty(problem=str(error)) from error
    return NewCorpus(
        name=name, text=gathered.text, sha256=corpus.sha256, tokens=corpus.tokens, about=dict(gathered.about)
    )
