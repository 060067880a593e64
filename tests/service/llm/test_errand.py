"""What calls are made for: who pays, and for how long a row is patient."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from service.errors import EmbedderUnreachable, EndpointBroken, EndpointFailed, EndpointTimeout
from service.llm import Charge, Endpoint, EndpointEmbedder, Endpoints, Errand, on_errand, this_errand
from service.llm._errand import Party, Trial
from service.llm._habits import Habits

KEY = "FLAGBOOK_TEST_KEY"


class Till:
    """A payer that remembers everything."""

    def __init__(self, purse: object = None) -> None:
        self.purse = purse
        self.reserved: list[Charge] = []
        self.paid: list[Charge | None] = []
        self.lost = 0

    async def reserve(self, most: Charge) -> float:
        """Put one aside."""
        self.reserved.append(most)
        return 1.0

    def pay(self, reserved: float, charge: Charge | None) -> None:
        """Remember what was charged."""
        self.paid.append(charge)

    def share(self, charge: Charge) -> None:
        """Remember a part."""
        self.paid.append(charge)

    def lose(self, reserved: float) -> None:
        """Count what is lost."""
        self.lost += 1


@pytest.fixture
async def hasty() -> AsyncIterator[Endpoints]:
    """Return endpoints whose rows are patient for a moment only."""
    endpoints = Endpoints(timeout_s=0.2, retry_budget_s=1.0, reply_tokens=50)
    yield endpoints
    await endpoints.aclose()


def said(text: str) -> list[dict[str, str]]:
    """Return a conversation."""
    return [{"role": "user", "content": text}]


async def test_a_call_is_paid_for_by_its_errand_with_what_was_charged(
    hasty: Endpoints, shared_openai_server: Any
) -> None:
    """What is put aside before is never less than what is charged."""
    endpoint, till = hasty.open(shared_openai_server.base_url, KEY, caller="judge"), Till()
    with on_errand(Errand(till)):
        reply = await endpoint.complete(said("Hello there, how many days?"), model="m")
    assert till.paid == [
        Charge(caller="judge", model="m", input=reply.prompt_tokens, output=reply.completion_tokens),
    ]
    (most,) = till.reserved
    assert (most.input or 0) >= (reply.prompt_tokens or 0)
    assert most.output == 50


async def test_refused_calls_are_not_charged_and_lost_ones_may_have_been(
    endpoint: Endpoint, shared_openai_server: Any
) -> None:
    """A 500 costs nothing; of a connection that was reset nobody can tell."""
    till = Till()
    with on_errand(Errand(till)):
        for knobs in ({"every_500": 2}, {"every_500": 0, "every_drop": 2}):
            shared_openai_server.reset(**knobs)
            await endpoint.complete(said("b"), model="m")
            await endpoint.complete(said("c"), model="m")
    assert (till.paid.count(None), till.lost) == (1, 1)


async def test_the_calls_of_a_row_share_its_patience(hasty: Endpoints, shared_openai_server: Any) -> None:
    """What one call lost another cannot lose again; another row has its own."""
    endpoint = hasty.open(shared_openai_server.base_url, KEY, caller="judge")
    shared_openai_server.script(answers={"broken": {"status": 500}})
    clock, tired = [0.0], Errand()
    tired.trial = Trial(lambda: clock[0])
    with tired.failing():
        clock[0] = 2.0  # another call of the row has lost so much
    tries = []
    for errand in (tired, Errand()):
        with on_errand(errand), pytest.raises(EndpointBroken) as broken:
            await endpoint.complete(said("broken"), model="m")
        tries.append(broken.value.params["tries"])
    assert tries[0] == 1
    assert tries[1] > 1


def test_time_lost_at_the_same_time_counts_once() -> None:
    """Three calls that fail side by side for two seconds have cost the row two."""
    clock = [0.0]
    trial = Trial(lambda: clock[0])
    for _ in range(3):
        trial.fails()
    clock[0] = 2.0
    for _ in range(3):
        trial.ends()
    clock[0] = 10.0
    assert trial.lost == 2.0
    trial.fails()
    clock[0] = 11.0
    assert trial.lost == 3.0


async def test_rows_whose_texts_travel_together_pay_their_parts(hasty: Endpoints, shared_openai_server: Any) -> None:
    """One call, charged once, told for each row by the length of its text."""
    embedder = EndpointEmbedder(hasty.open(shared_openai_server.base_url, KEY, caller="embedder"), "e")
    one, two = Till(), Till()

    async def embed(till: Till, text: str) -> None:
        with on_errand(Errand(till)):
            await embedder.embed([text])

    await asyncio.gather(embed(one, "x" * 300), embed(two, "y" * 100))
    charges = [charge for till in (one, two) for charge in till.paid if charge]
    assert [charge.calls for charge in charges] == [1, 0]
    assert sum(charge.input or 0 for charge in charges) == shared_openai_server.stats()["charged"]["e"][0]
    assert (charges[0].input or 0) == pytest.approx(3 * (charges[1].input or 0), abs=2)


async def test_texts_of_different_purses_do_not_travel_together(hasty: Endpoints, shared_openai_server: Any) -> None:
    """A run that may spend no more must not keep another from being judged."""
    embedder = EndpointEmbedder(hasty.open(shared_openai_server.base_url, KEY, caller="embedder"), "e")

    async def embed(till: Till, text: str) -> None:
        with on_errand(Errand(till)):
            await embedder.embed([text])

    await asyncio.gather(embed(Till("a"), "x"), embed(Till("b"), "y"))
    assert shared_openai_server.stats()["embeddings"] == 2


async def test_an_embedder_that_cannot_be_reached_is_closed(hasty: Endpoints, unused_port: int) -> None:
    """Every row would meet it: the run is to stop at the first, with one error."""
    address = f"http://127.0.0.1:{unused_port}/v1"
    embedder = EndpointEmbedder(hasty.open(address, KEY, caller="embedder"), "e")
    with pytest.raises(EmbedderUnreachable):
        await embedder.embed(["text"])
    with pytest.raises(EndpointFailed) as others:
        await hasty.open(address, KEY, caller="judge").complete(said("a"), model="m")
    assert not isinstance(others.value, EmbedderUnreachable)


async def test_a_wait_longer_than_a_row_is_patient_does_not_hold_up_the_others(
    hasty: Endpoints, shared_openai_server: Any
) -> None:
    """An endpoint that says “in an hour” fails the row, and the next call is tried after the row's patience."""
    endpoint = hasty.open(shared_openai_server.base_url, KEY, caller="judge")
    shared_openai_server.reset(every_429=1, retry_after=3600)
    with pytest.raises(EndpointFailed):
        await endpoint.complete(said("a"), model="m")
    shared_openai_server.reset(every_429=0)
    assert (await asyncio.wait_for(endpoint.complete(said("b"), model="m"), 10)).text


async def test_a_call_that_is_broken_off_may_have_been_charged(hasty: Endpoints, shared_openai_server: Any) -> None:
    """A time-out keeps what was put aside."""
    endpoint, till = hasty.open(shared_openai_server.base_url, KEY, caller="judge"), Till()
    shared_openai_server.reset(latency_ms=400)
    with on_errand(Errand(till)), pytest.raises(EndpointTimeout):
        await endpoint.complete(said("a"), model="m")
    assert till.lost >= 1
    lost = till.lost
    with on_errand(Errand(till)):
        task = asyncio.create_task(endpoint.complete(said("b"), model="m"))
        await asyncio.sleep(0.1)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert till.lost == lost + 1


def test_what_a_model_takes_is_learned() -> None:
    """At first every byte may be a token; then twice the most that was seen counts, and a cap is kept to."""
    habits, body = Habits(100), {"messages": []}
    assert habits.expect(1000, body) == (1001, 100)
    habits.learn(1000, 200, 400)
    assert habits.expect(1000, body) == (401, 800)
    assert habits.expect(1000, {**body, "max_tokens": 30}) == (401, 30)
    assert habits.expect(1000, {"input": []}) == (401, 0)


def test_after_some_replies_the_longest_of_them_counts() -> None:
    """A limit is not eaten up by putting thousands of tokens aside for replies of forty."""
    habits, body = Habits(4000), {"messages": []}
    for _ in range(20):
        assert habits.expect(1000, body)[1] == 4000
        habits.learn(1000, 200, 40)
    assert habits.expect(1000, body)[1] == 80


async def test_a_party_whose_call_tells_no_tokens_counts_one_call() -> None:
    """Nobody's tokens are made up."""
    one, two = Till(), Till()
    party = Party({Errand(one): 1, Errand(two): 3})
    reserved = await party.reserve(Charge(caller="embedder", model="e", input=4, output=0))
    party.pay(reserved, Charge(caller="embedder", model="e", output=0))
    assert [charge.calls for till in (one, two) for charge in till.paid if charge] == [1, 0]
    party.lose(reserved)
    assert (one.lost, two.lost) == (1, 0)


async def test_outside_of_a_row_nobody_pays() -> None:
    """Calls can be made all the same."""
    errand = this_errand()
    reserved = await errand.reserve(Charge(caller="judge", model="m"))
    errand.pay(reserved, None)
    errand.lose(reserved)
    errand.payer.share(Charge(caller="judge", model="m"))
    assert (reserved, errand.lost) == (0.0, 0.0)
