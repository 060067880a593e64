"""The HTTP application without its pages and without what it works with."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from fastapi import FastAPI

from service.api._errors import install_errors
from service.api._guard import Guard
from service.api._routes import router
from service.api._version import installed_version
from service.metrics import Metrics
from service.settings import Settings

DESCRIPTION = """
Send a workbook of benchmark questions, watch the run, fetch the same workbook with the new answers and flags.

Every error is `{"message", "code", "params"}`. Where the service has a token, send it as `Authorization: Bearer …`.
"""


def new_app(
    settings: Settings,
    lifespan: Callable[[FastAPI], AbstractAsyncContextManager[None]],
    metrics: Metrics | None = None,
) -> FastAPI:
    """Return an application with the routes under /api/v1, /healthz and /login and the guard in front of them.

    `lifespan` must put an object with `runs` and `spaces` into `app.state.service`. The interactive pages of the
    framework are left out: they load their scripts from elsewhere.
    """
    app = FastAPI(
        title="flagbook",
        version=installed_version(),
        description=DESCRIPTION,
        lifespan=lifespan,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.metrics = metrics or Metrics()
    app.add_middleware(Guard, settings=settings)
    install_errors(app)
    app.include_router(router)
    return app
