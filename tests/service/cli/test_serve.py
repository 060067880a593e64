"""`flagbook serve`: what keeps it from starting, and the address it prints."""

import json
import os
import signal
import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest

from service.cli.serve import address_of
from service.settings import Settings


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::"])
def test_the_network_is_refused_without_a_token(desk, host):
    """Nothing listens where other machines could reach it, unless a token is set."""
    result = desk.type("serve", "--host", host)
    assert result.exit_code == 2
    assert "token_required" in result.stderr


def test_a_port_in_use_is_named(desk):
    """The person learns which address is taken, and how to choose another."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        result = desk.type("serve", "--port", other.getsockname()[1])
    assert result.exit_code == 2
    assert "address_taken" in result.stderr


def test_a_broken_spaces_file_stops_it_before_it_listens(desk, tmp_path):
    """The mistake is told in one sentence with its line."""
    spaces = tmp_path / "spaces.yaml"
    spaces.write_text("spaces:\n  - name: HR\n    backend: crystal ball\n", encoding="utf-8")
    result = desk.type("serve", "--spaces", spaces, "--port", 0)
    assert result.exit_code == 2
    assert "spaces_file_broken" in result.stderr
    assert "line 3" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("bound", "settings", "address"),
    [
        ("127.0.0.1", {}, "http://127.0.0.1:{port}/"),
        ("0.0.0.0", {}, "http://127.0.0.1:{port}/"),
        ("127.0.0.1", {"token": "a b"}, "http://127.0.0.1:{port}/login?token=a%20b"),
    ],
)
def test_the_address_printed_can_be_opened(bound, settings, address):
    """It names the port really taken, and logs in where there is a token."""
    with socket.create_server((bound, 0)) as listener:
        port = listener.getsockname()[1]
        assert address_of(Settings(**settings), listener) == address.format(port=port)


def test_the_service_answers_at_the_address_it_prints_and_stops_on_control_c(tmp_path):
    """The line comes once the service is there; Ctrl-C ends it without a trace."""
    words = [sys.executable, "-m", "service", "serve", "--port", "0"]
    surroundings = {**os.environ, "FLAGBOOK_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(words, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[3]
        with urlopen(f"{address}healthz", timeout=10) as response:
            assert json.load(response)["status"] == "ok"
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert "Traceback" not in errors
