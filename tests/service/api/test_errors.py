"""Every error leaves in the one shape."""

import asyncio

import pytest
from starlette.requests import Request

from service.api._errors import respond
from service.api._fakes import MemoryRuns
from service.errors import every_error


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/v1/nowhere", 404, "address_unknown"),
        ("PUT", "/api/v1/runs", 405, "method_refused"),
        ("GET", "/api/v1/check", 405, "method_refused"),
    ],
)
def test_the_frameworks_own_errors_have_the_shape_too(client, method, path, status, code):
    """Unknown addresses and methods."""
    reply = client.request(method, path)
    assert (reply.status_code, reply.json()["code"]) == (status, code)
    assert path in reply.json()["message"]


def test_a_broken_form_is_refused_in_the_shape(client):
    """A body that is not the multipart it says it is."""
    headers = {"content-type": "multipart/form-data; boundary=x"}
    reply = client.post("/api/v1/runs", content=b"--y nonsense", headers=headers)
    assert (reply.status_code, reply.json()["code"]) == (422, "request_invalid")


def test_a_fault_tells_the_client_nothing_but_a_reference(connect, runs, capsys):
    """The trace stands in the log under the reference, and not in the reply."""

    async def broken(**_):
        raise RuntimeError("password=hunter2")

    runs.list = broken
    reply = connect().get("/api/v1/runs")
    assert (reply.status_code, reply.json()["code"]) == (500, "internal_error")
    assert "hunter2" not in reply.text
    assert reply.headers["x-content-type-options"] == "nosniff"
    log = capsys.readouterr()
    assert reply.json()["params"]["reference"] in log.out + log.err
    assert "hunter2" in log.out + log.err


def test_every_code_keeps_its_status(client):
    """The table is the error classes themselves."""
    statuses = {kind.code: kind.status for kind in every_error()}
    assert statuses["run_unknown"] == 404
    assert statuses["upload_too_large"] == 413
    assert all(400 <= status < 600 for status in statuses.values())
    request = Request({"type": "http", "path": "/api/v1/x", "headers": [], "app": client.app})
    for kind in every_error():
        error = kind.__new__(kind)
        Exception.__init__(error, "sentence")
        error.params = {}
        assert respond(request, error).status_code == kind.status


@pytest.mark.parametrize("path", ["/api/v1/runs", "/healthz", "/api/v1/nowhere", "/api/v1/runs/r1/workbook"])
def test_every_response_carries_the_security_headers(client, path):
    """Own scripts only, no frames, no sniffing, nothing cached."""
    headers = client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


def test_a_file_that_announces_too_much_is_not_read(connect, runs):
    """The length alone is enough to refuse."""
    reply = connect(max_upload_mb=1).post("/api/v1/runs", files={"file": ("b.xlsx", b"PK" + bytes(2 * 1024 * 1024))})
    assert (reply.status_code, reply.json()["code"]) == (413, "upload_too_large")
    assert "larger than 1 MB" in reply.json()["message"]
    assert runs.asked == []


def test_a_file_just_within_the_limit_is_read(connect, runs):
    """The limit is the file's, the form around it has room of its own."""
    content = b"PK".ljust(1024 * 1024, b"x")
    assert connect(max_upload_mb=1).post("/api/v1/runs", files={"file": ("b.xlsx", content)}).status_code == 201
    assert runs.asked[-1][1]["content"] == content


def test_a_result_that_comes_back_may_be_larger(connect, runs):
    """Answers and reasons have made the file several times larger than the questions were; even so there is an end."""
    client = connect(max_upload_mb=1)
    files = {"file": ("b.xlsx", b"PK".ljust(5 * 1024 * 1024, b"x"))}
    assert client.post("/api/v1/runs/r1/adopt", files=files).status_code == 200
    assert client.post("/api/v1/check", files=files).status_code == 413
    files = {"file": ("b.xlsx", b"PK".ljust(7 * 1024 * 1024, b"x"))}
    reply = client.post("/api/v1/runs/r1/adopt", files=files)
    assert (reply.status_code, reply.json()["params"]) == (413, {"max_mb": 6})


def test_an_endless_upload_is_left_at_the_limit(connect):
    """A body without a length is read no further than the limit."""
    sent = 0

    def endless():
        nonlocal sent
        yield b'--x\r\ncontent-disposition: form-data; name="file"; filename="b.xlsx"\r\n\r\n'
        while sent < 64 * 1024 * 1024:
            sent += 65536
            yield b"x" * 65536

    headers = {"content-type": "multipart/form-data; boundary=x"}
    app = connect(max_upload_mb=1).app
    status, code = asyncio.run(_post_in_pieces(app, endless(), headers))
    assert (status, code) == (413, "upload_too_large")
    assert sent <= 2 * 1024 * 1024


async def _post_in_pieces(app, pieces, headers):
    """Send a body piece by piece, as a server hands it on, and return status and code."""
    import json

    async def receive():
        return {"type": "http.request", "body": next(pieces), "more_body": True}

    sent = []

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/api/v1/runs",
        "raw_path": b"/api/v1/runs",
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost"), *((k.encode(), v.encode()) for k, v in headers.items())],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8300),
    }
    await app(scope, receive, send)
    return sent[0]["status"], json.loads(sent[1]["body"])["code"]


def test_the_description_is_complete(client):
    """OpenAPI names every route with a summary and its errors in the one shape."""
    description = client.get("/api/v1/openapi.json").json()
    paths = {path for path in description["paths"] if path.startswith("/api/v1/")}
    assert {"/api/v1/runs", "/api/v1/check", "/api/v1/template", "/api/v1/spaces"} <= paths
    for path in paths:
        for operation in description["paths"][path].values():
            assert operation["summary"]
            assert operation["tags"]
            schema = operation["responses"]["422"]["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/Problem"}
    assert "HTTPValidationError" not in description["components"]["schemas"]


def test_the_frameworks_pages_from_elsewhere_are_not_served(client):
    """Swagger and Redoc load scripts from a CDN; the description itself is enough."""
    assert client.get("/docs").status_code == 404
    assert client.get("/redoc").status_code == 404


def test_the_fake_is_no_stranger():
    """The run room in memory offers what the real one offers."""
    from service.runs import Runs

    public = {name for name in vars(Runs) if not name.startswith("_")} - {"wait"}
    assert public <= set(vars(MemoryRuns))
