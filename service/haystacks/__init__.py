"""Where haystacks come from: a person's own files, Wikipedia, arXiv; every public module of this package is a source.

A haystack is gathered once and kept in the store under a name, so that every worker has the same text.
"""

from service.haystacks._gathered import Gathered, Source
from service.haystacks._keep import FETCHED, keep, source_of
from service.haystacks._shelf import corpus_text, import_corpus, import_missing, list_corpora, remove_corpus
from service.haystacks._web import Web
from service.haystacks.arxiv import Arxiv
from service.haystacks.files import Files
from service.haystacks.wikipedia import Wikipedia

__all__ = [
    "FETCHED",
    "Arxiv",
    "Files",
    "Gathered",
    "Source",
    "Web",
    "Wikipedia",
    "corpus_text",
    "import_corpus",
    "import_missing",
    "keep",
    "list_corpora",
    "remove_corpus",
    "source_of",
]
