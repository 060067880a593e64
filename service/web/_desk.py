"""What drawing a page needs at hand."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import Response

from service.api import RunsDep, SettingsDep, SpacesDep, UserDep
from service.runs import Runs, RunView, User
from service.settings import Settings
from service.web._forms import FIRST
from service.web._templates import templates

SHOWN = 20
"""Runs shown before “Show all”."""


@dataclass(frozen=True)
class Desk:
    """A request with the run room and the user it is for."""

    request: Request
    runs: Runs
    user: User
    spaces: tuple[str, ...]
    settings: Settings

    async def draw(self, template: str, *, status: int = 200, every: bool = False, **more: Any) -> Response:
        """Draw a template with the list of runs, and `more`."""
        context = {**self._listing(await self.runs.list(user=self.user), every), "first": FIRST, **more}
        return templates().TemplateResponse(self.request, template, context, status_code=status)

    async def follow(self, *, every: bool = False) -> AsyncIterator[str]:
        """Draw the list of runs whenever one has changed, until none goes on."""
        template = templates().get_template("runs.html")
        async for listed in self.runs.watch_all(user=self.user):
            yield template.render(self._listing(listed, every))

    def _listing(self, listed: Sequence[RunView], every: bool) -> dict[str, Any]:
        return {
            "runs": listed if every else listed[:SHOWN],
            "total": len(listed),
            "every": every,
            "active": any(run.state in {"queued", "in_progress"} for run in listed),
            "spaces": self.spaces,
            "max_mb": self.settings.max_upload_mb,
            "priced": self.settings.prices is not None,
        }


def _desk(request: Request, runs: RunsDep, user: UserDep, spaces: SpacesDep, settings: SettingsDep) -> Desk:
    return Desk(request, runs, user, spaces, settings)


DeskDep = Annotated[Desk, Depends(_desk)]
