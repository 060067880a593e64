"""The packaged vocabulary."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.errors import VocabularyBroken
from service.llm import open_tokenizer
from service.llm._tokenizer import ranks_of


def test_known_texts_have_their_published_tokens() -> None:
    """The vocabulary is cl100k_base."""
    tokenizer = open_tokenizer()
    assert tokenizer.name == "cl100k_base"
    assert tokenizer.encode("hello world").tolist() == [15339, 1917]
    assert tokenizer.encode("tiktoken is great!").tolist() == [83, 1609, 5963, 374, 2294, 0]
    assert tokenizer.count("<|endoftext|>") == 7


def test_the_vocabulary_is_opened_once() -> None:
    """All who ask share it."""
    assert open_tokenizer() is open_tokenizer()


@given(st.text(max_size=300))
def test_widths_add_up_to_the_bytes_of_the_text(text: str) -> None:
    """Every token says how many bytes it stands for."""
    tokenizer = open_tokenizer()
    ids = tokenizer.encode(text)
    assert tokenizer.widths(ids).sum() == len(text.encode())
    assert tokenizer.count(text) == len(ids)


@given(st.text(max_size=60), st.text(max_size=60))
def test_texts_split_between_a_letter_and_a_word(one: str, other: str) -> None:
    """The count of two halves adds up where the second begins with a space and a letter: seams rest on it."""
    tokenizer = open_tokenizer()
    left, right = one + "x", " y" + other
    assert tokenizer.count(left + right) == tokenizer.count(left) + tokenizer.count(right)


def test_another_vocabulary_is_refused() -> None:
    """A file that is not the expected one would count wrongly without a word."""
    with pytest.raises(VocabularyBroken, match="sha256"):
        ranks_of(b"IQ== 0\n")
