"""What living processes do for dead ones, where several share a database."""

from service.runs._engine import Engine
from service.runs._presence import SILENT_S, Presence
from service.store import Store

KEEP_S = 2.0
"""How often it is looked whether somebody died, in seconds."""


class Keeper:
    """Takes over what dead workers and commands left, and starts what was stored but never handed out."""

    def __init__(self, store: Store, engine: Engine, presence: Presence, owner: str) -> None:
        self._store = store
        self._engine = engine
        self._presence = presence
        self._owner = owner
        self._looked = False

    async def keep(self) -> None:
        """Look once; whatever is done here may be done by several at the same time."""
        left_only = not self._presence.steady()
        for dead in await self._store.workers.claim_dead(SILENT_S, left_only=left_only):
            await self._engine.inherit(dead)
            await self._store.workers.bury(dead)
        for run_id, owner in await self._store.runs.owned_by_others(self._owner):
            if not await self._store.workers.known(owner) and await self._store.runs.hand_over(
                run_id, owner, self._owner
            ):
                await self._engine.take_over(run_id, await self._store.runs.attempt(run_id))
        # What the engine has it leaves as it is; after an upgrade it does not have what an older version had begun.
        for run_id in await self._store.runs.unfinished(self._owner, state="queued" if self._looked else None):
            await self._engine.start(run_id, await self._store.runs.attempt(run_id))
        self._looked = True
