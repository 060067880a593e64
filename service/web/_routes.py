"""The page at /, what its forms do, and the fragments its scripts fetch."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Form, Header
from fastapi.responses import RedirectResponse, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from service.api import AdoptForm, attachment, read_upload, report_for
from service.errors import ServiceError
from service.web._desk import Desk, DeskDep
from service.web._forms import DropForm

router = APIRouter(include_in_schema=False)

Fragment = Annotated[bool, Header(alias="x-fragment", description="Set by our scripts: only the part that changes.")]
Upload = Annotated[DropForm, Form(media_type="multipart/form-data")]
Review = Annotated[AdoptForm, Form(media_type="multipart/form-data")]


@router.get("/")
async def home(desk: DeskDep, every: bool = False) -> Response:
    """Draw the page: drop zone, runs, how it works."""
    return await desk.draw("home.html", every=every)


@router.get("/fragments/runs")
async def list_fragment(desk: DeskDep, every: bool = False) -> Response:
    """Draw the list of runs alone."""
    return await desk.draw("runs.html", every=every)


@router.get("/fragments/runs/events", response_class=EventSourceResponse)
async def list_events(desk: DeskDep, every: bool = False) -> AsyncIterator[ServerSentEvent]:
    """Send the list of runs whenever one has changed; `end` when none goes on any more."""
    async for drawn in desk.follow(every=every):
        yield ServerSentEvent(event="runs", raw_data=drawn)
    yield ServerSentEvent(event="end", raw_data="")


@router.post("/upload")
async def upload(desk: DeskDep, form: Upload, fragment: Fragment = False) -> Response:
    """Check a workbook, start it unless only a check was wanted, and draw the report."""
    content, name = await read_upload(form.file)
    report: dict[str, Any] = {"name": name, "judge_only": form.judge_only}
    status = 200
    try:
        checked = await desk.runs.check(
            content, name, user=desk.user, sheet=form.sheet.strip() or None, estimate=form.run == "check"
        )
        options = form.options(checked)
        report["check"] = report_for(options, checked)
        if form.run != "check":
            report["run"] = await desk.runs.submit(content, name, options, user=desk.user)
    except ServiceError as error:
        report["error"], status = error, error.status
    template = "report.html" if fragment else "home.html"
    return await desk.draw(template, status=status, report=report, fragment=fragment)


@router.get("/upload")
@router.get("/runs")
async def go_home() -> Response:
    """Lead back to the page those who open a form's address."""
    return RedirectResponse("/", status_code=303)


@router.post("/runs/{run_id}/cancel")
async def cancel(desk: DeskDep, run_id: str, fragment: Fragment = False) -> Response:
    """Cancel a run and draw the list."""
    await desk.runs.cancel(run_id, user=desk.user)
    return await _after(desk, fragment)


@router.post("/runs/{run_id}/delete")
async def delete(desk: DeskDep, run_id: str, fragment: Fragment = False) -> Response:
    """Delete a run and draw the list."""
    await desk.runs.delete(run_id, user=desk.user)
    return await _after(desk, fragment)


@router.post("/runs/{run_id}/adopt")
async def adopt(desk: DeskDep, run_id: str, form: Review) -> Response:
    """Return the next benchmark set as a download; scripts use the API, which also says what was kept."""
    content = (await read_upload(form.file))[0] if form.file else None
    adoption = await desk.runs.adopt(run_id, user=desk.user, every=form.every, content=content)
    return attachment(adoption.file)


async def _after(desk: Desk, fragment: bool) -> Response:
    return await desk.draw("runs.html") if fragment else RedirectResponse("/", status_code=303)
