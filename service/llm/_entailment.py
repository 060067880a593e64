"""A sentence-transformers cross-encoder that says whether one sentence follows from another."""

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from service.errors import EntailmentMissing

_WANTED = ("entail", "contradict")


class Inference(Protocol):
    """What is needed of a loaded model."""

    def weigh(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Return a row a pair: the probabilities of entailment and of contradiction."""
        ...


class LocalEntailment:
    """A model loaded with the first pair, off the event loop; one batch at a time."""

    def __init__(self, name: str, load: Callable[[], Inference]) -> None:
        self.name = name
        self._load = load
        self._model: Inference | None = None
        self._turn = threading.Lock()

    async def weigh(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Return a row a (premise, hypothesis); raise `EntailmentMissing` when there is no such model."""
        return await asyncio.to_thread(self._weigh, pairs)

    def _weigh(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        with self._turn:
            self._model = self._model or self._load()
            return self._model.weigh(pairs)


class CrossEncoderModel:
    """A cross-encoder with labels for entailment and contradiction, in any order."""

    def __init__(self, name: str, model: Any) -> None:
        labels = {place: str(label).casefold() for place, label in model.config.id2label.items()}
        self._model = model
        self._places = [place for word in _WANTED for place in labels if labels[place].startswith(word)]
        if len(self._places) != len(_WANTED):
            raise EntailmentMissing(model=name, problem=f"its labels are {', '.join(labels.values())}.")

    def weigh(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """Return a row a pair."""
        rows = self._model.predict(list(pairs), apply_softmax=True, show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(rows, dtype=np.float64).reshape(len(pairs), -1)[:, self._places]


def load_entailment(name: str) -> CrossEncoderModel:
    """Load a model by name or folder; raise `EntailmentMissing` when that cannot be done."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import transformers
    from sentence_transformers import CrossEncoder

    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    transformers.utils.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    try:
        return CrossEncoderModel(name, CrossEncoder(name))
    except (OSError, ValueError) as error:
        problem = " ".join(str(error).split()).split(". ")[0][:200].rstrip(".")
        raise EntailmentMissing(model=name, problem=f"{problem}.") from None
