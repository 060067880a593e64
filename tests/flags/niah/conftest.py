"""One tokenizer and the corpora of the tests."""

import pytest

from flags.niah import Corpora, Tokenizer
from service.llm import open_tokenizer


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    """Return the real vocabulary."""
    return open_tokenizer()


@pytest.fixture(scope="session")
def corpora(tokenizer: Tokenizer) -> Corpora:
    """Return corpora with synthetic prose."""
    return Corpora(tokenizer)
