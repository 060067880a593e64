"""Which passages belong to a question."""

from random import Random

import numpy as np
import pytest

from flags import Language
from flags._fakes import WordEmbedder
from service.assistants._chunks import Passage, Sentence
from service.assistants._rank import Index
from service.assistants._terms import Compounds, related, terms

TEXTS = (
    "The theft of a bicycle must be reported to the police.",
    "Damage must be reported within 30 days.",
    "Train journeys are paid in second class.",
)


async def index_of(*texts: str, language: Language = "en") -> Index:
    """Return an index of one-sentence passages."""
    passages = [Passage(f"{at}.md", f"{at}.md", "", language, (Sentence(text),)) for at, text in enumerate(texts)]
    return Index(passages, await WordEmbedder().embed(texts))


async def ranked(index: Index, question: str, most: int = 3) -> list[int]:
    """Return the places of the passages found."""
    [vector] = await WordEmbedder().embed([question])
    return [found.place for found in index.search(question, vector, most)]


async def test_the_passage_that_shares_words_and_meaning_comes_first() -> None:
    """And no more than wanted."""
    index = await index_of(*TEXTS)
    assert (await ranked(index, "Who must be told of the theft of a bicycle?"))[0] == 0
    assert await ranked(index, "How are train journeys paid?", most=1) == [2]


async def test_a_word_only_the_keywords_see_lifts_its_passage() -> None:
    """Embedding and keywords are fused by rank: neither can overrule the other by its scale."""
    index = Index((await index_of(*TEXTS)).passages, np.eye(3, dtype=np.float32))
    found = index.search("Tell me about train journeys", np.asarray([0.0, 0.1, 0.0], dtype=np.float32), 3)
    assert found[0].place == 2
    assert found[0].keyword > 0
    assert found[1].cosine == pytest.approx(0.1)


async def test_equal_passages_keep_the_order_of_the_documents() -> None:
    """The same question has the same answer."""
    index = await index_of("Same text.", "Same text.", "Same text.")
    assert await ranked(index, "same text") == [0, 1, 2]


async def test_a_question_of_unknown_words_is_ranked_by_meaning_alone() -> None:
    """No keyword, no failure; no passages, no result."""
    index = await index_of(*TEXTS)
    assert len(await ranked(index, "xyzzy?")) == 3
    assert Index([], np.zeros((0, 4), dtype=np.float32)).search("x", np.zeros(4, dtype=np.float32), 3) == []


async def test_german_compounds_are_found_by_their_parts_and_the_other_way_round() -> None:
    """Kündigungsfrist and the Frist einer Kündigung are one matter."""
    texts = ("Die Frist für eine Kündigung beträgt drei Monate.", "Das Essen kostet zehn Franken.")
    parts = await index_of(*texts, language="de")
    assert (await ranked(parts, "Welche Kündigungsfrist gilt?"))[0] == 0
    whole = await index_of(texts[1], "Die Kündigungsfrist beträgt drei Monate.", language="de")
    assert (await ranked(whole, "Wie lange dauert eine Kündigung?"))[0] == 1


async def test_rare_words_weigh_more_and_unknown_ones_most() -> None:
    """A word every passage uses tells little."""
    rarity = (await index_of(*TEXTS, "It must be reported.")).rarity("Must theft of kraken be reported?")
    assert rarity["kraken"] > rarity["theft"] > rarity["report"]


@pytest.mark.parametrize(
    ("text", "language", "same"),
    [
        ("The 30 days and CHF 1,250", "en", "day CHF 30 1,250"),
        ("E-Mail-Adressen", "de", "Mail Adresse"),
        ("Les réponses d'employés", "fr", "réponse employé"),
        ("What is it?", "en", ""),
    ],
)
def test_terms_are_stems_and_numbers(text: str, language: Language, same: str) -> None:
    """Inflected forms are one term, words without content of their own are none."""
    assert terms(text, language) == terms(same, language)
    assert len(terms(text, language)) == len(same.split())


def test_short_words_have_no_relatives() -> None:
    """`an` is a part of half the dictionary."""
    assert Compounds(["formular", "uniform", "perform"]).of("form") == []
    assert Compounds(["kundigungsfrist", "kundigung", "frist"]).of("kundigung") == ["kundigungsfrist"]


def test_relatives_in_a_vocabulary_are_those_a_look_at_every_word_finds() -> None:
    """The index by first and last letters leaves none out."""
    letters = Random(1)
    words = {"".join(letters.choices("abc", k=letters.randint(1, 12))) for _ in range(800)}
    index = Compounds(words)
    found = {word: index.of(word) for word in words}
    assert found == {word: sorted(other for other in words if related(word, other)) for word in words}
    assert any(found.values())
