"""Replies of public APIs, each asked for once: politely, of bounded size, and kept on disk with its hash."""

import asyncio
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from service.errors import HaystackNotFetched

if TYPE_CHECKING:
    from aiohttp import ClientSession

_LARGEST = 32 * 1024 * 1024
_ATTEMPTS = 4
_LONGEST_WAIT_S = 30.0
_AGAIN = (429, 500, 502, 503, 504)


@dataclass(frozen=True, kw_only=True)
class Web:
    """Fetches replies and keeps them in `folder`; waits `pause_s` seconds before each one it has to ask for."""

    folder: Path
    pause_s: float = 1.0
    timeout_s: float = 60.0

    async def get(self, url: str, params: Mapping[str, str | int]) -> bytes:
        """Return the reply to a GET, from disk where it was asked before; raise `HaystackNotFetched`."""
        kept = self.folder / f"{_key(url, params)}.reply"
        content = await asyncio.to_thread(_kept, kept)
        if content is None:
            content = await self._fetch(url, params)
            await asyncio.to_thread(_keep, kept, content)
        return content

    def forget(self, url: str, params: Mapping[str, str | int]) -> None:
        """Throw a kept reply away, because it was no good."""
        (self.folder / f"{_key(url, params)}.reply").unlink(missing_ok=True)

    async def _fetch(self, url: str, params: Mapping[str, str | int]) -> bytes:
        import aiohttp

        from service import __version__

        agent = {"User-Agent": f"flagbook/{__version__} (needle-in-a-haystack experiments)"}
        limit = aiohttp.ClientTimeout(total=self.timeout_s)
        async with aiohttp.ClientSession(headers=agent, timeout=limit, trust_env=True) as session:
            for attempt in range(1, _ATTEMPTS + 1):
                await asyncio.sleep(self.pause_s)
                try:
                    found = await self._once(session, url, params)
                except (aiohttp.ClientError, TimeoutError) as error:
                    found = f"{type(error).__name__}: {error}".rstrip(": ")
                if isinstance(found, bytes):
                    return found
                if attempt < _ATTEMPTS:
                    await asyncio.sleep(min(self.pause_s * 2**attempt, _LONGEST_WAIT_S))
        raise HaystackNotFetched(url=url, problem=found)

    async def _once(self, session: "ClientSession", url: str, params: Mapping[str, str | int]) -> bytes | str:
        """Return the reply, or what is wrong for the moment; raise where asking again cannot help."""
        async with session.get(url, params=params) as reply:
            if reply.status in _AGAIN:
                wait = reply.headers.get("Retry-After", "")
                await asyncio.sleep(min(float(wait), _LONGEST_WAIT_S) if wait.isdigit() else 0)
                return f"status {reply.status}"
            if reply.status != 200:
                raise HaystackNotFetched(url=url, problem=f"status {reply.status}")
            content = bytearray()
            async for part in reply.content.iter_chunked(65_536):
                content += part
                if len(content) > _LARGEST:
                    raise HaystackNotFetched(url=url, problem=f"the reply is larger than {_LARGEST >> 20} MB")
            return bytes(content)


def _key(url: str, params: Mapping[str, str | int]) -> str:
    return hashlib.sha256(json.dumps([url, dict(params)], sort_keys=True).encode()).hexdigest()


def _kept(path: Path) -> bytes | None:
    """Return what a file holds behind its hash; a file that was cut short is as good as none."""
    try:
        told, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    return content if told.decode("ascii", "replace") == hashlib.sha256(content).hexdigest() else None


def _keep(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".half")
    half.write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
    half.replace(path)
