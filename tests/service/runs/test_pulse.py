"""Whether a run may go on."""

import asyncio

import pytest

from service.runs._pulse import Pulse, Stopped


class States:
    """A store that knows states and counts how often it is asked."""

    def __init__(self, **states: str) -> None:
        self.states = states
        self.looks = 0

    @property
    def runs(self) -> "States":
        """The part of a store that is needed."""
        return self

    async def state(self, run_id: str) -> str | None:
        """Return the state, None for a run that is gone."""
        self.looks += 1
        return self.states.get(run_id)


@pytest.mark.parametrize(
    ("state", "going"),
    [("queued", True), ("in_progress", True), ("ready", False), ("failed", False), ("cancelled", False)],
)
async def test_only_open_runs_go_on(state: str, going: bool) -> None:
    """Whatever ended a run ends its calls."""
    assert await Pulse(States(r=state)).going("r") is going  # type: ignore[arg-type]


async def test_a_deleted_run_does_not_go_on() -> None:
    """It is gone from the store."""
    with pytest.raises(Stopped):
        await Pulse(States()).check("r")  # type: ignore[arg-type]


async def test_a_cancel_by_another_process_is_seen_soon() -> None:
    """The database is looked at again after half a second, not before every call."""
    now = [100.0]
    states = States(r="in_progress")
    pulse = Pulse(states, clock=lambda: now[0])  # type: ignore[arg-type]
    assert [await pulse.going("r") for _ in range(5)] == [True] * 5
    assert states.looks == 1
    states.states["r"] = "cancelled"
    now[0] += 1
    assert await pulse.going("r") is False


async def test_a_cancel_in_this_process_is_seen_at_once() -> None:
    """Nobody looks into the database for it."""
    states = States(r="in_progress", s="in_progress")
    pulse = Pulse(states)  # type: ignore[arg-type]
    assert await pulse.going("r")
    pulse.stop("r")
    assert [await pulse.going("r"), await pulse.going("s")] == [False, True]
    assert states.looks == 2


async def test_a_process_that_stops_calls_nothing_any_more() -> None:
    """Its runs stay open and go on at the next start."""
    pulse = Pulse(States(r="in_progress"))  # type: ignore[arg-type]
    pulse.stop_all()
    assert await pulse.going("r") is False


async def test_who_waits_for_a_run_is_woken_by_its_end() -> None:
    """Nobody looks a fifth of a second longer than there is something to wait for; other runs are not meant."""
    pulse = Pulse(States(r="in_progress"))  # type: ignore[arg-type]
    waiting = asyncio.create_task(pulse.sleep("r", 60))
    await asyncio.sleep(0)
    pulse.stop("other")
    await asyncio.sleep(0)
    assert not waiting.done()
    pulse.stop("r")
    await asyncio.wait_for(waiting, 5)
    await pulse.sleep("r", 0.001)
