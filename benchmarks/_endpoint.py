"""A fast OpenAI-compatible endpoint for measuring: fixed latency, distinct texts, hardly any work of its own.

`python -m benchmarks._endpoint LATENCY_MS` prints its address and serves until its standard input closes.
"""

import asyncio
import hashlib
import json
import random
import sys
from typing import Any

WORDS = [f"word{n:03d}" for n in range(997)]
VECTOR = 384
PASSING = ("equal", "agrees", "answers", "fully_supported")
CALM = ("no", "none", "same")


def vector_of(text: str) -> list[float]:
    """Return a vector that depends on the text alone."""
    digest = hashlib.blake2b(text.encode(), digest_size=48).digest()
    return [round((byte - 127.5) / 128, 3) for byte in digest] * (VECTOR // 48)


def answer_to(question: str) -> str:
    """Return an answer of 60 to 300 words that depends on the question alone."""
    chance = random.Random(question)
    return " ".join(chance.choices(WORDS, k=chance.randint(60, 300))) + " [1]."


def verdict_of(schema: dict[str, Any]) -> str:
    """Return values that find nothing wrong."""
    values = {}
    for name, field in schema["properties"].items():
        choices = field.get("enum", ["Both say the same."])
        values[name] = next((word for word in (*PASSING, *CALM) if word in choices), choices[0])
    return json.dumps(values)


def chat_reply(body: dict[str, Any]) -> bytes:
    """Return a chat completion."""
    wanted = body.get("response_format")
    question = body["messages"][-1]["content"]
    text = verdict_of(wanted["json_schema"]["schema"]) if wanted else answer_to(question)
    usage = {"prompt_tokens": 700, "completion_tokens": 200, "total_tokens": 900}
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    head = {"id": "c", "object": "chat.completion", "created": 0, "model": body["model"]}
    return json.dumps({**head, "choices": [choice], "usage": usage}).encode()


def embedding_reply(body: dict[str, Any]) -> bytes:
    """Return a vector a text."""
    data = [{"object": "embedding", "index": at, "embedding": vector_of(text)} for at, text in enumerate(body["input"])]
    return json.dumps({"object": "list", "data": data, "model": body["model"]}).encode()


class Connection(asyncio.Protocol):
    """One client; requests come one after the other."""

    latency_s = 0.2
    calls = 0
    in_flight = 0
    most = 0

    def __init__(self) -> None:
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where replies go."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer each whole request."""
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].lower()
            at = head.find(b"content-length:")
            size = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            if len(self.buffer) < end + 4 + size:
                return
            body, self.buffer = self.buffer[end + 4 : end + 4 + size], self.buffer[end + 4 + size :]
            self.answer(head.split(b" ", 2)[1], body)

    def answer(self, path: bytes, raw: bytes) -> None:
        """Reply after the latency; embeddings and questions about the endpoint itself at once."""
        kind = Connection
        if path.endswith(b"/stats"):
            self.send(json.dumps({"calls": kind.calls, "most": kind.most}).encode())
        elif path.endswith(b"/embeddings"):
            self.send(embedding_reply(json.loads(raw)))
        else:
            kind.calls += 1
            kind.in_flight += 1
            kind.most = max(kind.most, kind.in_flight)
            asyncio.get_running_loop().call_later(kind.latency_s, self.send_late, raw)

    def send_late(self, raw: bytes) -> None:
        """Reply to a chat call."""
        Connection.in_flight -= 1
        self.send(chat_reply(json.loads(raw)))

    def send(self, content: bytes) -> None:
        """Write a reply."""
        head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n"
        self.transport.write(head.encode() + content)


async def main() -> None:
    """Serve until standard input closes."""
    Connection.latency_s = float(sys.argv[1]) / 1000
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
