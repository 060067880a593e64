"""What the container promises, tried without an engine: an unprivileged user who can write one folder only."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
USER = 10001
BOUNDARY = "flagbook-test"


def as_container_user(command: list[str]) -> list[str]:
    """Return the command as the image's user runs it.

    Started by root, the process becomes that user; it keeps the right to read (the interpreter may stand in root's
    home) and no right to write. Started by anybody else it is unprivileged already.
    """
    if os.geteuid() != 0:
        return command
    reading = "+dac_read_search"
    drop = ["--reuid", str(USER), "--regid", str(USER), "--clear-groups", "--no-new-privs"]
    return ["setpriv", *drop, "--inh-caps", reading, "--ambient-caps", reading, *command]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return the one folder that the user may write."""
    folder = tmp_path / "data"
    folder.mkdir()
    if os.geteuid() == 0:
        shutil.chown(folder, USER, USER)
        for above in (tmp_path, *tmp_path.parents):
            if above.is_relative_to("/tmp") and above != Path("/tmp"):
                above.chmod(0o755)
    return folder


@pytest.fixture
def service(data: Path) -> Iterator[str]:
    """Serve the examples as the image does, and return the address."""
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HF_HUB_OFFLINE": "1",
        "HOME": "/nonexistent",
        "TMPDIR": str(data),
        "FLAGBOOK_HOME": str(data),
        "FLAGBOOK_SPACES": str(EXAMPLES / "spaces.yaml"),
        "FLAGBOOK_JUDGE": "local",
        "FLAGBOOK_TOKEN": "a-token-for-the-test",
    }
    command = as_container_user([sys.executable, "-m", "service", "serve", "--port", "0"])
    with subprocess.Popen(
        command, cwd=data, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert "serves at http://127.0.0.1:" in said, said + process.stdout.read()
        yield said.split("serves at ")[1].split("/login")[0]
        process.terminate()
        assert process.wait(timeout=30) in (0, -15)


def call(address: str, path: str, body: bytes | None = None) -> bytes:
    """Return the body of an authorised request."""
    headers = {"Authorization": "Bearer a-token-for-the-test"}
    if body is not None:
        headers["Content-Type"] = f"multipart/form-data; boundary={BOUNDARY}"
    with urlopen(Request(address + path, data=body, headers=headers), timeout=60) as response:
        content: bytes = response.read()
    return content


def as_upload(workbook: Path) -> bytes:
    """Return a multipart body with one file."""
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{workbook.name}"\r\n\r\n'
    return head.encode() + workbook.read_bytes() + f"\r\n--{BOUNDARY}--\r\n".encode()


@pytest.mark.slow
def test_the_job_runs_for_a_user_who_can_write_the_data_folder_only(service: str, data: Path) -> None:
    """An unprivileged process serves, runs a workbook to its end, and leaves files in its own folder."""
    run = json.loads(call(service, "/api/v1/runs", as_upload(EXAMPLES / "Benchmark.xlsx")))["id"]
    deadline = time.monotonic() + 300
    while json.loads(call(service, f"/api/v1/runs/{run}"))["state"] in ("queued", "in_progress"):
        assert time.monotonic() < deadline, "the run did not end"
        time.sleep(0.5)
    ended = json.loads(call(service, f"/api/v1/runs/{run}"))
    assert ended["state"] == "ready"
    assert ended["done"] == ended["total"] > 20
    assert call(service, f"/api/v1/runs/{run}/workbook").startswith(b"PK")
    if os.geteuid() == 0:
        assert {path.stat().st_uid for path in data.rglob("*")} == {USER}
