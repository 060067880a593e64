"""Figures over HTTP: a route of the service, and an application of its own for a worker."""

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response

from service.api._deps import RunsDep
from service.api._errors import install_errors
from service.api._guard import Guard
from service.metrics import Load, Metrics
from service.settings import Settings

router = APIRouter()


@router.get("/metrics", tags=["service"], summary="Figures for Prometheus", response_class=Response)
async def metrics(request: Request, runs: RunsDep) -> Response:
    """Return calls by endpoint and outcome, their times, what is under way and what waits.

    It needs the service's token, or the one of `FLAGBOOK_METRICS_TOKEN`, which opens nothing else.
    """
    return reply(request.app.state.metrics, await runs.load())


def reply(metrics: Metrics, load: Load) -> Response:
    """Return the figures as a response."""
    content, media_type = metrics.text(load)
    return Response(content, media_type=media_type)


def metrics_app(settings: Settings, metrics: Metrics, load: Callable[[], Awaitable[Load]]) -> FastAPI:
    """Return an application that serves the figures of a worker and nothing else, behind the same guard."""
    app = FastAPI(title="flagbook worker", openapi_url=None, docs_url=None, redoc_url=None)
    app.add_middleware(Guard, settings=settings)
    install_errors(app)

    @app.get("/metrics")
    async def figures() -> Response:
        return reply(metrics, await load())

    return app
