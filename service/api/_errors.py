"""The one place where an error becomes a response: JSON for programs, a page for people."""

import secrets
import traceback
from collections.abc import Callable
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from service.errors import (
    AddressUnknown,
    InternalFault,
    MethodRefused,
    RequestInvalid,
    ServiceError,
    TokenMissing,
)

ErrorPage = Callable[[Request, ServiceError], Response]
"""Draws an error for a person; set by the pages as `app.state.error_page`."""

SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # "no-referrer" would make browsers send "Origin: null" with our own forms
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def install_errors(app: FastAPI) -> None:
    """Let every error of the service and of the framework leave in the one shape."""
    app.add_exception_handler(ServiceError, _on_service_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_framework_error)
    app.add_exception_handler(Exception, _on_fault)


def respond(request: Request, error: ServiceError) -> Response:
    """Return the response for an error, as a page where a browser asked for one."""
    if error.status >= 500 and not isinstance(error, InternalFault):  # that one is logged with its trace
        structlog.get_logger(__name__).error("request_failed", path=request.url.path, **error.as_dict())
    page: ErrorPage | None = getattr(request.app.state, "error_page", None)
    response = page(request, error) if page and _wants_page(request) else _as_json(error)
    if isinstance(error, TokenMissing):
        response.headers["www-authenticate"] = 'Bearer realm="flagbook"'
    response.headers.update(SECURITY_HEADERS)
    return response


def _as_json(error: ServiceError) -> Response:
    from fastapi.encoders import jsonable_encoder

    return JSONResponse(jsonable_encoder(error.as_dict()), status_code=error.status)


def _wants_page(request: Request) -> bool:
    accepts = "text/html" in request.headers.get("accept", "")
    return accepts and not request.url.path.startswith(("/api/", "/healthz", "/readyz"))


async def _on_service_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, ServiceError)
    return respond(request, error)


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return respond(request, RequestInvalid(problem="; ".join(_sentence(item) for item in error.errors())))


def _sentence(item: dict[str, Any]) -> str:
    """Turn one of pydantic's findings into `rows: Field required`."""
    place = ".".join(str(part) for part in item["loc"] if part not in {"body", "query", "path", "header"})
    return f"{place}: {item['msg']}" if place else str(item["msg"])


async def _on_framework_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    cause = error.__cause__
    if isinstance(cause, ServiceError):  # raised while the body was read; the framework wraps it
        return respond(request, cause)
    if error.status_code == 404:
        return respond(request, AddressUnknown(path=request.url.path))
    if error.status_code == 405:
        return respond(request, MethodRefused(method=request.method, path=request.url.path))
    return respond(request, RequestInvalid(problem=str(error.detail)))


async def _on_fault(request: Request, error: Exception) -> Response:
    """Tell the client nothing but a reference; the trace stands in the log under it."""
    reference = secrets.token_hex(4)
    # as text: structlog's own rendering writes out local variables, and those may hold keys
    trace = "".join(traceback.format_exception(error))
    structlog.get_logger(__name__).error("internal_error", reference=reference, trace=trace)
    return respond(request, InternalFault(reference=reference))
