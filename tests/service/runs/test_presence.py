"""A process knows whether its lease holds, also when it was paused."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service.assistants import Space
from service.errors import WorkerAlone
from service.runs._places import LOOKS_BACK, Division, SharedPlaces
from service.runs._presence import SILENT_S, TRUSTED_S, Presence
from service.runs._pulse import Pulse, Stopped
from service.store import Need, Store


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
async def present(store: Store) -> AsyncIterator[tuple[Presence, Clock]]:
    """A process on a shared database."""
    clock = Clock()
    presence = Presence(store, "worker-1", shared=True, clock=clock)
    await presence.open()
    yield presence, clock
    await presence.close()


async def test_a_paused_process_trusts_its_lease_only_after_a_sign(present: tuple[Presence, Clock]) -> None:
    """Nobody declared it dead: it goes on under the same lease, but waits before it calls others dead."""
    presence, clock = present
    lease = presence.lease
    clock.now += TRUSTED_S - 0.1
    assert presence.holds(lease)
    clock.now += SILENT_S
    assert not presence.holds(lease)
    assert presence.steady()
    await presence.beat()
    assert presence.holds(lease)
    assert not presence.steady()


async def test_a_process_that_was_declared_dead_comes_back_under_another_lease(
    store: Store, present: tuple[Presence, Clock]
) -> None:
    """What it had loaded under the old one is no longer called for."""
    presence, _ = present
    lease, pulse = presence.lease, Pulse(store, presence)
    assert await pulse.going("r1", lease)
    assert await store.workers.claim_dead(-1.0) == ["worker-1"]
    await presence.beat()
    assert presence.lease != lease
    assert not await pulse.going("r1", lease)
    assert await pulse.going("r1", presence.lease)
    with pytest.raises(Stopped):
        await pulse.check("r1", lease)


async def test_a_process_that_leaves_can_be_inherited_at_once(store: Store) -> None:
    """Nobody waits until it has been silent for long enough."""
    presence = Presence(store, "worker-1", shared=True)
    await presence.open()
    await presence.close()
    assert await store.workers.claim_dead(SILENT_S, left_only=True) == ["worker-1"]


async def test_a_process_alone_always_holds_its_lease(store: Store) -> None:
    """Nobody else can have taken it."""
    presence = Presence(store, "serve", shared=False)
    await presence.open()
    assert presence.holds(presence.lease)
    await presence.close()


async def test_places_are_given_back_when_their_calls_end(store: Store, present: tuple[Presence, Clock]) -> None:
    """The part shrinks to what is in use, grows again, and nothing is held once nothing is wanted."""
    division = Division(store, present[0])
    places = division.of(Space(name="Law", backend="echo", concurrency=2))
    inside: list[int] = []
    leave = asyncio.Event()

    async def one(number: int) -> None:
        async with places.place():
            inside.append(number)
            await leave.wait()

    tasks = [asyncio.create_task(one(number)) for number in range(3)]
    await asyncio.sleep(0)
    assert inside == []
    await division.divide()
    await asyncio.sleep(0)
    assert inside == [0, 1]
    leave.set()
    await asyncio.gather(*tasks)
    assert places.need() == Need(most=2, wanted=3, in_use=0)
    for _ in range(LOOKS_BACK):
        await division.divide()
    assert places.need() is None


async def test_nobody_is_let_in_while_places_are_divided() -> None:
    """What the database may give away must not be taken in the same moment; who gave up waiting is passed over."""
    places = SharedPlaces(4)
    places.hold(1)
    held = [places.place() for _ in range(3)]
    waiting = [asyncio.create_task(place.__aenter__()) for place in held]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [task.done() for task in waiting] == [True, False, False]
    waiting[1].cancel()
    await asyncio.sleep(0)
    assert places.need() == Need(most=4, wanted=2, in_use=1)
    places.hold(2)
    await asyncio.wait_for(waiting[2], 1)


async def test_a_worker_without_a_shared_database_is_refused(tmp_path: Path) -> None:
    """It could share nothing."""
    from service.runs import open_runs
    from service.runs._fakes import World

    world = World(home=tmp_path / "home", spaces=(), assistants={})
    with pytest.raises(WorkerAlone):
        async with open_runs(world.settings, executor="worker", spaces=(), bench=world.bench()):
            pass
