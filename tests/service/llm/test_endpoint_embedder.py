"""The embedder behind an endpoint."""

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from service.errors import EndpointTextTooLong
from service.llm import Endpoint, EndpointEmbedder


class Counting:
    """An endpoint that counts the letter a, refuses texts beyond its limit, and remembers its requests."""

    def __init__(self, limit: int = 10_000, fault: Exception | None = None) -> None:
        self.requests: list[list[str]] = []
        self.limit = limit
        self.fault = fault

    async def embed(self, texts: Sequence[str], *, model: str) -> NDArray[np.float32]:
        self.requests.append(list(texts))
        await asyncio.sleep(0)
        if self.fault:
            raise self.fault
        if max(map(len, texts)) > self.limit:
            raise EndpointTextTooLong(endpoint="e", model=model)
        return np.asarray([[text.count("a"), text.count("b") + 1e-3] for text in texts], dtype=np.float32)


async def test_texts_of_all_who_ask_travel_together_each_once() -> None:
    """Fifty rows at the same time are one request, not fifty."""
    endpoint = Counting()
    embedder = EndpointEmbedder(endpoint, "m")
    rows = await asyncio.gather(*(embedder.embed([f"a{at % 10}", "b"]) for at in range(20)))
    assert len(endpoint.requests) == 1
    assert len(endpoint.requests[0]) == 11
    assert all(one.shape == (2, 2) for one in rows)
    await embedder.embed(["b"])
    assert len(endpoint.requests) == 1
    assert embedder.name == "openai:m"


async def test_a_request_holds_no_more_than_an_endpoint_takes() -> None:
    """By number of texts, and by their length."""
    endpoint = Counting()
    embedder = EndpointEmbedder(endpoint, "m")
    await embedder.embed([f"text {at}" for at in range(130)])
    assert [len(texts) for texts in endpoint.requests] == [64, 64, 2]
    await embedder.embed([f"{at}" * 7000 for at in range(1, 10)] + [f"x{at}" * 3500 for at in range(10, 20)])
    assert max(sum(map(len, texts)) for texts in endpoint.requests) <= 100_000


async def test_a_long_text_is_read_in_windows_that_fit_the_model() -> None:
    """Windows are halved until the model takes them; both ends of the text count."""
    endpoint = Counting(limit=1000)
    embedder = EndpointEmbedder(endpoint, "m")
    [row] = await embedder.embed(["a" * 3000 + "b" * 3000])
    assert row[0] == pytest.approx(row[1], rel=1e-3)
    assert float(np.linalg.norm(row)) == pytest.approx(1)
    before = len(endpoint.requests)
    await embedder.embed(["ab" * 2500])
    assert len(endpoint.requests) == before + 1


async def test_a_model_that_reads_nothing_is_an_error_not_an_endless_loop() -> None:
    """There is a smallest window."""
    with pytest.raises(EndpointTextTooLong):
        await EndpointEmbedder(Counting(limit=10), "m").embed(["a" * 500])


async def test_a_failure_reaches_all_who_wait_and_is_not_remembered() -> None:
    """The next request tries again; one who left meanwhile is no obstacle."""
    endpoint = Counting(fault=RuntimeError("down"))
    embedder = EndpointEmbedder(endpoint, "m")
    gone = asyncio.create_task(embedder.embed(["gone"]))
    await asyncio.sleep(0)
    gone.cancel()
    results = await asyncio.gather(embedder.embed(["a"]), embedder.embed(["b"]), return_exceptions=True)
    assert [str(one) for one in results] == ["down", "down"]
    endpoint.fault = None
    assert (await embedder.embed(["a"])).shape == (1, 2)


async def test_one_who_left_does_not_keep_the_others_from_their_vectors() -> None:
    """The request goes on for those who still wait."""
    embedder = EndpointEmbedder(Counting(), "m")
    gone = asyncio.create_task(embedder.embed(["a"]))
    await asyncio.sleep(0)
    gone.cancel()
    assert (await embedder.embed(["b"])).shape == (1, 2)
    await embedder.aclose()


async def test_nothing_asked_is_nothing_sent_and_an_empty_text_is_a_row() -> None:
    """Endpoints refuse empty texts, so a space stands for one."""
    endpoint = Counting()
    embedder = EndpointEmbedder(endpoint, "m")
    assert len(await embedder.embed([])) == 0
    assert endpoint.requests == []
    assert (await embedder.embed([""])).shape == (1, 2)
    assert endpoint.requests == [[" "]]


async def test_vectors_come_from_a_real_server(endpoint: Endpoint, shared_openai_server: Any) -> None:
    """Unit rows in the order of the texts."""
    rows = await EndpointEmbedder(endpoint, "m").embed(["paid leave", "leave paid", "a red car"])
    assert rows.dtype == np.float32
    assert rows[0] @ rows[1] == pytest.approx(1)
    assert rows[0] @ rows[2] < 0.5
    assert shared_openai_server.stats()["embeddings"] == 1
