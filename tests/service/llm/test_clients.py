"""Sessions: what is sent along, through which proxy, and how much is read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import ClientSSLError

from service.llm import _clients
from service.llm._clients import Clients, ReplyTooLarge, proxy_of

KEY = "FLAGBOOK_TEST_KEY"
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@asynccontextmanager
async def server(
    reply: bytes = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
) -> AsyncIterator[tuple[str, list[str]]]:
    """Yield the address of a server that replies with the same bytes, and the heads of the requests it saw."""
    heads: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.read(65536)).decode("latin-1"))
        writer.write(reply)
        await writer.drain()
        writer.close()

    listening = await asyncio.start_server(answer, "127.0.0.1", 0)
    yield f"127.0.0.1:{listening.sockets[0].getsockname()[1]}", heads
    listening.close()


async def sent_by(address: str, variable: str | None, at: str) -> None:
    """Post once and close."""
    clients = Clients(f"http://{address}/v1", variable)
    received = await clients.post("/chat/completions", b"{}")
    assert (received.status, received.content) == (200, b"{}"), at
    await clients.aclose()


async def test_key_and_account_are_sent_along(monkeypatch: pytest.MonkeyPatch) -> None:
    """As OpenAI's own client sends them."""
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    async with server() as (address, heads):
        await sent_by(address, KEY, address)
        await sent_by(address, None, address)
    assert heads[0].startswith("POST /v1/chat/completions HTTP/1.1\r\n")
    assert "Authorization: Bearer a-key\r\n" in heads[0]
    assert "OpenAI-Organization: org-1\r\n" in heads[0]
    assert "Authorization" not in heads[1]


async def test_a_user_in_the_address_gives_way_to_the_key() -> None:
    """Both at once would be two logins."""
    async with server() as (address, heads):
        await sent_by(f"user:word@{address}", KEY, address)
        await sent_by(f"user:word@{address}", None, address)
    assert "Authorization: Bearer a-key\r\n" in heads[0]
    assert "Authorization: Basic " in heads[1]


async def test_calls_go_through_the_proxy_the_environment_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside a company's network there is often no other way out."""
    async with server() as (proxy, heads):
        monkeypatch.setenv("HTTP_PROXY", proxy)
        await sent_by("endpoint.invalid", None, proxy)
    assert heads[0].startswith("POST http://endpoint.invalid/v1/chat/completions HTTP/1.1\r\n")


@pytest.mark.parametrize(
    ("variables", "proxy"),
    [
        ({}, None),
        ({"HTTPS_PROXY": "http://proxy:3128"}, "http://proxy:3128"),
        ({"ALL_PROXY": "proxy:3128"}, "http://proxy:3128"),
        ({"HTTP_PROXY": "http://proxy:3128"}, None),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "localhost,.example.org"}, None),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "localhost"}, "http://proxy:3128"),
    ],
)
def test_the_proxy_is_that_of_the_address(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], proxy: str | None
) -> None:
    """By scheme, with the exceptions people name."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert proxy_of("https://user@models.example.org:8443/v1") == proxy


async def test_a_reply_that_goes_on_and_on_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken server must not fill the memory."""
    monkeypatch.setattr(_clients, "LARGEST_REPLY", 1000)
    endless = b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n" + b"x" * 5000
    async with server(endless) as (address, _):
        clients = Clients(f"http://{address}/v1", None)
        with pytest.raises(ReplyTooLarge):
            await clients.post("/chat/completions", b"{}")
        await clients.aclose()


@pytest.mark.parametrize("named", [True, False], ids=["named by the environment", "those of the system"])
async def test_a_server_without_tls_is_no_server_for_https(monkeypatch: pytest.MonkeyPatch, named: bool) -> None:
    """Whichever certificates are trusted, nothing is sent before one was seen."""
    if named:
        monkeypatch.setenv("SSL_CERT_DIR", "/nowhere")
    async with server() as (address, _):
        clients = Clients(f"https://{address}/v1", KEY)
        with pytest.raises(ClientSSLError):
            await clients.post("/chat/completions", b"{}")
        await clients.aclose()
