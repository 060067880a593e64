"""Logging a browser in with the token; programs send it with each request instead."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from service.api._access import COOKIE, cookie_value, same_token, token_of
from service.api._deps import SettingsDep
from service.api._errors import respond
from service.errors import TokenMissing
from service.settings import Settings

router = APIRouter(include_in_schema=False)

ONWARD = '<!doctype html><meta http-equiv="refresh" content="0; url=/"><a href="/">flagbook</a>'


@router.get("/login")
async def open_login_link(request: Request, settings: SettingsDep, token: Annotated[str, Query()] = "") -> Response:
    """Log in by the link that was printed at the start."""
    return _log_in(request, settings, token)


@router.post("/login")
async def post_login(request: Request, settings: SettingsDep, token: Annotated[str, Form()] = "") -> Response:
    """Log in by the form, which keeps the token out of the address."""
    return _log_in(request, settings, token)


def _log_in(request: Request, settings: Settings, given: str) -> Response:
    token = token_of(settings)
    if token is None:
        return RedirectResponse("/", status_code=303)
    if not same_token(settings, given.strip()):
        return respond(request, TokenMissing())
    response = _go_on(request)
    response.set_cookie(
        COOKIE, cookie_value(token), httponly=True, samesite="strict", secure=request.url.scheme == "https"
    )
    return response


def _go_on(request: Request) -> Response:
    """Redirect; a link followed from another site gets a page that goes on itself.

    A browser would not send the strict cookie along a redirect that began elsewhere.
    """
    if request.headers.get("sec-fetch-site") in {"cross-site", "same-site"}:
        return HTMLResponse(ONWARD)
    return RedirectResponse("/", status_code=303)
