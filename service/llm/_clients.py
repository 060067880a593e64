"""The HTTP clients of one address and key: one for each event loop, for a connection belongs to its loop."""

import asyncio
import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from service.errors import KeyMissing

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI = "https://api.openai.com/v1"


def address_of(base_url: str | None) -> str:
    """Return the endpoint's address: the one given, else OPENAI_BASE_URL, else OpenAI's own."""
    return (base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI).rstrip("/")


class Clients:
    """Opens clients with the key in an environment variable; the key itself is read when a client is made."""

    def __init__(self, address: str, variable: str | None) -> None:
        self._address = address
        self._variable = variable
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncOpenAI] = WeakKeyDictionary()
        parts = urlsplit(address)
        self.label = parts.netloc.rpartition("@")[2] or address
        self.variable = variable or "(none)"
        self._key()

    def of_this_loop(self) -> "AsyncOpenAI":
        """Return the client of the running loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            from openai import AsyncOpenAI, DefaultAioHttpClient

            # retries are ours: they must pass the limiter again and stop with the time budget
            self._clients[loop] = AsyncOpenAI(
                base_url=self._address, api_key=self._key(), max_retries=0, http_client=DefaultAioHttpClient()
            )
        return self._clients[loop]

    async def aclose(self) -> None:
        """Close the client of the running loop; those of loops that ended went with them."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client:
            await client.close()

    def _key(self) -> str:
        if not self._variable:
            return "none"  # the client insists on one; a server without keys does not look at it
        key = os.environ.get(self._variable, "").strip()
        if not key:
            raise KeyMissing(variable=self._variable, endpoint=self.label)
        return key
