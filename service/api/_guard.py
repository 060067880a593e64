"""What every request passes first: names, sites, token, size; and what every response carries."""

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.api._access import find_refusal
from service.api._errors import SECURITY_HEADERS, respond
from service.errors import ServiceError, UploadTooLarge
from service.settings import Settings

FORM_ALLOWANCE = 64 * 1024
"""Bytes a form may need around its file."""


class Guard:
    """ASGI middleware that refuses before anything is read, and counts what is read afterwards."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.max_bytes = settings.max_upload_mb * 1024 * 1024 + FORM_ALLOWANCE

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
        await self.app(scope, self._counted(receive), send)

    def _refusal(self, request: Request) -> ServiceError | None:
        length = request.headers.get("content-length", "")
        if length.isdecimal() and int(length) > self.max_bytes:
            return self._too_large()
        return find_refusal(self.settings, request.method, request.url.path, request.headers, request.cookies)

    def _counted(self, receive: Receive) -> Receive:
        """Stop reading a body that goes on beyond the limit, whatever length it announced."""
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.max_bytes:
                raise self._too_large()
            return message

        return counted

    def _too_large(self) -> UploadTooLarge:
        return UploadTooLarge(max_mb=self.settings.max_upload_mb)


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
