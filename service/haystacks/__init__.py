"""Where haystacks come from: a person's own files, Wikipedia, arXiv; every public module of this package is a source.

A haystack is gathered once and kept in the store under a name, so that every worker has the same text.
"""

from service.haystacks._gathered import Gathered, Source
from service.haystacks._keep import keep, source_of
from service.haystacks._shelf import import_corpus, list_corpora, remove_corpus
from service.haystacks._web import Web
from service.haystacks.arxiv import Arxiv
from service.haystacks.files import Files
from service.haystacks.wikipedia import Wikipedia

__all__ = [
    "Arxiv",
    "Files",
    "Gathered",
    "Source",
    "Web",
    "Wikipedia",
    "import_corpus",
    "keep",
    "list_corpora",
    "remove_corpus",
    "source_of",
]
