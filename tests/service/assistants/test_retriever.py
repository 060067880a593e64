"""The documents of a space, ready to be searched."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from flags._fakes import WordEmbedder
from service.assistants import Kit
from service.assistants._index_file import load, save
from service.assistants._retriever import Retriever
from service.assistants._shelf import Shelf
from service.errors import DocumentsUnreadable


class Counting(WordEmbedder):
    """An embedder that counts the texts it was given."""

    def __init__(self, name: str = "words") -> None:
        self.name = name
        self.texts = 0

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += len(texts)
        return await super().embed(texts)


def restarted(kit: Kit, embedder: Counting) -> Kit:
    """Return the kit of another process on the same folder."""
    return replace(kit, embedder=embedder, shelf=Shelf())


async def names(retriever: Retriever, question: str = "How many days of vacation?") -> list[str]:
    """Return the documents found, best first."""
    return [found.passage.name for found in (await retriever.find(question, 3)).found]


async def test_documents_are_embedded_once_however_many_ask(kit: Kit, folder: Path) -> None:
    """Two spaces on one folder share the index too."""
    embedder = Counting()
    kit = restarted(kit, embedder)
    one, two = Retriever("HR", [folder], kit), Retriever("IT", [folder], kit)
    found = await asyncio.gather(*(names(retriever) for retriever in (one, two) for _ in range(10)))
    assert found[0][0] == "leave.md"
    assert embedder.texts == 3 + 20  # passages, questions
    assert len(list(kit.index_folder.iterdir())) == 1


async def test_the_index_is_kept_on_disk_for_the_next_process(kit: Kit, folder: Path) -> None:
    """Another embedder, or other content, has another index."""
    await names(Retriever("HR", [folder], kit))
    embedder = Counting()
    assert (await names(Retriever("HR", [folder], restarted(kit, embedder))))[0] == "leave.md"
    assert embedder.texts == 1
    other = Counting("other")
    await names(Retriever("HR", [folder], restarted(kit, other)))
    assert other.texts == 4


async def test_a_damaged_index_is_built_again(kit: Kit, folder: Path) -> None:
    """A disk that was full must not keep the space from being asked."""
    await names(Retriever("HR", [folder], kit))
    [file] = kit.index_folder.iterdir()
    for damaged in (b"", b"PK nothing", file.read_bytes()[:-200]):
        file.write_bytes(damaged)
        assert (await names(Retriever("HR", [folder], restarted(kit, Counting()))))[0] == "leave.md"
    stored = load(file)
    assert stored is not None
    np.savez(file, vectors=stored.index.vectors[:1], passages=np.frombuffer(b'{"passages": [], "notes": []}', np.uint8))
    assert load(file) is None


def test_an_index_that_cannot_be_written_leaves_nothing_half_written(tmp_path: Path) -> None:
    """The part is removed when the disk is full."""

    class Broken:
        passages = ()

        @property
        def vectors(self) -> None:
            raise OSError("disk full")

    class Stored:
        index = Broken()
        notes = ()

    with pytest.raises(OSError, match="disk full"):
        save(tmp_path / "index" / "x.npz", Stored())  # type: ignore[arg-type]
    assert list((tmp_path / "index").iterdir()) == []


async def test_changed_documents_are_noticed_by_the_next_question(kit: Kit, folder: Path) -> None:
    """A service that runs for weeks answers from today's documents."""
    retriever = Retriever("HR", [folder], kit, fresh_s=0)
    assert "days.md" not in await names(retriever)
    (folder / "days.md").write_text("Vacation days are counted in days of vacation.")
    assert (await names(retriever, "vacation days counted"))[0] == "days.md"
    (folder / "days.md").unlink()
    assert "days.md" not in await names(retriever)


async def test_files_that_cannot_be_read_are_noted_and_none_at_all_is_an_error(kit: Kit, folder: Path) -> None:
    """An answer says which documents it did not know."""
    (folder / "scan.pdf").write_bytes(b"x")
    retriever = Retriever("HR", [folder], kit)
    assert (await retriever.find("days", 3)).notes[0].startswith("scan.pdf was not read: ")
    with pytest.raises(DocumentsUnreadable, match=r"“HR”.*scan\.pdf was not read"):
        await Retriever("HR", [folder / "scan.pdf"], kit).find("days", 3)
