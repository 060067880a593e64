"""Synthetic prose and corpora."""

import itertools
import re

import pytest

from flags.niah import Corpus, HaystackTooShort, Tokenizer, prose
from flags.niah._filler import draw
from flags.niah._prose import paragraphs


def test_prose_has_no_repeated_sentence_and_no_digit() -> None:
    """Two hundred thousand words say nothing twice, and nothing that could be a value."""
    text = prose(1, 200_000)
    found = re.split(r"(?<=\.)\s+", text)
    assert len(found) > 8000
    assert len(set(found)) == len(found)
    assert not re.search(r"\d", text)
    assert len(set(re.findall(r"\w+", text))) > 700


def test_prose_is_the_same_for_a_seed_and_a_longer_one_begins_alike() -> None:
    """A document can be rebuilt on any machine, and seeds differ."""
    assert prose(1, 500) == prose(1, 500) != prose(2, 500)
    assert prose(1, 5000).startswith(prose(1, 500))
    assert prose(7, 1).split()[0] == next(paragraphs(7)).split()[0]


def test_a_sentence_said_already_is_said_differently() -> None:
    """The stream goes on without repeating itself."""
    found = list(itertools.islice(paragraphs(3), 4000))
    assert len(set(found)) == 4000


def test_a_corpus_knows_where_paragraphs_sentences_and_words_end(tokenizer: Tokenizer) -> None:
    """Ends are tokens, and no token of theirs crosses a boundary."""
    corpus = Corpus.of("own", "One is here. Two is there!\r\n\r\nThree.", tokenizer)
    for ends, parts in (
        (corpus.paragraphs, ["One is here. Two is there!\n\n", "Three.\n\n"]),
        (corpus.words, ["One", " is", " here.", " Two", " is", " there!", "\n\nThree.", "\n\n"]),
    ):
        pairs = itertools.pairwise(ends.tolist())
        found = [corpus.text(start, end).decode() for start, end in pairs]
        assert found == parts or "".join(found) == "".join(parts)
    assert len(corpus.sha256) == 64
    assert tokenizer.count(corpus.content.decode()) == corpus.tokens


@pytest.mark.parametrize(
    ("phrase", "count"),
    [
        ("412", 1),
        ("41", 0),
        ("Zyr-7", 1),
        ("zyr-7", 1),
        ("Zyr", 1),
        ("北京", 1),
        ("École", 1),
        ("nothing", 0),
        ("—", 1),
        ("İz", 1),
    ],
)
def test_a_corpus_tells_where_a_phrase_stands(phrase: str, count: int, tokenizer: Tokenizer) -> None:
    """In any case, whole, and in scripts without spaces."""
    corpus = Corpus.of("own", "The value 412 of Zyr-7.\n\n我住在北京很久了。\n\nUne école — İz.\n\nNo 4123.", tokenizer)
    assert len(corpus.holds(phrase)) == count


def test_an_empty_haystack_is_refused(tokenizer: Tokenizer) -> None:
    """White space holds no needle."""
    with pytest.raises(HaystackTooShort, match="is empty"):
        Corpus.of("nothing", " \n ", tokenizer)


def test_a_corpus_long_enough_is_not_repeated(tokenizer: Tokenizer) -> None:
    """Repetition begins where the text ends."""
    corpus = Corpus.of("own", "A few words.", tokenizer)
    assert corpus.repeated(2, tokenizer) is corpus
    assert corpus.repeated(30, tokenizer).tokens >= 30


def test_units_that_hold_a_phrase_are_left_out_of_every_walk(tokenizer: Tokenizer) -> None:
    """The rest is walked once, from wherever the walk begins."""
    corpus = Corpus.of("own", "\n\n".join(f"Here the letter {letter} stands." for letter in "abcdefgh"), tokenizer)
    for seed in range(12):
        walk = draw(corpus, str(seed), ["b", "c", "h"])
        text = walk.text(0, walk.tokens).decode()
        assert sorted(re.findall(r"letter (\w)", text)) == ["a", "d", "e", "f", "g"]
    alone = draw(Corpus.of("own", "harbour lantern rope", tokenizer), "1", ["lantern"])
    assert "lantern" not in alone.text(0, alone.tokens).decode()
