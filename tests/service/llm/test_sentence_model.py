"""What the embedder's thread needs of a sentence-transformers model."""

from typing import Any

import numpy as np

from service.llm._sentence_model import SentenceModel


class Slow:
    """A tokenizer written in Python: it cannot tell where its tokens stand."""

    is_fast = False

    def num_special_tokens_to_add(self) -> int:
        return 2


class Model:
    """A model as sentence-transformers has them."""

    def __init__(self, longest: int | None) -> None:
        self.tokenizer = Slow()
        self.max_seq_length = longest

    def encode(self, texts: list[str], **options: Any) -> Any:
        return np.ones((len(texts), 2))


def test_a_model_with_a_slow_tokenizer_reads_windows_of_characters() -> None:
    """A character is never less than a part of a token, so nothing is cut."""
    model = SentenceModel(Model(128))
    assert model.spans("abc") == [(0, 1), (1, 2), (2, 3)]
    assert model.limit == 122
    assert model.encode(["a", "b"]).dtype == np.float32


def test_a_model_that_names_no_length_gets_a_usual_one() -> None:
    """512 tokens, some of them spare."""
    assert SentenceModel(Model(None)).limit == 506
