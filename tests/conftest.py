"""Fixtures that several rooms use."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest


@pytest.fixture(scope="session", autouse=True)
def _control_c_is_heard() -> None:
    """Take Ctrl-C as a terminal does: a shell that runs the tests in the background has it ignored, by us and ours."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True)
class OpenAIServer:
    """A running tests/openai_server.py; its knobs are described there."""

    base_url: str
    process: subprocess.Popen[str]

    def stats(self) -> dict[str, Any]:
        """Return what the server has seen since the last reset."""
        return self._call("/stats")

    def reset(self, **knobs: object) -> None:
        """Set the counters to zero and change knobs."""
        self._call("/reset?" + "&".join(f"{name}={value}" for name, value in knobs.items()))

    def script(self, **said: Any) -> None:
        """Replace `answers` or `verdicts`."""
        self._call("/script", json.dumps(said).encode())

    def _call(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        request = Request(self.base_url.removesuffix("/v1") + path, data=body)
        with urlopen(request, timeout=10) as response:
            reply: dict[str, Any] = json.load(response)
        return reply


@pytest.fixture(scope="session")
def start_openai_server() -> Iterator[Callable[..., OpenAIServer]]:
    """Return a function that starts an OpenAI-compatible server process; knobs are its keyword arguments."""
    started: list[subprocess.Popen[str]] = []

    def start(**knobs: object) -> OpenAIServer:
        flags = [f"--{name.replace('_', '-')}={value}" for name, value in knobs.items()]
        script = Path(__file__).with_name("openai_server.py")
        process = subprocess.Popen([sys.executable, str(script), *flags], stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout is not None
        return OpenAIServer(process.stdout.readline().strip(), process)

    yield start
    for process in started:
        process.terminate()
        process.wait(timeout=10)


@pytest.fixture
def openai_server(start_openai_server: Callable[..., OpenAIServer]) -> OpenAIServer:
    """Return a process of its own without latency, faults or scripts, for tests that kill their clients."""
    return start_openai_server()


@pytest.fixture(scope="session")
def _one_openai_server(start_openai_server: Callable[..., OpenAIServer]) -> OpenAIServer:
    return start_openai_server()


@pytest.fixture
def shared_openai_server(_one_openai_server: OpenAIServer) -> OpenAIServer:
    """Return the same, one process for all tests that wait for their calls; it is reset before each."""
    _one_openai_server.reset(fresh=1)
    return _one_openai_server
