"""What every request passes first: names, sites, token, size; and what every response carries."""

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.api._access import find_refusal
from service.api._errors import SECURITY_HEADERS, respond
from service.errors import ServiceError, UploadTooLarge
from service.settings import Settings
from service.workbook import Limits

FORM_ALLOWANCE = 64 * 1024
"""Bytes a form may need around its file."""

_RESULTS_COME_BACK = "/adopt"
"""What the path ends with to which a reviewed result is sent."""


class Guard:
    """ASGI middleware that refuses before anything is read, and counts what is read afterwards."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        refusal = self._refusal(request)
        send = _with_headers(send, static=request.url.path.startswith("/static/"))
        if refusal is not None:
            await respond(request, refusal)(scope, receive, send)
            return
        await self.app(scope, self._counted(receive, self._most_mb(request.url.path)), send)

    def _refusal(self, request: Request) -> ServiceError | None:
        length = request.headers.get("content-length", "")
        most_mb = self._most_mb(request.url.path)
        if length.isdecimal() and int(length) > _bytes(most_mb):
            return UploadTooLarge(max_mb=most_mb)
        return find_refusal(self.settings, request.method, request.url.path, request.headers, request.cookies)

    def _most_mb(self, path: str) -> int:
        """Return how much a request may send: results that come back are several times larger than questions."""
        limits = Limits.of(self.settings)
        return (limits.for_results() if path.endswith(_RESULTS_COME_BACK) else limits).file_mb

    def _counted(self, receive: Receive, most_mb: int) -> Receive:
        """Stop reading a body that goes on beyond the limit, whatever length it announced."""
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > _bytes(most_mb):
                raise UploadTooLarge(max_mb=most_mb)
            return message

        return counted


def _bytes(megabytes: int) -> int:
    return megabytes * 1024 * 1024 + FORM_ALLOWANCE


def _with_headers(send: Send, *, static: bool) -> Send:
    """Add the security headers; answers are not kept by caches, static files are asked for again each time."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-cache" if static else "no-store")
        await send(message)

    return sending
