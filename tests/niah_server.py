"""Assistants made of rules behind an OpenAI-compatible door, as a process of their own.

    python tests/niah_server.py

prints `http://127.0.0.1:PORT/v1` as its first line and serves until it is ended. They get nothing but the messages of
the request; the model's name says which of them answers: `oracle-bare`, `oracle-sentence`, `oracle-bold`,
`oracle-numbered list`, `primacy`, or one of the bad ones (`refusing`, `dumping` …, see tests/flags/niah/reader.py).
`silent-NAME` hides its token counts, `cut` ends each answer for its length, `slow` takes two seconds.
`GET /stats` returns how often each model was asked and the digests of its prompts.
"""

import hashlib
import importlib.util
import json
import sys
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

_READER = Path(__file__).parent / "flags" / "niah" / "reader.py"
_SPEC = importlib.util.spec_from_file_location("niah_reader", _READER)
assert _SPEC is not None
assert _SPEC.loader is not None
reader: Any = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(reader)

ASKED: dict[str, list[str]] = defaultdict(list)


def answer(model: str, prompt: str) -> str:
    """Return what the assistant of that name says to a prompt."""
    if model in ("cut", "slow"):
        time.sleep(2 if model == "slow" else 0)
        model = "oracle-bare"
    if model.startswith("oracle-"):
        phrased: str = reader.PHRASINGS[model.removeprefix("oracle-")](reader.oracle(prompt))
        return phrased
    if model == "primacy":
        return primacy(prompt)
    said: str = reader.BAD[model](prompt)
    return said


def primacy(prompt: str) -> str:
    """Return the first of conflicting values; what no single fact answers is answered right."""
    try:
        said: str = reader.primacy(prompt)
    except StopIteration:
        return answer("oracle-bare", prompt)
    return said


class Handler(BaseHTTPRequestHandler):
    """Answers chat requests."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Tell what was asked."""
        self._reply(200, ASKED)

    def do_POST(self) -> None:
        """Answer one conversation."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        model, prompt = body["model"], body["messages"][-1]["content"]
        ASKED[model].append(hashlib.sha256(prompt.encode()).hexdigest())
        text = answer(model.removeprefix("silent-"), prompt)
        usage = {"prompt_tokens": len(prompt) // 4, "completion_tokens": len(text) // 4 + 1}
        reply = {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": f"{model}-1",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": "length" if model == "cut" else "stop",
                }
            ],
        }
        self._reply(200, reply if model.startswith("silent-") else {**reply, "usage": usage})

    def _reply(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def main() -> None:
    """Serve on a free port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    sys.stdout.write(f"http://127.0.0.1:{server.server_port}/v1\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()
