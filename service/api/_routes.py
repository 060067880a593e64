"""The routes of /api/v1, and the sign of life."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, status
from fastapi.responses import Response

from service.api import _login, _metrics, _run_routes
from service.api._deps import RunsDep, SpacesDep, UserDep
from service.api._files import attachment, template_file
from service.api._forms import EstimateForm, read_upload
from service.api._run_routes import CONFLICT, TOO_LARGE, UNKNOWN, WORKBOOK
from service.api._version import installed_version
from service.api._wire import Health, Problem, SpaceView
from service.errors import NotReady
from service.runs import ApprovedView, Calibration, Comparison, NamedFile, Report, comparison_workbook

NOT_READY: dict[int | str, dict[str, Any]] = {
    503: {"model": Problem, "description": "Database or queue do not work; `failing` names which."}
}

router = APIRouter()
v1 = APIRouter(
    prefix="/api/v1",
    responses={
        401: {"model": Problem, "description": "The service has a token and the request does not carry it."},
        422: {"model": Problem, "description": "The workbook, an option or the request cannot be used."},
    },
)


RunA = Annotated[str, Query(description="Id of the earlier run.")]
RunB = Annotated[str, Query(description="Id of the later run.")]


@v1.post("/check", tags=["workbooks"], summary="Check a workbook", responses=TOO_LARGE)
async def check(
    form: Annotated[EstimateForm, Form(media_type="multipart/form-data")], runs: RunsDep, user: UserDep
) -> Report:
    """Say what would happen with a workbook: sheet, questions per space, notes and errors; nothing is stored."""
    content, name = await read_upload(form.file)
    return await runs.check(content, name, user=user, sheet=form.sheet, estimate=form.estimate)


@v1.get("/compare", tags=["runs"], summary="Compare two runs", responses=UNKNOWN | CONFLICT)
async def compare(a: RunA, b: RunB, runs: RunsDep, user: UserDep) -> Comparison:
    """Say what changed from run A to run B, row by row, and whether that is more than chance."""
    return await runs.compare(a, b, user=user)


@v1.get(
    "/compare/workbook",
    tags=["runs"],
    summary="Download a comparison",
    response_class=Response,
    responses=WORKBOOK | UNKNOWN | CONFLICT,
)
async def compare_workbook(a: RunA, b: RunB, runs: RunsDep, user: UserDep) -> Response:
    """Return the comparison of two runs as a workbook."""
    found = await runs.compare(a, b, user=user)
    content = await asyncio.to_thread(comparison_workbook, found)
    return attachment(NamedFile(name="Comparison.xlsx", content=content))


@v1.get("/calibration", tags=["runs"], summary="See how right the flags are")
async def calibration(runs: RunsDep, user: UserDep) -> Calibration:
    """Say by the reviews of your runs how right each flag is, and propose thresholds of similarity."""
    return await runs.reviews.calibration(user=user)


@v1.get("/approved", tags=["runs"], summary="List the accepted answers")
async def list_approved(runs: RunsDep, user: UserDep) -> Sequence[ApprovedView]:
    """Return the flagged answers that somebody reviewed with yes, the newest first."""
    return await runs.reviews.approved(user=user)


@v1.delete(
    "/approved/{approved_id}",
    tags=["runs"],
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Accept an answer no more",
    responses={404: {"model": Problem, "description": "There is no such accepted answer."}},
)
async def withdraw_approved(approved_id: str, runs: RunsDep, user: UserDep) -> None:
    """Forget that an answer was accepted; from the next run on it is flagged as any other."""
    await runs.reviews.withdraw(approved_id, user=user)


@v1.get("/template", tags=["workbooks"], summary="Download the template", response_class=Response, responses=WORKBOOK)
async def template() -> Response:
    """Return the empty workbook with all columns explained."""
    return attachment(template_file())


@v1.get("/spaces", tags=["spaces"], summary="List the spaces")
async def list_spaces(spaces: SpacesDep) -> list[SpaceView]:
    """Return the spaces that may stand in column Assistant."""
    return [SpaceView(name=name) for name in spaces]


@router.get("/healthz", tags=["service"], summary="Sign of life")
async def health() -> Health:
    """Answer while the service runs; needs no token."""
    return Health(version=installed_version())


@router.get("/readyz", tags=["service"], summary="Whether it can work", responses=NOT_READY)
async def ready(runs: RunsDep) -> Health:
    """Answer with 503 while database or queue do not work, and name which; needs no token."""
    failing = await runs.failing()
    if failing:
        raise NotReady(failing=" and ".join(failing))
    return Health(version=installed_version())


v1.include_router(_run_routes.router)
router.include_router(v1)
router.include_router(_metrics.router)
router.include_router(_login.router)
