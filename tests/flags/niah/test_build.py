"""Documents of exactly L tokens."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from flags.niah import Corpora, Corpus, DocumentImpossible, HaystackTooShort, Needle, Tokenizer, build, prose
from flags.niah._filler import Filler, draw
from service.llm import open_tokenizer

TOKENIZER = open_tokenizer()
PIECES = [
    "a",
    "b ",
    "the ",
    " ",
    "\n",
    "\n\n",
    ".",
    ". ",
    "。",
    "你",
    "好世界",
    "😀",
    "👩‍👩‍👧",
    "é",
    "1",
    "23",
    "\t",
    "--",
    "'s ",
    "ก",
    "а б ",
]
CORPORA = st.lists(st.sampled_from(PIECES), min_size=5, max_size=400).map("".join)
DEPTHS = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))
NEEDLES = st.lists(
    st.tuples(st.lists(st.sampled_from([*PIECES, "Fact "]), min_size=1, max_size=30), DEPTHS), min_size=1, max_size=4
)


def needle(text: str = "The boiling point of Xenarium is 412.", depth: float = 0.5) -> Needle:
    """Return a needle that wants this depth."""
    return Needle(text=text, value="412", entity="Xenarium", wanted=depth)


@settings(max_examples=150, deadline=None)
@given(CORPORA, NEEDLES, st.floats(0, 1), st.integers(0, 99))
def test_any_text_gives_documents_of_exactly_the_length(text: str, facts: list, share: float, seed: int) -> None:
    """Chinese, emoji, tabs, no paragraphs: the count is exact and every needle stands in the document."""
    assume(text.strip())
    corpus = Corpus.of("any", text, TOKENIZER)
    needles = [needle("".join(["Fact", *parts]), depth) for parts, depth in facts]
    least = sum(TOKENIZER.count(each.text) for each in needles) + 12 * len(needles)
    length = least + int(share * max(corpus.tokens - 40, 0))
    try:
        found = build(draw(corpus, str(seed), []), needles, length, TOKENIZER)
    except HaystackTooShort:
        assert corpus.tokens < length
        return
    except DocumentImpossible:
        # only a corpus that is used up to its last tokens leaves nothing to cut
        assert length - least > corpus.tokens - 60
        return
    assert TOKENIZER.count(found.text) == length == found.tokens
    assert all(each.text in found.text for each in needles)


@pytest.mark.parametrize("length", [200, 1000, 8000, 50_000])
@pytest.mark.parametrize("depth", [0.0, 0.05, 0.33, 0.5, 0.95, 1.0])
def test_the_needle_stands_at_the_paragraph_end_nearest_to_its_depth(length: int, depth: float) -> None:
    """The true depth is recorded and lies within half a paragraph of the one wanted; text around it is whole."""
    corpus = Corpus.of("prose", prose(3, 60_000), TOKENIZER)
    found = build(draw(corpus, "7", ["412"]), [needle(depth=depth)], length, TOKENIZER)
    (stands,) = found.needles
    before, after = found.text.split(stands.text)
    assert TOKENIZER.count(found.text) == length
    assert stands.position == TOKENIZER.count(before)
    assert stands.depth == stands.position / length
    assert abs(stands.position - min(depth * length, length - 13)) <= 130
    assert before == "" or before.endswith("\n\n") or length == 200
    assert after == "" or after.startswith("\n\n") or length == 200


def test_depth_one_keeps_the_needle_as_the_last_words() -> None:
    """The needle's tokens are reserved first, so that nothing cuts it off."""
    corpus = Corpus.of("prose", prose(3, 9000), TOKENIZER)
    found = build(draw(corpus, "1", []), [needle(depth=0.0), needle("And the end is 7.", 1.0)], 900, TOKENIZER)
    assert found.text.startswith("The boiling point")
    assert found.text.endswith("\n\nAnd the end is 7.")
    assert TOKENIZER.count(found.text) == 900


def test_needles_at_one_place_stand_one_after_the_other() -> None:
    """Several needles of one depth keep a break between them."""
    corpus = Corpus.of("prose", prose(3, 9000), TOKENIZER)
    found = build(draw(corpus, "1", []), [needle("One is 1."), needle("Two is 2.")], 500, TOKENIZER)
    assert "One is 1.\n\nTwo is 2.\n\n" in found.text


def test_a_document_of_needles_alone_is_possible() -> None:
    """Where the needles fill the length exactly there is no filler at all."""
    corpus = Corpus.of("prose", prose(3, 9000), TOKENIZER)
    text = "The boiling point of Xenarium is 412."
    found = build(draw(corpus, "1", []), [needle(text)], TOKENIZER.count(text), TOKENIZER)
    assert found.text == text
    longer = build(draw(corpus, "1", []), [needle(text, 0.0)], TOKENIZER.count(text) + 4, TOKENIZER)
    assert longer.text.startswith(text + " ")
    assert TOKENIZER.count(longer.text) == longer.tokens


def test_needles_that_do_not_fit_are_an_error() -> None:
    """A document that would be longer than asked is refused, with its numbers."""
    corpus = Corpus.of("prose", prose(3, 9000), TOKENIZER)
    with pytest.raises(DocumentImpossible, match="exactly 20 tokens"):
        build(draw(corpus, "1", []), [needle("word " * 50)], 20, TOKENIZER)


def test_a_haystack_that_ends_too_soon_is_an_error() -> None:
    """A document is never shorter than asked."""
    corpus = Corpus.of("short", "A few words only.", TOKENIZER)
    with pytest.raises(HaystackTooShort, match="“short”"):
        build(draw(corpus, "1", []), [needle()], 500, TOKENIZER)


def test_without_paragraphs_sentences_and_then_words_are_the_boundary() -> None:
    """A text of one paragraph is entered after a sentence, one without sentences after a word."""
    sentences = Corpus.of("sentences", "The old pier was empty again. " * 200, TOKENIZER)
    words = Corpus.of("words", "harbour lantern rope " * 500, TOKENIZER)
    one, other = (
        build(Filler(corpus=corpus, spans=((0, corpus.tokens),)), [needle()], 600, TOKENIZER).text.split("The boiling")[
            0
        ]
        for corpus in (sentences, words)
    )
    assert one.endswith(". ")
    assert other.endswith(("harbour ", "lantern ", "rope "))


@dataclass(frozen=True)
class Unproven:
    """The real vocabulary, of which nothing is known."""

    name: str = "unproven"
    splits_before_words: bool = False

    def encode(self, text: str) -> NDArray[np.int32]:
        return TOKENIZER.encode(text)

    def widths(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        return TOKENIZER.widths(ids)

    def count(self, text: str) -> int:
        return TOKENIZER.count(text)


@pytest.mark.parametrize("depth", [0.0, 0.5, 1.0])
def test_a_tokenizer_that_promises_nothing_gives_the_same_document(depth: float) -> None:
    """What is proven for one vocabulary is counted for another, with the same result."""
    corpus = Corpus.of("prose", prose(3, 9000), TOKENIZER)
    proven = build(draw(corpus, "1", []), [needle(depth=depth)], 3000, TOKENIZER)
    assert build(draw(corpus, "1", []), [needle(depth=depth)], 3000, Unproven()) == proven


@pytest.mark.parametrize("length", [997, 1500])
def test_long_runs_without_spaces_are_counted_whole(length: int) -> None:
    """A run of emoji has no safe seam; its document is exact all the same."""
    corpus = Corpus.of("emoji", "😀" * 4000, TOKENIZER)
    for depth in (0.0, 0.4, 1.0):
        found = build(draw(corpus, "1", []), [needle(depth=depth)], length, TOKENIZER)
        assert TOKENIZER.count(found.text) == length


@dataclass(frozen=True)
class Thirds:
    """A token is three bytes, wherever they stand, so that no seam counts as it did in the corpus."""

    name: str = "thirds"
    splits_before_words: bool = False

    def encode(self, text: str) -> NDArray[np.int32]:
        whole, rest = divmod(len(text.encode()), 3)
        return np.array([3] * whole + [rest] * bool(rest), dtype=np.int32)

    def widths(self, ids: NDArray[np.int32]) -> NDArray[np.int32]:
        return ids

    def count(self, text: str) -> int:
        return len(self.encode(text))


@pytest.mark.parametrize("depth", [0.0, 0.21, 0.5, 0.83, 1.0])
@pytest.mark.parametrize("length", [800, 1501, 2002])
def test_a_count_that_was_off_is_corrected(length: int, depth: float) -> None:
    """Where the seams mislead, the whole document is counted and cut again until it is exact."""
    tokenizer = Thirds()
    corpus = Corpus.of("prose", prose(3, 3000), tokenizer)
    facts = [needle(f"Fact number {n} of many.", depth * n / 6) for n in range(6)]
    found = build(draw(corpus, "1", []), facts, length, tokenizer)
    assert tokenizer.count(found.text) == length
    assert all(fact.text in found.text for fact in facts)


def test_a_paragraph_that_holds_the_answer_is_left_out(tokenizer: Tokenizer) -> None:
    """The value and the entity stand in the document once: in the needle."""
    values = [1, 412, 3, 4, 412, 6, 7, 8]
    paragraphs = [f"Here the {place}. paragraph says {value} about it." for place, value in enumerate(values)]
    corpus = Corpora(tokenizer, {"own": "\n\n".join(paragraphs)}).open("own", 50)
    for seed in range(6):
        found = build(draw(corpus, str(seed), ["412"]), [needle()], 60, tokenizer)
        assert found.text.count("412") == 1
