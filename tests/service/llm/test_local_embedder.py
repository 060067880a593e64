"""The embedder on this machine."""

import asyncio
import threading
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from flags._fakes import WordEmbedder
from service.errors import EmbedderMissing
from service.llm import LocalEmbedder, embed_ahead
from service.llm._sentence_model import load_sentence_model


class Letters:
    """An encoder that counts letters, a token each, and remembers what it was given."""

    limit = 16

    def __init__(self, gate: threading.Event | None = None) -> None:
        self.batches: list[list[str]] = []
        self.gate = gate
        self.busy = threading.Event()

    def spans(self, text: str) -> list[tuple[int, int]]:
        return [(at, at + 1) for at in range(len(text))]

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.batches.append(list(texts))
        self.busy.set()
        if self.gate:
            self.gate.wait(5)
        if "broken" in texts:
            raise RuntimeError("the model broke")
        return np.asarray([[text.count("a"), text.count("b"), 1] for text in texts], dtype=np.float32)


async def test_requests_that_wait_become_one_batch_from_short_to_long() -> None:
    """While the model is busy, what comes in is gathered; equal texts are read once."""
    gate = threading.Event()
    encoder = Letters(gate)
    embedder = LocalEmbedder("letters", lambda: encoder)
    first = asyncio.create_task(embedder.embed(["a"]))
    await asyncio.to_thread(encoder.busy.wait, 5)
    others = [asyncio.create_task(embedder.embed(texts)) for texts in (["bbb", "b"], ["bb", "b"], ["a"])]
    await asyncio.sleep(0)
    gate.set()
    rows = await asyncio.gather(first, *others)
    assert encoder.batches == [["a"], ["b", "bb", "bbb"]]
    assert [len(one) for one in rows] == [1, 2, 2, 1]
    np.testing.assert_array_equal(rows[0], rows[3])
    await embedder.aclose()


async def test_a_long_queue_is_worked_off_in_parts_the_shortest_first() -> None:
    """A question that comes late does not wait for all the documents that came before it."""
    gate = threading.Event()
    encoder = Letters(gate)
    embedder = LocalEmbedder("letters", lambda: encoder)
    documents = asyncio.create_task(embedder.embed([f"passage {at:04}" for at in range(100)]))
    await asyncio.to_thread(encoder.busy.wait, 5)
    question = asyncio.create_task(embedder.embed(["why"]))
    await asyncio.sleep(0)
    gate.set()
    assert len(await documents) == 100
    assert len(await question) == 1
    assert [len(batch) for batch in encoder.batches] == [32, 32, 32, 5]
    assert encoder.batches[1][0] == "why"
    await embedder.aclose()


async def test_texts_embedded_ahead_wait_for_all_others_and_are_there_when_asked_for() -> None:
    """Reading them costs nobody time; one that is asked for meanwhile is not read twice."""
    gate = threading.Event()
    encoder = Letters(gate)
    embedder = LocalEmbedder("letters", lambda: encoder)
    first = asyncio.create_task(embedder.embed(["first"]))
    await asyncio.to_thread(encoder.busy.wait, 5)
    embed_ahead(embedder, ["b", "a"])
    others = [asyncio.create_task(embedder.embed([text])) for text in ("a longer text", "a")]
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(first, *others)
    await embedder.embed(["b"])
    assert encoder.batches == [["first"], ["a", "a longer text"], ["b"]]
    embed_ahead(WordEmbedder(), ["an endpoint is not asked ahead"])
    await embedder.aclose()


async def test_texts_ahead_that_cannot_be_read_are_nobodys_trouble() -> None:
    """Who asks for them hears of it then."""
    embedder = LocalEmbedder("letters", Letters)
    embedder.ahead(["broken"])
    assert len(await embedder.embed(["a"])) == 1
    with pytest.raises(RuntimeError):
        await embedder.embed(["broken"])
    embedder.ahead(["never read"])
    await embedder.aclose()


async def test_a_long_text_is_read_in_windows_and_nothing_is_cut() -> None:
    """The letters at its end count as much as those at its beginning."""
    encoder = Letters()
    embedder = LocalEmbedder("letters", lambda: encoder)
    [row] = await embedder.embed(["a" * 20 + "b" * 20])
    assert row[0] == pytest.approx(row[1])
    assert sum(map(len, encoder.batches[0])) > 40
    assert max(map(len, encoder.batches[0])) == Letters.limit
    assert float(np.linalg.norm(row)) == pytest.approx(1)
    await embedder.aclose()


async def test_texts_known_already_are_not_read_again_until_they_are_forgotten() -> None:
    """The least recently used text is forgotten first."""
    encoder = Letters()
    embedder = LocalEmbedder("letters", lambda: encoder, cache=2)
    for texts in (["a", "b"], ["a"], ["c"], ["a"], ["b"]):
        await embedder.embed(texts)
    assert encoder.batches == [["a", "b"], ["c"], ["b"]]
    await embedder.aclose()


async def test_the_model_is_loaded_at_the_first_text_and_once() -> None:
    """Closing lets the thread end; the next text finds the model still there."""
    loads: list[int] = []

    def load() -> Letters:
        loads.append(1)
        return Letters()

    embedder = LocalEmbedder("letters", load)
    await embedder.aclose()
    assert loads == []
    await embedder.embed(["a"])
    await embedder.aclose()
    await embedder.embed(["b"])
    assert len(loads) == 1
    await embedder.aclose()


async def test_what_waits_is_still_done_when_the_embedder_is_closed() -> None:
    """The end stands in the queue behind those who came before."""
    gate = threading.Event()
    encoder = Letters(gate)
    embedder = LocalEmbedder("letters", lambda: encoder)
    tasks = [asyncio.create_task(embedder.embed([text])) for text in ("a", "b")]
    await asyncio.sleep(0)
    closing = asyncio.create_task(embedder.aclose())
    await asyncio.sleep(0)
    gate.set()
    assert [rows.shape for rows in await asyncio.gather(*tasks)] == [(1, 3), (1, 3)]
    await closing


async def test_no_texts_are_no_rows() -> None:
    """An empty request is answered, not refused."""
    embedder = LocalEmbedder("letters", Letters)
    assert len(await embedder.embed([])) == 0
    await embedder.aclose()


async def test_a_failure_reaches_everyone_who_waits_and_the_next_request_works() -> None:
    """The thread survives; those who gave up meanwhile are no obstacle."""
    gate = threading.Event()
    encoder = Letters(gate)
    embedder = LocalEmbedder("letters", lambda: encoder)
    failing = asyncio.create_task(embedder.embed(["broken"]))
    gone = asyncio.create_task(embedder.embed(["gone"]))
    await asyncio.sleep(0.01)
    gone.cancel()
    gate.set()
    with pytest.raises(RuntimeError, match="the model broke"):
        await failing
    assert (await embedder.embed(["a"])).shape == (1, 3)
    await embedder.aclose()


async def test_a_caller_who_left_before_a_failure_is_no_obstacle() -> None:
    """A failure is told to those who still wait."""
    gate = threading.Event()
    encoder = Letters(gate)
    embedder = LocalEmbedder("letters", lambda: encoder)
    first = asyncio.create_task(embedder.embed(["a"]))
    await asyncio.to_thread(encoder.busy.wait, 5)
    gone, failing = (asyncio.create_task(embedder.embed([text])) for text in ("b", "broken"))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    gate.set()
    await first
    with pytest.raises(RuntimeError):
        await failing
    await embedder.aclose()


async def test_the_packaged_model_knows_which_sentences_mean_the_same() -> None:
    """It is loaded from its package, reads beyond its own window, and stays silent."""
    embedder = LocalEmbedder("packaged", lambda: load_sentence_model("packaged"))
    same, near, far = await embedder.embed(["How many days off?", "What is the number of vacation days?", "A red car."])
    assert same @ near > 0.5 > same @ far
    filler = "The weather was fine and nothing else happened that day. " * 60
    plain, with_end = await embedder.embed([filler, filler + "The invoice is overdue. " * 20])
    assert plain @ with_end < 0.99
    await embedder.aclose()


async def test_a_model_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person reads which embedder was meant and what may stand there."""
    embedder = LocalEmbedder("no/such-model", lambda: load_sentence_model("./no-such-folder"))
    with pytest.raises(EmbedderMissing, match="no-such-folder"):
        await embedder.embed(["a"])
    await embedder.aclose()
