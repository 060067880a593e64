"""Own files become a haystack, and a haystack is kept under its name."""

import pytest

from flags.niah import Corpora, Corpus, Haystack
from service.errors import CorpusNameTaken, HaystackEmpty
from service.haystacks import Arxiv, Files, Gathered, Wikipedia, keep, source_of
from service.llm import open_tokenizer
from service.settings import Settings
from service.store import Store


@pytest.fixture
async def store(tmp_path):
    """An empty store."""
    opened = await Store.open(f"sqlite:///{tmp_path / 'store.sqlite'}")
    yield opened
    await opened.close()


async def test_the_files_of_a_folder_become_one_text(tmp_path):
    """In the order of their names, paragraphs apart, each file named with its hash; what cannot be read is noted."""
    (tmp_path / "b.txt").write_text("Second essay.\n\nIts end.", encoding="utf-8")
    (tmp_path / "a.md").write_text("First   essay\nstill the first paragraph.", encoding="utf-8")
    (tmp_path / "c.bin").write_bytes(b"\x00\x01")
    found = await Files(path=tmp_path).gather()
    assert found.text == "First essay still the first paragraph.\n\nSecond essay.\n\nIts end."
    assert [each["name"] for each in found.about["files"]] == ["a.md", "b.txt"]
    assert len(found.about["files"][0]["sha256"]) == 64
    assert any("c.bin" in note for note in found.notes)


@pytest.mark.parametrize("name", ["nowhere", "empty", "blank"])
async def test_nothing_to_read_is_an_error(tmp_path, name):
    """A folder that is not there, is empty, or holds only blank files."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "blank").mkdir()
    (tmp_path / "blank" / "a.txt").write_text("  \n", encoding="utf-8")
    with pytest.raises(HaystackEmpty):
        await Files(path=tmp_path / name).gather()


async def test_a_kept_haystack_has_the_hash_that_documents_are_built_with(store):
    """What `corpus add` shows is what a run records, and the text builds documents."""
    text = "One paragraph of prose.\n\n" * 400
    record = await keep(store, "acme", "essays", Gathered(text=text, about={"source": "files"}))
    corpus = Corpus.of("essays", text, open_tokenizer())
    assert (record.sha256, record.tokens, dict(record.about)) == (corpus.sha256, corpus.tokens, {"source": "files"})
    kept = await store.corpora.text("acme", "essays")
    assert Corpora(open_tokenizer(), {"essays": kept}).open("essays", 500).sha256 == record.sha256


async def test_an_empty_or_another_text_is_refused(store):
    """A name stays with its text."""
    with pytest.raises(HaystackEmpty):
        await keep(store, "acme", "essays", Gathered(text=" \n", about={}))
    await keep(store, "acme", "essays", Gathered(text="one", about={}))
    with pytest.raises(CorpusNameTaken):
        await keep(store, "acme", "essays", Gathered(text="two", about={}))


def test_an_experiment_says_where_its_haystack_is_fetched(tmp_path):
    """Wikipedia with language, seed and count; arXiv with its pause; nothing else is fetched."""
    settings = Settings(home=tmp_path)
    wiki = source_of(Haystack(source="wikipedia", language="fr", seed=3, count=5), settings)
    assert isinstance(wiki, Wikipedia)
    assert (wiki.language, wiki.seed, wiki.count) == ("fr", 3, 5)
    archive = source_of(Haystack(source="arxiv", count=9), settings)
    assert isinstance(archive, Arxiv)
    assert (archive.count, archive.web.pause_s) == (9, 3.0)
    with pytest.raises(HaystackEmpty):
        source_of(Haystack(), settings)
