"""Why runs failed, where not even that could be stored: on a full disk nothing can."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from service.runs._faults import log_fault
from service.runs._presence import ended
from service.store import RunRecord, Store

AGAIN_S = 2.0
"""How often it is tried to store them, in seconds."""


class LastWords:
    """Shows such runs as failed, and stores that they are as soon as it can be; a restart goes on with them instead."""

    def __init__(self, store: Store, *, again_s: float = AGAIN_S) -> None:
        self._store = store
        self._again_s = again_s
        self._kept: dict[str, Mapping[str, Any]] = {}
        self._trying: asyncio.Task[None] | None = None

    def keep(self, run_id: str, failure: Mapping[str, Any]) -> None:
        """Remember why a run failed."""
        self._kept[run_id] = failure
        if self._trying is None or self._trying.done():
            self._trying = asyncio.create_task(self._until_stored())

    def kept(self, run_id: str) -> bool:
        """Return whether the run has failed and it is not stored that it has."""
        return run_id in self._kept

    def shown(self, run: RunRecord) -> RunRecord:
        """Return the run as a person should see it."""
        failure = self._kept.get(run.id)
        if failure is None or run.state not in ("queued", "in_progress"):
            return run
        return replace(run, state="failed", failure=failure)

    async def store(self, run_id: str) -> None:
        """Store why a run failed, if it was not yet; raise what keeps it from being stored."""
        if run_id in self._kept:
            await self._store.runs.fail(run_id, self._kept[run_id])
            self._kept.pop(run_id, None)

    async def aclose(self) -> None:
        """Try no more."""
        if self._trying is not None:
            await ended(self._trying)

    async def _until_stored(self) -> None:
        while self._kept:
            await asyncio.sleep(self._again_s)
            try:
                for run_id in list(self._kept):
                    await self.store(run_id)
            except Exception as error:  # noqa: BLE001 - there is still no room
                log_fault("failure_not_stored", error)
