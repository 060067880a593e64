"""A stand-in for the public APIs, on loopback, that counts what it is asked."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest
from aiohttp import web

Reply = Callable[[dict[str, str]], web.Response]


@dataclass
class Stub:
    """Answers every GET with `reply(query)`; `asked` holds the queries."""

    url: str = ""
    reply: Reply = lambda query: web.Response(status=404)
    asked: list[dict[str, str]] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        """Answer, after noting what was asked."""
        self.asked.append(dict(request.query))
        return self.reply(dict(request.query))


@pytest.fixture
async def stub() -> AsyncIterator[Stub]:
    """Run the stand-in for a test."""
    found = Stub()
    app = web.Application()
    app.router.add_get("/{language}/api", found.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    found.url = f"http://127.0.0.1:{runner.addresses[0][1]}/{{language}}/api"
    yield found
    await runner.cleanup()
