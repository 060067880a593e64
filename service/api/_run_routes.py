"""Runs over HTTP: submit, watch, deliver, adopt."""

import base64
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Form, Query, Request, status
from fastapi.responses import JSONResponse, Response
from fastapi.sse import ServerSentEvent

from service.api._deps import RunsDep, UserDep
from service.api._events import EventStream, run_events
from service.api._files import attachment
from service.api._forms import AdoptForm, RunForm, read_upload
from service.api._wire import AdoptionReply, Problem, ResumeChoices, Resumption, RowsPage, Submitted, report_for
from service.runs import XLSX_TYPE, Only, RowView, RunOptions, RunView

router = APIRouter(prefix="/runs", tags=["runs"])

UNKNOWN: dict[int | str, dict[str, Any]] = {404: {"model": Problem, "description": "There is no such run."}}
CONFLICT: dict[int | str, dict[str, Any]] = {409: {"model": Problem, "description": "The run is still going on."}}
TOO_LARGE: dict[int | str, dict[str, Any]] = {413: {"model": Problem, "description": "The file is too large."}}
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "Server-sent events `progress` and `end`, each with the run's state as JSON."}
}
CSV: dict[int | str, dict[str, Any]] = {
    200: {"description": "The rows in the columns of the template.", "content": {"text/csv": {}}}
}
WORKBOOK: dict[int | str, dict[str, Any]] = {
    200: {"description": "The workbook.", "content": {XLSX_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
}
ADOPTION: dict[int | str, dict[str, Any]] = {
    200: {
        "model": AdoptionReply,
        "description": "The next benchmark set; with `Accept: application/json` the counts and reasons as well.",
        "content": WORKBOOK[200]["content"],
        "headers": {
            "Flagbook-Adopted": {"description": "Rows adopted.", "schema": {"type": "integer"}},
            "Flagbook-Kept": {"description": "Rows kept as they were.", "schema": {"type": "integer"}},
        },
    }
}

UploadForm = Annotated[RunForm, Form(media_type="multipart/form-data")]
ReviewForm = Annotated[AdoptForm, Form(media_type="multipart/form-data")]


@router.post("", status_code=status.HTTP_201_CREATED, summary="Start a run", responses=TOO_LARGE)
async def submit(form: UploadForm, runs: RunsDep, user: UserDep, response: Response) -> Submitted:
    """Check a workbook, store it as a run and start it; the reply holds the run and the check's report."""
    content, name = await read_upload(form.file)
    report = await runs.check(content, name, user=user, sheet=form.sheet)
    options = form.options()
    run = await runs.submit(content, name, options, user=user)
    response.headers["location"] = f"/api/v1/runs/{run.id}"
    return Submitted.of(run, report_for(options, report))


@router.get("", summary="List the runs")
async def list_runs(runs: RunsDep, user: UserDep) -> Sequence[RunView]:
    """Return all runs, the newest first."""
    return await runs.list(user=user)


@router.get("/{run_id}", summary="See one run", responses=UNKNOWN)
async def get_run(run_id: str, runs: RunsDep, user: UserDep) -> RunView:
    """Return state and counts of a run; it is over when `state` is `ready`, `failed` or `cancelled`."""
    return await runs.get(run_id, user=user)


async def _known_run(run_id: str, runs: RunsDep, user: UserDep) -> RunView:
    """Refuse before the stream begins: what has begun cannot turn into an error any more."""
    return await runs.get(run_id, user=user)


@router.get("/{run_id}/events", summary="Follow its progress", response_class=EventStream, responses=UNKNOWN | EVENTS)
async def follow(
    run: Annotated[RunView, Depends(_known_run)], runs: RunsDep, user: UserDep
) -> AsyncIterator[ServerSentEvent]:
    """Send the run's state as server-sent events: `progress` at once and with each change, last `end`; then hang up.

    Each event holds the whole state, so a client that comes back has missed nothing. Close the source at `end`.
    """
    async for event in run_events(runs.watch(run.id, user=user)):
        yield event


@router.get("/{run_id}/rows", summary="See its rows", responses=UNKNOWN)
async def get_rows(run_id: str, page: Annotated[RowsPage, Query()], runs: RunsDep, user: UserDep) -> Sequence[RowView]:
    """Return a page of rows, with answers, verdicts and reasons in full."""
    only: dict[bool | None, Only] = {None: "all", True: "flagged", False: "unflagged"}
    if page.audit or page.order == "severity":
        kept: Only = "audit" if page.audit else only[page.flagged]
        return await runs.triage(run_id, user=user, only=kept, offset=page.offset, limit=page.limit)
    return await runs.rows(run_id, user=user, flagged=page.flagged, offset=page.offset, limit=page.limit)


@router.get(
    "/{run_id}/workbook", summary="Download the workbook", response_class=Response, responses=WORKBOOK | UNKNOWN
)
async def get_workbook(
    run_id: str,
    runs: RunsDep,
    user: UserDep,
    filter_: Annotated[
        Literal["flagged"] | None, Query(alias="filter", description="`flagged`: filtered on final_flag = TRUE.")
    ] = None,
) -> Response:
    """Return the result workbook; while the run goes on, with what is there so far."""
    return attachment(await runs.workbook(run_id, user=user, flagged=filter_ == "flagged"))


@router.get(
    "/{run_id}/csv",
    summary="Download the rows as CSV",
    response_class=Response,
    responses=CSV | UNKNOWN,
)
async def get_csv(run_id: str, runs: RunsDep, user: UserDep) -> Response:
    """Return the rows for other tools; texts that a spreadsheet would take for formulas are made harmless."""
    return attachment(await runs.csv(run_id, user=user))


@router.post("/{run_id}/cancel", summary="Cancel a run", responses=UNKNOWN)
async def cancel(run_id: str, runs: RunsDep, user: UserDep) -> RunView:
    """Stop asking; what was answered stays and can be downloaded."""
    return await runs.cancel(run_id, user=user)


@router.post(
    "/{run_id}/adopt",
    summary="Adopt the answers as the next benchmark set",
    response_class=Response,
    responses=ADOPTION | UNKNOWN | CONFLICT | TOO_LARGE,
)
async def adopt(run_id: str, form: ReviewForm, runs: RunsDep, user: UserDep, request: Request) -> Response:
    """Return a new workbook whose benchmark answers are the new answers.

    Send the reviewed file to have column AB respected. The reply is the workbook, with the counts in the headers
    `Flagbook-Adopted` and `Flagbook-Kept`; with `Accept: application/json` it is JSON that also says which rows were
    kept as they were, and why.
    """
    content = (await read_upload(form.file))[0] if form.file else None
    adoption = await runs.adopt(run_id, user=user, every=form.every, content=content)
    if "application/json" in request.headers.get("accept", ""):
        reply = AdoptionReply(
            name=adoption.file.name,
            adopted=adoption.adopted,
            kept=adoption.kept,
            notes=adoption.notes,
            content=base64.b64encode(adoption.file.content).decode(),
        )
        return JSONResponse(reply.model_dump(mode="json"))
    response = attachment(adoption.file)
    response.headers["flagbook-adopted"] = str(adoption.adopted)
    response.headers["flagbook-kept"] = str(len(adoption.kept))
    return response


@router.post(
    "/{run_id}/rejudge",
    status_code=status.HTTP_201_CREATED,
    summary="Judge the answers again",
    responses=UNKNOWN | CONFLICT,
)
async def rejudge(run_id: str, runs: RunsDep, user: UserDep, options: RunOptions | None = None) -> RunView:
    """Start a new run that judges the stored answers with other settings; nothing is asked."""
    return await runs.rejudge(run_id, options or RunOptions(), user=user)


@router.post(
    "/{run_id}/resume",
    summary="Resume a run",
    responses=UNKNOWN | {409: {"model": Problem, "description": "The run is still going on, or nothing is left."}},
)
async def resume(
    run_id: str,
    ask: Annotated[Resumption, Query()],
    runs: RunsDep,
    user: UserDep,
    choices: ResumeChoices | None = None,
) -> RunView:
    """Take up a run that failed, was cancelled or has rows with errors; only rows that failed or are missing run.

    With `force`, all rows or those named are asked and judged again, whatever became of them.
    """
    limit = choices.max_cost if choices else None
    return await runs.resume(run_id, user=user, force=ask.force, rows=ask.rows, max_cost=limit)


@router.delete("/{run_id}", status_code=status.HTTP_204_NO_CONTENT, summary="Delete a run", responses=UNKNOWN)
async def delete(run_id: str, runs: RunsDep, user: UserDep) -> None:
    """Remove a run with its workbook, answers and verdicts; a running one is stopped first."""
    await runs.delete(run_id, user=user)
