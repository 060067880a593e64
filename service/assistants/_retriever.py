"""The documents of a space, ready to be searched: read, embedded and kept on disk at the first question."""

import asyncio
import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import structlog
from numpy.typing import NDArray

from flags import Embedder
from service.assistants import _index_file
from service.assistants._assistant import Kit
from service.assistants._chunks import passages_of
from service.assistants._files import File, find_files, fingerprint, read_library, stamp
from service.assistants._formats import read_pieces
from service.assistants._index_file import Stored
from service.assistants._pieces import Document
from service.assistants._rank import Found, Index
from service.assistants._shelf import Shelf
from service.errors import DocumentsUnreadable

_VERSION = "1"
"""Changes with everything that decides what stands in an index: readers, chunks, what is embedded."""

_EMBEDDED = 16
"""Passages of a text read for one question that are compared by meaning; twice those an answer looks at, where more."""

_AT_ONCE = 2_000
"""Passages up to which a search takes less time than handing it to a thread and back."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Retrieved:
    """Passages for a question, best first, with the question's vector and the notes on unread files."""

    found: list[Found]
    vector: NDArray[np.float32]
    index: Index
    notes: tuple[str, ...]


class Retriever:
    """Searches the files of a space; a file that was changed, added or removed is noticed within `fresh_s` seconds."""

    def __init__(self, space: str, places: Sequence[Path], kit: Kit, *, fresh_s: float = 1.0) -> None:
        self._space = space
        self._places = tuple(places)
        self._kit = kit
        self._fresh_s = fresh_s
        self._own = Shelf(most=1)
        self._looked_at = float("-inf")
        self._files: tuple[File, ...] = ()
        self._stamp = ""

    async def find(self, question: str, most: int) -> Retrieved:
        """Return the passages that fit a question; raise `DocumentsUnreadable` when no file could be read."""
        await self._look()
        stored = await self._own.get(self._stamp, self._load)
        [vector] = await self._kit.embedder.embed([question])
        if len(stored.index.passages) <= _AT_ONCE:
            found = stored.index.search(question, vector, most)
        else:
            found = await asyncio.to_thread(stored.index.search, question, vector, most)
        return Retrieved(found, vector, stored.index, stored.notes)

    async def _look(self) -> None:
        now = time.monotonic()
        if now - self._looked_at < self._fresh_s:
            return
        self._files, self._stamp = await asyncio.to_thread(_seen, self._places)
        self._looked_at = now

    async def _load(self) -> Stored:
        files = self._files
        content = await asyncio.to_thread(fingerprint, files)
        key = hashlib.sha256(f"{_VERSION}\0{self._kit.embedder.name}\0{content}".encode()).hexdigest()[:40]
        return await self._kit.shelf.get(key, lambda: self._stored(files, self._kit.index_folder / f"{key}.npz"))

    async def _stored(self, files: Sequence[File], path: Path) -> Stored:
        stored = await asyncio.to_thread(_index_file.load, path)
        if stored is None:
            stored = await self._built(files)
            await asyncio.to_thread(_index_file.save, path, stored)
        await asyncio.to_thread(stored.index.prepare)
        for note in stored.notes:
            _log.warning("document not read", space=self._space, note=note)
        return stored

    async def _built(self, files: Sequence[File]) -> Stored:
        library = await asyncio.to_thread(read_library, files)
        if not library.documents:
            raise DocumentsUnreadable(space=self._space, problem="; ".join(library.notes) + ".")
        passages = [passage for document in library.documents for passage in passages_of(document)]
        vectors = await self._kit.embedder.embed([passage.source.text for passage in passages])
        _log.info("documents indexed", space=self._space, documents=len(library.documents), passages=len(passages))
        return Stored(Index(passages, vectors), library.notes)


async def indexed(text: str, question: str, embedder: Embedder, looked_at: int) -> Index:
    """Return an index of one text for one question, kept nowhere; `looked_at` passages make the answer.

    Of a long text only the passages whose words fit the question best are embedded: a model takes a minute for a book.
    """

    def by_words() -> tuple[Index, NDArray[np.intp]]:
        read = Document("document", "document", read_pieces(".txt", text.encode()))
        index = Index(list(passages_of(read)), np.zeros((0, 0), dtype=np.float32))
        index.prepare()
        return index, index.likely(question, max(_EMBEDDED, 2 * looked_at))

    index, places = await asyncio.to_thread(by_words)
    vectors = await embedder.embed([index.passages[at].source.text for at in places])
    return index.narrowed(places, vectors)


def _seen(places: Sequence[Path]) -> tuple[tuple[File, ...], str]:
    files = find_files(places)
    return files, stamp(files)
