"""The page with the answers that a person accepted although they were flagged."""

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from service.web._desk import DeskDep

router = APIRouter(include_in_schema=False)


@router.get("/approved")
async def approved(desk: DeskDep) -> Response:
    """Draw the accepted answers."""
    return await desk.draw("approved.html", accepted=await desk.runs.reviews.approved(user=desk.user))


@router.post("/approved/{approved_id}/remove")
async def remove(desk: DeskDep, approved_id: str) -> Response:
    """Forget that an answer was accepted."""
    await desk.runs.reviews.withdraw(approved_id, user=desk.user)
    return RedirectResponse("/approved", status_code=303)
