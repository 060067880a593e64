"""A run is taken up again: what failed or is missing, or what is asked anew."""

from dataclasses import dataclass

from service.errors import OptionsRefused
from service.runs._plan import Plan
from service.runs._sorting import choose
from service.runs._submit import Desk
from service.runs._till import limit_anew
from service.store import RunRecord, Store


@dataclass(frozen=True, kw_only=True)
class Retake:
    """What a person chose: with `force` all rows or those `rows` names begin anew; `max_cost` is another limit."""

    force: bool = False
    rows: str = ""
    max_cost: float | None = None

    def __post_init__(self) -> None:
        if self.rows.strip() and not self.force:
            raise OptionsRefused(option="rows", problem="without force, resume takes what failed or is missing.")


async def take_up(store: Store, run: RunRecord, desk: Desk, retake: Retake) -> bool:
    """Queue the run again; False when no row of it is left to take up."""
    named = choose(await store.rows.page(run.id), retake.rows) if retake.force else []
    anew, asks = [row.number for row in named], Plan.model_validate(run.plan).ask
    if retake.max_cost is not None:
        await limit_anew(store, run, retake.max_cost, desk.settings)
    return await store.runs.reopen(run.id, desk.owner, anew=anew, asks=asks)
