"""The embedder behind an endpoint: texts of all who ask within a moment travel together."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextvars import Context
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from service.errors import EndpointTextTooLong
from service.llm._consent import look_for_consent
from service.llm._errand import Errand, Party, on_errand, this_errand
from service.llm._vectors import Vectors
from service.llm._windows import mean_of_windows, windows

_TEXTS_AT_ONCE = 64
_CHARS_AT_ONCE = 100_000
_GATHER_S = 0.02
"""So long texts are gathered: a call costs more than the time of one row, which waits for its judge meanwhile."""
_WINDOW = 8000
"""Characters read at once at first; halved for a model that says it is too much."""
_SMALLEST_WINDOW = 250

Rows = NDArray[np.float32]


class _Piece(NamedTuple):
    text: str
    vector: "asyncio.Future[NDArray[np.float32]]"
    errand: Errand


_Waiting = list[_Piece]


class Embeddings(Protocol):
    """The part of an endpoint the embedder needs."""

    async def embed(self, texts: Sequence[str], *, model: str) -> Rows:
        """Return unit rows."""
        ...


class EndpointEmbedder:
    """Unit vectors from an OpenAI-compatible endpoint; a long text is the mean of its windows, weighted by length."""

    def __init__(self, endpoint: Embeddings, model: str, *, cache: int = 4096) -> None:
        self.name = f"openai:{model}"
        self._endpoint = endpoint
        self._model = model
        self._window = _WINDOW
        self._known = Vectors(cache)
        self._waiting: WeakKeyDictionary[asyncio.AbstractEventLoop, _Waiting] = WeakKeyDictionary()
        self._sending: set[asyncio.Task[None]] = set()

    async def embed(self, texts: Sequence[str]) -> Rows:
        """Return an array (len(texts), dimensions) of unit rows; raise `EndpointFailed` when there are none."""
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        while True:
            window = self._window
            pieces = [piece for owner, text in enumerate(texts) for piece in _pieces(text, owner, window)]
            try:
                rows = await asyncio.gather(*(self._vector(piece or " ") for piece, _, _ in pieces))
            except EndpointTextTooLong:
                if self._window <= _SMALLEST_WINDOW:
                    raise
                self._window = min(self._window, max(_SMALLEST_WINDOW, window // 2))
                continue
            weights, owners = [size for _, size, _ in pieces], [owner for _, _, owner in pieces]
            return mean_of_windows(np.stack(rows), weights, owners, len(texts))

    async def aclose(self) -> None:
        """Wait for what is under way; the endpoint is closed by those who opened it."""
        await asyncio.gather(*self._sending, return_exceptions=True)

    async def _vector(self, text: str) -> Rows:
        known = self._known.get(text)
        if known is not None:
            return known
        await look_for_consent()
        loop = asyncio.get_running_loop()
        waiting = self._waiting.setdefault(loop, [])
        vector: asyncio.Future[Rows] = loop.create_future()
        waiting.append(_Piece(text, vector, this_errand()))
        if len(waiting) == 1:
            # In nobody's name: the texts that travel together belong to several rows.
            task = loop.create_task(self._send_soon(waiting), context=Context())
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
        return await vector

    async def _send_soon(self, waiting: _Waiting) -> None:
        await asyncio.sleep(_GATHER_S)
        taken, waiting[:] = list(waiting), []
        purses: dict[object, _Waiting] = {}
        for piece in taken:
            purses.setdefault(piece.errand.payer.purse, []).append(piece)
        await asyncio.gather(*(self._send(batch) for paid in purses.values() for batch in _batches(paid)))

    async def _send(self, batch: _Waiting) -> None:
        texts = list(dict.fromkeys(piece.text for piece in batch))
        weights: Counter[Errand] = Counter()
        for piece in batch:
            weights[piece.errand] += len(piece.text)
        try:
            with on_errand(Party(weights)):
                rows = await self._endpoint.embed(texts, model=self._model)
        except Exception as error:  # noqa: BLE001  # those who wait must hear of it, whatever it is
            for piece in batch:
                if not piece.vector.done():
                    piece.vector.set_exception(error)
            return
        found = dict(zip(texts, rows, strict=True))
        self._known.keep(found.items())
        for piece in batch:
            if not piece.vector.done():
                piece.vector.set_result(found[piece.text])


def _pieces(text: str, owner: int, window: int) -> list[tuple[str, int, int]]:
    """Return a text's windows, each with its length and the text's number."""
    if len(text) <= window:
        return [(text, max(1, len(text)), owner)]
    spans = [(at, at + 1) for at in range(len(text))]
    return [(text[start:end], size, owner) for (start, end), size in windows(spans, window)]


def _batches(waiting: _Waiting) -> list[_Waiting]:
    """Return the texts in parts an endpoint takes in one request."""
    batches: list[_Waiting] = []
    size = 0
    for one in waiting:
        if not batches or len(batches[-1]) == _TEXTS_AT_ONCE or size + len(one.text) > _CHARS_AT_ONCE:
            batches.append([])
            size = 0
        batches[-1].append(one)
        size += len(one.text)
    return batches
