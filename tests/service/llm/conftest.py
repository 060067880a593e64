"""What the tests of this room call."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest

from flags import Answer, Case, Question
from service.llm import Endpoint, Endpoints

KEY = "FLAGBOOK_TEST_KEY"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "a-key")


@pytest.fixture
async def endpoints() -> AsyncIterator[Endpoints]:
    """Return endpoints that give up soon, closed after the test."""
    endpoints = Endpoints(timeout_s=0.5, retry_budget_s=20)
    yield endpoints
    await endpoints.aclose()


@pytest.fixture
def endpoint(endpoints: Endpoints, shared_openai_server: Any) -> Endpoint:
    """Return the judge's endpoint of the server."""
    return endpoints.open(shared_openai_server.base_url, KEY, caller="judge", concurrency=4)


@pytest.fixture
def case() -> Case:
    """Return an answer that contradicts its reference."""
    question = Question(text="How many days?", space="HR", reference="You have 30 days.")
    return Case(question=question, answer=Answer(text="You have 40 days."))


@pytest.fixture
def unused_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def serve_bytes() -> Callable[..., AbstractAsyncContextManager[str]]:
    """Return a server that answers every request with the same bytes and status 200."""

    @asynccontextmanager
    async def serve(content: bytes, headers: str = "") -> AsyncIterator[str]:
        head = f"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {len(content)}\r\n{headers}\r\n"

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(head.encode() + content)
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        server.close()

    return serve
