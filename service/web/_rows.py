"""The page with the rows of one run, the most urgent first."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from service.web._desk import DeskDep

router = APIRouter(include_in_schema=False)

SHOWN = 50
"""Rows drawn at once."""


class RowsView(BaseModel):
    """Which rows of a run are drawn, in which order."""

    model_config = ConfigDict(extra="forbid")

    only: Literal["flagged", "audit", "all"] = "flagged"
    order: Literal["severity", "sheet"] = "severity"
    offset: int = Field(0, ge=0, le=1_000_000_000)


@router.get("/runs/{run_id}")
async def rows(desk: DeskDep, run_id: str, view: Annotated[RowsView, Query()]) -> Response:
    """Draw the rows of a run with their answers and why they were flagged."""
    run = await desk.runs.get(run_id, user=desk.user)
    page: dict[str, int] = {"offset": view.offset, "limit": SHOWN + 1}
    if view.order == "severity" or view.only == "audit":
        found = await desk.runs.triage(run_id, user=desk.user, only=view.only, **page)
    else:
        flagged = True if view.only == "flagged" else None
        found = await desk.runs.rows(run_id, user=desk.user, flagged=flagged, **page)
    more: dict[str, Any] = {"run": run, "view": view, "rows": found[:SHOWN], "following": len(found) > SHOWN}
    return await desk.draw("rows.html", shown=SHOWN, **more)
