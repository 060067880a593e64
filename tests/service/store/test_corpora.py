"""Corpora stay what they were under their name."""

import pytest

from flags import Answer, Question
from service.errors import CorpusNameTaken
from service.store import NewCorpus, NewRow

TEXT = "Once upon a time.\n\n" * 500


def new(text, sha256, **more):
    """A corpus named essays."""
    return NewCorpus(name="essays", text=text, sha256=sha256, **more)


async def test_a_corpus_comes_back_as_it_was_stored(store):
    """Text, hash and origin; of another company nothing is seen."""
    about = {"kind": "files", "files": ["a.txt"]}
    assert await store.corpora.add("acme", new(TEXT, "aa", tokens=2500, about=about))
    assert await store.corpora.text("acme", "essays") == TEXT
    found = await store.corpora.get("acme", "essays")
    assert (found.name, found.sha256, found.tokens, found.about) == ("essays", "aa", 2500, about)
    assert await store.corpora.list("other") == []
    assert await store.corpora.text("other", "essays") is None
    assert await store.corpora.get("other", "essays") is None


async def test_a_name_is_bound_to_its_text_until_it_is_removed(store):
    """The same text again is no news; another one is refused, and welcome once the first is gone."""
    await store.corpora.add("acme", new(TEXT, "aa", tokens=1, about={}))
    assert not await store.corpora.add("acme", new(TEXT, "aa", tokens=1, about={}))
    with pytest.raises(CorpusNameTaken):
        await store.corpora.add("acme", new("other", "bb", tokens=1, about={}))
    assert await store.corpora.remove("acme", "essays")
    assert not await store.corpora.remove("acme", "essays")
    assert await store.corpora.add("acme", new("other", "bb", tokens=1, about={}))


async def test_an_answer_is_found_again_by_its_content_in_the_own_company_alone(store, new_run):
    """The key decides, and the newest run."""
    cell = {"task": "s_rt", "context_length": 500}
    row = NewRow(number=2, position=1, space="Law", question=Question(text="", space="Law"), shard=0, cell=cell)
    await store.runs.add(new_run(rows=(row,)))
    [stored] = await store.rows.page("r1")
    assert stored.cell == cell
    await store.rows.answer("r1", 2, Answer(text="42"), content_key="k")
    found = await store.rows.known("acme", "k")
    assert found is not None
    assert found.text == "42"
    assert await store.rows.known("acme", "other") is None
    assert await store.rows.known("rival", "k") is None
