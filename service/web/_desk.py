"""What drawing a page needs at hand."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import Response

from service.api import RunsDep, SettingsDep, SpacesDep, UserDep
from service.runs import Runs, User
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
        listed = await self.runs.list(user=self.user)
        context = {
            "runs": listed if every else listed[:SHOWN],
            "total": len(listed),
            "every": every,
            "active": any(run.state in {"queued", "in_progress"} for run in listed),
            "spaces": self.spaces,
            "max_mb": self.settings.max_upload_mb,
            "first": FIRST,
            "priced": self.settings.prices is not None,
            **more,
        }
        return templates().TemplateResponse(self.request, template, context, status_code=status)


def _desk(request: Request, runs: RunsDep, user: UserDep, spaces: SpacesDep, settings: SettingsDep) -> Desk:
    return Desk(request, runs, user, spaces, settings)


DeskDep = Annotated[Desk, Depends(_desk)]
