"""An error as a page."""

from fastapi import Request
from fastapi.responses import Response

from service.errors import ServiceError, TokenMissing
from service.web._templates import templates


def error_page(request: Request, error: ServiceError) -> Response:
    """Draw an error; a missing token is asked for instead."""
    context = {"error": error, "asks_token": isinstance(error, TokenMissing), "tried": request.url.path == "/login"}
    return templates().TemplateResponse(request, "error.html", context, status_code=error.status)
