"""Fixtures that several rooms use."""

import json
import signal
import subprocess
import sys
import time
import uuid
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


@pytest.fixture(scope="session")
def openai_server_of() -> Callable[[subprocess.Popen[str]], OpenAIServer]:
    """Return a function that gives the server of a process that prints its address."""

    def of(process: subprocess.Popen[str]) -> OpenAIServer:
        assert process.stdout is not None
        return OpenAIServer(process.stdout.readline().strip(), process)

    return of


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


@dataclass
class Door:
    """A running `flagbook serve`."""

    process: subprocess.Popen[str]
    url: str

    def get(self, path: str) -> Any:
        """Return the JSON of a route."""
        with urlopen(self.url + path, timeout=60) as response:
            return json.load(response)

    def post(self, path: str) -> Any:
        """Return the JSON of a route that does something."""
        with urlopen(Request(self.url + path, method="POST"), timeout=60) as response:
            return json.load(response)

    def upload(self, content: bytes, **fields: object) -> str:
        """Start a run and return its id."""
        mark = uuid.uuid4().hex
        part = f"--{mark}\r\nContent-Disposition: form-data; name="
        head = "".join(f'{part}"{name}"\r\n\r\n{value}\r\n' for name, value in fields.items())
        head += f'{part}"file"; filename="Benchmark.xlsx"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={mark}"}
        with urlopen(Request(f"{self.url}/api/v1/runs", data=body, headers=headers), timeout=60) as response:
            return str(json.load(response)["id"])

    def workbook(self, run_id: str) -> bytes:
        """Return the result."""
        with urlopen(f"{self.url}/api/v1/runs/{run_id}/workbook", timeout=60) as response:
            content: bytes = response.read()
        return content

    def until(self, run_id: str, reached: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until the run has come so far."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            view: dict[str, Any] = self.get(f"/api/v1/runs/{run_id}")
            if reached(view):
                return view
            time.sleep(0.05)
        raise AssertionError(f"the run did not come so far: {view}")

    def ended(self, run_id: str) -> dict[str, Any]:
        """Wait for the end of a run."""
        return self.until(run_id, lambda view: view["state"] not in ("queued", "in_progress"))

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End the process and wait until it is gone."""
        self.process.send_signal(how)
        self.process.wait(timeout=30)


@pytest.fixture
def door_of() -> Callable[[subprocess.Popen[str]], Door]:
    """Return a function that waits until a started `flagbook serve` answers."""

    def wait(process: subprocess.Popen[str]) -> Door:
        assert process.stdout is not None
        line = process.stdout.readline()
        return Door(process, next(word for word in line.split() if word.startswith("http")).rstrip("/"))

    return wait


@pytest.fixture(scope="session")
def rule_assistants() -> Iterator[str]:
    """The address of a process whose models are assistants made of rules."""
    script = Path(__file__).with_name("niah_server.py")
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield process.stdout.readline().strip()
    process.terminate()
    process.wait(timeout=10)
