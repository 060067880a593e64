"""How many calls are let in, and when."""

import asyncio
import threading
from contextlib import AsyncExitStack

import pytest

from service.llm import Limiter
from service.llm._limiter import Roof


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


async def settled() -> None:
    """Let everything that can run do so."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_no_more_calls_are_under_way_than_allowed() -> None:
    """The limit counts calls, and the next one enters when one leaves."""
    limiter = Limiter(2)
    seen: list[int] = []

    async def call() -> None:
        async with limiter.turn():
            seen.append(limiter.in_flight)
            await asyncio.sleep(0)

    await asyncio.gather(*(call() for _ in range(20)))
    assert (max(seen), len(seen), limiter.in_flight) == (2, 20, 0)


async def test_calls_enter_in_the_order_they_came_and_repeated_ones_first() -> None:
    """A call that is tried again does not go behind those that never started."""
    limiter = Limiter(1)
    order: list[str] = []

    async def call(name: str, again: bool) -> None:
        async with limiter.turn(again=again):
            order.append(name)

    async with limiter.turn():
        waiting = []
        for name, again in (("first", False), ("second", False), ("again", True)):
            waiting.append(asyncio.create_task(call(name, again)))
            await settled()
    await asyncio.gather(*waiting)
    assert order == ["again", "first", "second"]


async def test_refusals_of_calls_that_were_under_way_together_halve_the_limit_once() -> None:
    """A burst of 429 is one message, not sixteen."""
    clock = Clock()
    limiter = Limiter(16, now=clock)
    started = clock.time
    clock.time += 1
    for _ in range(16):
        limiter.refused(started)
    assert limiter.limit == 8
    clock.time += 1
    limiter.refused(clock.time)
    assert limiter.limit == 4


async def test_the_limit_never_falls_below_one_and_grows_back_to_what_was_allowed() -> None:
    """About one more call per round that succeeds."""
    clock = Clock()
    limiter = Limiter(4, now=clock)
    for _ in range(5):
        clock.time += 1
        limiter.refused(clock.time)
    assert limiter.limit == 1
    limiter.succeeded()
    assert limiter.limit == 2
    for _ in range(50):
        limiter.succeeded()
    assert limiter.limit == 4


async def test_nobody_enters_while_the_endpoint_asked_to_wait() -> None:
    """A pause holds even when places are free, and ends by itself."""
    limiter = Limiter(2)
    limiter.pause(0.02)
    limiter.pause(0.001)  # a shorter wish does not shorten a longer one
    entered = asyncio.create_task(_enter(limiter))
    await settled()
    assert not entered.done()
    await entered
    assert limiter.in_flight == 0


async def test_the_widest_of_those_who_share_an_endpoint_counts() -> None:
    """A throttled limit is not reset by a newcomer; a narrower one changes nothing."""
    clock = Clock()
    limiter = Limiter(4, now=clock)
    limiter.widen(8)
    assert limiter.limit == 8
    limiter.widen(2)
    assert limiter.limit == 8
    limiter.refused(clock.time)
    limiter.widen(16)
    assert limiter.limit == 4


@pytest.mark.parametrize("moment", ["waiting", "place on its way", "place given"])
async def test_a_caller_who_gives_up_leaves_no_place_behind(moment: str) -> None:
    """Whether it still waits, its place is on its way, or it has it and does not know yet."""
    limiter = Limiter(1)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(limiter.turn())
        waiting = asyncio.create_task(_enter(limiter))
        await settled()
        if moment != "waiting":
            await stack.aclose()
        if moment == "place given":
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    await settled()
    await _enter(limiter)
    assert limiter.in_flight == 0


async def test_a_place_given_to_a_caller_who_left_meanwhile_goes_on_to_the_next() -> None:
    """The gift travels through the event loop; the receiver may be gone when it arrives."""
    limiter = Limiter(1)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(limiter.turn())
        gone, next_one = asyncio.create_task(_enter(limiter)), asyncio.create_task(_enter(limiter))
        await settled()
        await stack.aclose()
        gone.cancel()
    await next_one
    assert limiter.in_flight == 0


async def test_callers_on_two_event_loops_share_one_limit() -> None:
    """A process may run more than one loop, the endpoint sees one process."""
    limiter = Limiter(1)
    entered = threading.Event()
    release = threading.Event()

    async def hold() -> None:
        async with limiter.turn():
            entered.set()
            await asyncio.to_thread(release.wait, 5)

    thread = threading.Thread(target=asyncio.run, args=(hold(),))
    thread.start()
    await asyncio.to_thread(entered.wait, 5)
    waiting = asyncio.create_task(_enter(limiter))
    await settled()
    assert not waiting.done()
    release.set()
    await waiting
    thread.join()
    assert limiter.in_flight == 0


async def test_a_waiter_whose_loop_has_ended_is_passed_over() -> None:
    """A loop that was closed takes its waiting callers with it."""
    limiter = Limiter(1)

    def wait_and_close() -> None:
        loop = asyncio.new_event_loop()
        loop.create_task(_enter(limiter))  # noqa: RUF006  # it must die with its loop
        loop.call_soon(loop.stop)
        loop.run_forever()
        loop.close()

    async with limiter.turn():
        await asyncio.to_thread(wait_and_close)
    await _enter(limiter)
    assert limiter.in_flight == 0


async def _enter(limiter: Limiter) -> None:
    async with limiter.turn():
        pass


async def test_two_limiters_under_one_roof_share_its_room_and_the_first_goes_first() -> None:
    """Judgements that wait are made before further questions, however many of those came earlier."""
    roof = Roof(3)
    assistants, judge = Limiter(3, roof), Limiter(2, roof, first=True)
    order: list[str] = []
    most = 0

    async def call(limiter: Limiter, name: str) -> None:
        nonlocal most
        async with limiter.turn():
            most = max(most, roof.in_flight)
            order.append(name)
            await settled()

    asked = [asyncio.create_task(call(assistants, "ask")) for _ in range(6)]
    await asyncio.sleep(0)
    judged = [asyncio.create_task(call(judge, "judge")) for _ in range(4)]
    await asyncio.gather(*asked, *judged)
    assert most == 3
    assert order[:3] == ["ask"] * 3
    assert order[3:7].count("judge") >= 3
    assert (roof.in_flight, assistants.in_flight, judge.in_flight) == (0, 0, 0)
