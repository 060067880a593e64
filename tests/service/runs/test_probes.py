"""Whether the parts of a process work."""

import asyncio

from service.runs._probes import Probes


async def works() -> None:
    """Answer at once."""


async def breaks() -> None:
    """Answer that nothing works."""
    raise OSError


class Hangs:
    """Does not answer until it is let go, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.free = asyncio.Event()

    async def __call__(self) -> None:
        """Wait."""
        self.asked += 1
        await self.free.wait()


async def test_what_fails_or_hangs_is_named() -> None:
    """However often it is asked, a part that hangs is tried once at a time; when it is back it works."""
    hangs = Hangs()
    probes = Probes({"database": breaks, "queue": hangs, "clock": works}, patience_s=0.02)
    assert await probes.failing() == ("database", "queue")
    assert await probes.failing() == ("database", "queue")
    assert hangs.asked == 1
    hangs.free.set()
    await asyncio.sleep(0)
    assert await probes.failing() == ("database",)


async def test_what_still_hangs_is_given_up_at_the_end() -> None:
    """Nothing is left behind."""
    probes = Probes({"queue": Hangs()}, patience_s=0.01)
    assert await probes.failing() == ("queue",)
    probes.give_up()
    await asyncio.sleep(0.01)
    assert len(asyncio.all_tasks()) == 1
