"""The page on which two runs are compared."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from service.errors import ServiceError
from service.runs import KINDS
from service.web._desk import DeskDep

router = APIRouter(include_in_schema=False)

SHOWN = 100
"""Rows drawn at most; the workbook holds all."""

TONES = {"worse": "bad", "better": "good"}


@router.get("/compare")
async def compare(desk: DeskDep, a: str = "", b: str = "") -> Response:
    """Draw the choice of two runs, and what changed between those chosen."""
    finished = [run for run in await desk.runs.list(user=desk.user) if run.state not in ("queued", "in_progress")]
    found, error, status = None, None, 200
    if a and b:
        try:
            found = await desk.runs.compare(a, b, user=desk.user)
        except ServiceError as refused:
            error, status = refused, refused.status
    more: dict[str, Any] = {"finished": finished, "found": found, "error": error, "a": a, "b": b}
    return await desk.draw("compare.html", status=status, kinds=KINDS, tones=TONES, shown=SHOWN, **more)
