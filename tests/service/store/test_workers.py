"""Signs of life, leases on rows, and places divided among workers."""

from collections.abc import Callable

import pytest

from flags import Answer, Verdict
from service.store import Need, NewRun, Reply, Store
from service.store._shares import fair

Make = Callable[..., NewRun]


@pytest.mark.parametrize(
    ("wishes", "most", "parts"),
    [
        ({"a": 10, "b": 10}, 6, {"a": 3, "b": 3}),
        ({"a": 10, "b": 10}, 5, {"a": 3, "b": 2}),
        ({"a": 10, "b": 1}, 6, {"a": 5, "b": 1}),
        ({"a": 1, "b": 2}, 6, {"a": 1, "b": 2}),
        ({"a": 5, "b": 5, "c": 0}, 1, {"a": 1, "b": 0, "c": 0}),
        ({}, 3, {}),
    ],
)
def test_places_are_divided_evenly_and_none_is_left_over(
    wishes: dict[str, int], most: int, parts: dict[str, int]
) -> None:
    """Nobody gets more than it wishes, and together never more than there are."""
    assert fair(wishes, most) == parts


async def test_a_worker_that_is_silent_or_left_is_claimed_once(store: Store) -> None:
    """Its lease ends; it comes back under another one, and then it is not buried."""
    workers = store.workers
    await workers.enter("w1", "w1/a")
    await workers.enter("w2", "w2/a")
    assert await workers.claim_dead(60.0) == []
    await workers.leave("w1", "w1/a")
    assert await workers.claim_dead(60.0, left_only=True) == ["w1"]
    assert await workers.claim_dead(60.0) == []
    assert await workers.beat("w1", "w1/a") is False
    assert await workers.known("w1")
    await workers.enter("w1", "w1/b")
    await workers.bury("w1")
    assert await workers.beat("w1", "w1/b") is True
    assert await workers.claim_dead(-1.0, left_only=False) == ["w1", "w2"]
    await workers.bury("w2")
    assert not await workers.known("w2")


async def test_what_is_stored_under_a_lost_lease_is_refused(store: Store, new_run: Make) -> None:
    """The worker that took the row over is the only one that may store for it."""
    await store.runs.add(new_run())
    await store.workers.enter("w1", "w1/a")
    await store.workers.enter("w2", "w2/a")
    await store.rows.claim("r1", 0, "w1/a", shared=True)
    await store.rows.claim("r1", 0, "w2/a", shared=True)
    (row, _) = await store.rows.of_shard("r1", 0)
    assert row.lease == "w1/a"
    await store.workers.leave("w1", "w1/a")
    await store.workers.claim_dead(60.0)
    await store.rows.claim("r1", 0, "w2/a", shared=True)
    good = {"final": Verdict.given(False)}
    assert await store.rows.answer("r1", 2, Answer(text="late"), "w1/a") is None
    await store.rows.judgement(row, "contradiction 1", Reply(said={"verdict": "no"}))
    assert await store.rows.settle("r1", 2, good, "w1/a") is False
    (row, _) = await store.rows.of_shard("r1", 0)
    assert (row.lease, row.state, row.judgements) == ("w2/a", "waiting", {})
    assert await store.rows.answer("r1", 2, Answer(text="mine"), "w2/a") == Answer(text="mine")
    assert await store.rows.settle("r1", 2, good, "w2/a") is True


async def test_workers_never_hold_more_places_than_there_are(store: Store) -> None:
    """What is in use is given back only when it is free; the dead hold nothing; a lost lease gets nothing."""
    workers = store.workers
    await workers.enter("w1", "w1/a")
    await workers.enter("w2", "w2/a")

    def need(wanted: int, in_use: int) -> dict[str, Need]:
        return {"Law": Need(most=6, wanted=wanted, in_use=in_use)}

    assert await workers.divide("w1/a", need(10, 0)) == {"Law": 6}
    assert await workers.divide("w2/a", need(10, 0)) == {"Law": 0}
    assert await workers.divide("w1/a", need(10, 5)) == {"Law": 5}
    assert await workers.divide("w2/a", need(10, 0)) == {"Law": 1}
    assert await workers.divide("w1/a", need(10, 2)) == {"Law": 3}
    assert await workers.divide("w2/a", need(10, 1)) == {"Law": 3}
    await workers.leave("w1", "w1/a")
    await workers.claim_dead(60.0)
    assert await workers.divide("w2/a", need(10, 3)) == {"Law": 6}
    assert await workers.divide("w1/a", need(10, 0)) == {"Law": 0}
    assert await workers.divide("w2/a", need(0, 0)) == {"Law": 0}
