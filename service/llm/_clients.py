"""The HTTP sessions of one address and key: one for each event loop, for a connection belongs to its loop."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from service.errors import KeyMissing

if TYPE_CHECKING:
    import ssl

    from aiohttp import ClientSession
    from yarl import URL

OPENAI = "https://api.openai.com/v1"
CONNECT_S = 10.0
"""How long a connection may take to come about; the rest of a call's time is the caller's matter."""
LARGEST_REPLY = 64 * 2**20
"""Bytes a reply may have; what goes on beyond is no answer and would fill the memory."""
_PASSED_ON = {"OPENAI_ORG_ID": "OpenAI-Organization", "OPENAI_PROJECT_ID": "OpenAI-Project"}
"""Variables that every client of OpenAI sends as headers."""


@dataclass(frozen=True)
class Received:
    """What came back: status, headers (their names read without regard to case) and the whole content."""

    status: int
    headers: Mapping[str, str]
    content: bytes


class ReplyTooLarge(ValueError):
    """A reply that goes on and on."""


def address_of(base_url: str | None) -> str:
    """Return the endpoint's address: the one given, else OPENAI_BASE_URL, else OpenAI's own."""
    return (base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI).rstrip("/")


class Clients:
    """Posts with the key in an environment variable; the key itself is read when a session is opened."""

    def __init__(self, address: str, variable: str | None) -> None:
        self._address = address
        self._variable = variable
        self._sessions: WeakKeyDictionary[asyncio.AbstractEventLoop, ClientSession] = WeakKeyDictionary()
        self._urls: dict[str, URL] = {}
        parts = urlsplit(address)
        self.label = parts.netloc.rpartition("@")[2] or address
        self.variable = variable or "(none)"
        self._key()

    async def post(self, path: str, content: bytes) -> Received:
        """Send JSON and return what came back, whatever its status.

        Raise `ReplyTooLarge`, or what aiohttp raises where nothing came back.
        """
        async with self._of_this_loop().post(self._url(path), data=content) as response:
            parts: list[bytes] = []
            size = 0
            async for part in response.content.iter_any():
                parts.append(part)
                size += len(part)
                if size > LARGEST_REPLY:
                    raise ReplyTooLarge
            return Received(response.status, response.headers, b"".join(parts))

    async def aclose(self) -> None:
        """Close the session of the running loop; those of loops that ended went with them."""
        session = self._sessions.pop(asyncio.get_running_loop(), None)
        if session:
            await session.close()

    def _of_this_loop(self) -> "ClientSession":
        loop = asyncio.get_running_loop()
        session = self._sessions.get(loop)
        if session is None:
            session = self._sessions[loop] = self._opened()
        return session

    def _opened(self) -> "ClientSession":
        from aiohttp import ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "flagbook"}
        headers |= {name: os.environ[variable] for variable, name in _PASSED_ON.items() if os.environ.get(variable)}
        if key := self._key():
            headers["Authorization"] = f"Bearer {key}"
        return ClientSession(
            # how many calls are under way is the limiter's matter
            connector=TCPConnector(limit=0, ssl=_trusted() if self._address.startswith("https:") else True),
            headers=headers,
            timeout=ClientTimeout(total=None, sock_connect=CONNECT_S),
            # looked up once: `trust_env` would do it, and read ~/.netrc, in a thread for every call
            proxy=proxy_of(self._address),
            cookie_jar=DummyCookieJar(),
        )

    def _url(self, path: str) -> "URL":
        if path not in self._urls:
            from yarl import URL

            url = URL(self._address + path)
            self._urls[path] = url.with_user(None) if self._variable else url
        return self._urls[path]

    def _key(self) -> str:
        if not self._variable:
            return ""
        key = os.environ.get(self._variable, "").strip()
        if not key:
            raise KeyMissing(variable=self._variable, endpoint=self.label)
        return key


def proxy_of(address: str) -> str | None:
    """Return the proxy that the environment names for an address (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY)."""
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(address)
    proxies = getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def _trusted() -> "ssl.SSLContext":
    """Return what is trusted: the certificates the environment names, else those of the operating system."""
    import ssl

    if os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR"):
        return ssl.create_default_context()
    import truststore

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
