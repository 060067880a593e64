"""An OpenAI-compatible server for tests, on the standard library alone, to be run as a process of its own.

    python tests/openai_server.py [--port 0] [--latency-ms 0] [--answers FILE] [--verdicts FILE] …

prints `http://127.0.0.1:PORT/v1` as its first line and serves until SIGTERM or SIGINT. It answers
`/v1/chat/completions`, `/v1/embeddings` and `/v1/models`, deterministically: the same question has the same answer.

`GET /stats` tells what it saw:
    requests, chat, embeddings, ok, r400, r401, r404, r429, r500, dropped, [max_][chat_]in_flight
    questions   {text of the last user message: times answered} of plain chat calls; an answer the client did not
                wait for counts too, refused calls (429, 500 …) do not
    judged      {rubric: {digest of the first user message, its random fence aside: times answered}} of calls that
                want a schema
    forms       {json_schema | tool | json_object | words | text: times answered}
    texts       how many texts were embedded
    chat_busy   seconds that chat calls were under way, of all together: by the time, how many there were on average
    charged     {model: [tokens in, tokens out]} of every call that was answered
`POST /reset` sets all counters to zero; knobs in its query (`/reset?latency_ms=50&every_429=10`) are changed,
others stay. `/reset?fresh=1` also puts knobs back as they were at the start and forgets what `/script` said.
`POST /script` with `{"answers": {…}, "verdicts": {…}}` replaces what is said.

Knobs (also as flags, `--every-429 10`):
    latency_ms    time a chat call takes                    emb_latency_ms  the same for embeddings
    every_429     every n-th request is refused with 429    retry_after     seconds its Retry-After says (0: no header)
    every_500     every n-th request fails with 500         every_drop      every n-th connection is reset
    malformed     the first n schema replies to each prompt are malformed: 1 is mended by one repair, 2 is not
    malformed_as  text | fenced | missing | choice | number | list: how (fenced is valid JSON inside ``` marks)
    refuse        comma list of what is refused with 400: json_schema, tool, json_object, words, temperature, messages
    cut           1: every schema reply ends with finish_reason "length"
The key `wrong-key` is refused with 401, the key `poor-key` with 429 insufficient_quota, the model `no-such-model`
with 404, a prompt that contains `TOO LONG` with 400 context_length_exceeded, one with `FORBIDDEN` with 400
content_filter.

`answers` maps a question to a text or to {text, finish_reason, refusal, delay_ms, status, times}: with `times` n the
script holds for the first n calls only. `verdicts` maps a rubric's name (of its schema) to values by field name;
other fields get a choice that means "nothing wrong", else the first one, and free text a sentence.
"""

import argparse
import asyncio
import hashlib
import json
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from openai_replies import REASONS, SENTENCE, Refused, Reply, filled, malformed, text_of, unfenced, vector, wanted

KNOBS: dict[str, Any] = {
    "latency_ms": 0.0,
    "emb_latency_ms": 0.0,
    "every_429": 0,
    "retry_after": 0.05,
    "every_500": 0,
    "every_drop": 0,
    "malformed": 0,
    "malformed_as": "text",
    "refuse": "",
    "cut": 0,
}


class Dropped(Exception):
    """A request whose connection is reset."""


class Fake:
    """What the server knows: knobs, scripts and counters."""

    def __init__(self, knobs: dict[str, Any]) -> None:
        self.started_with = knobs
        self.answers: dict[str, Any] = {}
        self.verdicts: dict[str, dict[str, str]] = {}
        self.reset({"fresh": "1"})

    def reset(self, knobs: dict[str, str]) -> None:
        """Set the counters to zero and the knobs named to their new values."""
        self.counts: dict[str, int] = dict.fromkeys(("requests", "chat", "embeddings", "ok", "dropped", "texts"), 0)
        self.counts |= dict.fromkeys(("in_flight", "max_in_flight", "chat_in_flight", "max_chat_in_flight"), 0)
        self.counts |= {f"r{status}": 0 for status in REASONS if status != 200}
        self.chat_busy, self.noted = 0.0, time.monotonic()
        self.questions: dict[str, int] = {}
        self.judged: dict[str, dict[str, int]] = {}
        self.forms: dict[str, int] = {}
        self.seen: dict[str, int] = {}
        self.charged: dict[str, list[int]] = {}
        if knobs.pop("fresh", ""):
            self.knobs = dict(self.started_with)
            self.answers, self.verdicts = {}, {}
        for name, value in knobs.items():
            self.knobs[name] = type(KNOBS[name])(value)

    def stats(self) -> dict[str, Any]:
        """Return all counters."""
        self.note_busy()
        return {
            **self.counts,
            "chat_busy": self.chat_busy,
            "questions": self.questions,
            "judged": self.judged,
            "forms": self.forms,
            "charged": self.charged,
            "knobs": self.knobs,
        }

    def note_busy(self) -> None:
        """Count the time since the last change of how many chat calls are under way."""
        now = time.monotonic()
        self.chat_busy += self.counts["chat_in_flight"] * (now - self.noted)
        self.noted = now

    def script(self, body: dict[str, Any]) -> None:
        """Replace what is said."""
        self.answers = body.get("answers", self.answers)
        self.verdicts = body.get("verdicts", self.verdicts)

    async def handle(self, method: str, target: str, headers: dict[str, str], raw: bytes) -> Reply:
        """Answer one request."""
        url = urlsplit(target)
        if url.path == "/stats":
            return 200, self.stats(), {}
        if url.path == "/reset":
            self.reset(dict(parse_qsl(url.query)))
            return 200, self.stats(), {}
        if url.path == "/script":
            self.script(json.loads(raw))
            return 200, {"ok": True}, {}
        if url.path.endswith("/models"):
            return 200, {"object": "list", "data": [{"id": "test-model", "object": "model", "owned_by": "tests"}]}, {}
        kind = url.path.rpartition("/v1/")[2]
        if method != "POST" or kind not in ("chat/completions", "embeddings"):
            return 404, {"error": {"message": f"nothing at {url.path}"}}, {}
        return await self.call(kind, headers, raw)

    async def call(self, kind: str, headers: dict[str, str], raw: bytes) -> Reply:
        """Answer a call that a person would pay for, and count it."""
        self.counts["requests"] += 1
        self.counts["chat" if kind.startswith("chat") else kind] += 1
        chat = kind.startswith("chat")
        self.note_busy()
        for flying in ("in_flight", "chat_in_flight")[: 1 + chat]:
            self.counts[flying] += 1
            self.counts[f"max_{flying}"] = max(self.counts[f"max_{flying}"], self.counts[flying])
        try:
            reply = await self.answered(kind, headers, json.loads(raw))
            self.counts["ok"] += 1
            return reply
        except Refused as refused:
            self.counts[f"r{refused.reply[0]}"] = self.counts.get(f"r{refused.reply[0]}", 0) + 1
            return refused.reply
        except Dropped:
            self.counts["dropped"] += 1
            raise
        finally:
            self.note_busy()
            self.counts["in_flight"] -= 1
            self.counts["chat_in_flight"] -= chat

    async def answered(self, kind: str, headers: dict[str, str], body: dict[str, Any]) -> Reply:
        """Return the answer to a call, or raise why there is none."""
        self.trouble(headers, body)
        if kind == "embeddings":
            await asyncio.sleep(self.knobs["emb_latency_ms"] / 1000)
            return 200, self.embeddings(body), {}
        await asyncio.sleep(self.knobs["latency_ms"] / 1000)
        return 200, await self.chat(body), {}

    def trouble(self, headers: dict[str, str], body: dict[str, Any]) -> None:
        """Raise what the knobs, the key or the model ask for."""
        nth = self.counts["requests"]
        if self.due("every_drop", nth):
            raise Dropped
        if self.due("every_429", nth):
            wait = {"retry_after": f"{self.knobs['retry_after']:g}"} if self.knobs["retry_after"] else {}
            raise Refused(429, "rate_limit_exceeded", "Too many requests", **wait)
        if self.due("every_500", nth):
            raise Refused(500, "server_error", "The server had an error")
        key = headers.get("authorization", "").removeprefix("Bearer ")
        if key == "wrong-key":
            raise Refused(401, "invalid_api_key", f"Incorrect API key provided: {key}")
        if key == "poor-key":
            raise Refused(429, "insufficient_quota", "You exceeded your current quota")
        if body.get("model") == "no-such-model":
            raise Refused(404, "model_not_found", "The model `no-such-model` does not exist")

    def due(self, knob: str, nth: int) -> bool:
        """Tell whether it is this request's turn."""
        return bool(self.knobs[knob]) and nth % self.knobs[knob] == 0

    async def chat(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return a chat completion."""
        form, name, schema = wanted(body)
        refused = self.knobs["refuse"].split(",")
        if form in refused:
            raise Refused(400, "unsupported", f"'{form}' is not supported by this model", "response_format")
        if "messages" in refused:
            raise Refused(400, "invalid_request_error", "Invalid 'messages': there is no turn of a user", "messages")
        if "temperature" in refused and "temperature" in body:
            raise Refused(400, "unsupported_value", "Unsupported value: 'temperature'", "temperature")
        prompt = "\n".join(text_of(message) for message in body["messages"])
        if "TOO LONG" in prompt:
            raise Refused(400, "context_length_exceeded", "This model's maximum context length is 8 tokens", "messages")
        if "FORBIDDEN" in prompt:
            raise Refused(400, "content_filter", "The response was filtered", "prompt")
        message = await self.said(body) if form == "text" else self.verdict(body, form, name, schema)
        self.forms[form] = self.forms.get(form, 0) + 1
        finish = message.pop("finish_reason", None) or ("length" if form != "text" and self.knobs["cut"] else "stop")
        tokens = {"prompt_tokens": len(prompt) // 4, "completion_tokens": len(message["content"] or "") // 4}
        return {
            "id": "chatcmpl-test",
            "object": "chat.completion",
            "created": 1700000000,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
            "usage": self.charge(body["model"], tokens),
        }

    def charge(self, model: str, tokens: dict[str, int]) -> dict[str, int]:
        """Note what a call is charged and return it as the reply tells it."""
        told = self.charged.setdefault(model, [0, 0])
        told[0] += tokens["prompt_tokens"]
        told[1] += tokens.get("completion_tokens", 0)
        return {**tokens, "total_tokens": sum(tokens.values())}

    async def said(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return the message that answers a question."""
        question = text_of([message for message in body["messages"] if message["role"] == "user"][-1])
        script = self.answers.get(question, f"This is what is known about “{question}”.")
        script = {"text": script} if isinstance(script, str) else script
        tries = self.seen[question] = self.seen.get(question, 0) + 1
        if tries > script.get("times", tries):
            script = {"text": script.get("text", SENTENCE)}
        await asyncio.sleep(script.get("delay_ms", 0) / 1000)
        if script.get("status"):
            raise Refused(script["status"], "scripted", "This was scripted")
        self.questions[question] = self.questions.get(question, 0) + 1
        return {
            "role": "assistant",
            "content": script.get("text"),
            "refusal": script.get("refusal"),
            "finish_reason": script.get("finish_reason"),
        }

    def verdict(self, body: dict[str, Any], form: str, name: str, schema: dict[str, Any]) -> dict[str, Any]:
        """Return the message that fills a schema, malformed where the knobs say so."""
        first = next(text_of(message) for message in body["messages"] if message["role"] == "user")
        digest = hashlib.sha256(unfenced(first).encode()).hexdigest()[:16]
        counts = self.judged.setdefault(name, {})
        counts[digest] = counts.get(digest, 0) + 1
        values = filled(schema, self.verdicts.get(name, {}))
        text = json.dumps(values)
        if counts[digest] <= self.knobs["malformed"]:
            text = malformed(values, schema, self.knobs["malformed_as"])
        if form != "tool":
            return {"role": "assistant", "content": text, "refusal": None}
        call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": text}}
        return {"role": "assistant", "content": None, "tool_calls": [call], "finish_reason": "tool_calls"}

    def embeddings(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return vectors of hashed words: texts that share words are near."""
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        self.counts["texts"] += len(texts)
        data = [{"object": "embedding", "index": at, "embedding": vector(text)} for at, text in enumerate(texts)]
        return {
            "object": "list",
            "data": data,
            "model": body["model"],
            "usage": self.charge(body["model"], {"prompt_tokens": sum(1 + len(text) // 4 for text in texts)}),
        }


async def converse(fake: Fake, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve one connection until the client is gone."""
    with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, target, _ = head[0].split(" ")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
            raw = await reader.readexactly(int(headers.get("content-length", 0)))
            try:
                status, body, more = await fake.handle(method, target, headers, raw)
            except Dropped:
                writer.transport.abort()
                return
            content = json.dumps(body).encode()
            lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Error')}", "content-type: application/json"]
            lines += [f"content-length: {len(content)}", *(f"{name}: {value}" for name, value in more.items())]
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
            await writer.drain()
    writer.close()


async def serve(fake: Fake, port: int) -> None:
    """Listen on loopback, print the address, stop on SIGTERM or SIGINT."""
    server = await asyncio.start_server(
        lambda reader, writer: converse(fake, reader, writer), "127.0.0.1", port, limit=2**24, backlog=1024
    )
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)  # noqa: T201  # read by the test
    await stop.wait()


def main() -> None:
    """Read the flags and serve."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--answers", help="JSON file of answers")
    parser.add_argument("--verdicts", help="JSON file of verdicts")
    for name, value in KNOBS.items():
        parser.add_argument("--" + name.replace("_", "-"), type=type(value), default=value)
    arguments = parser.parse_args()
    fake = Fake({name: getattr(arguments, name) for name in KNOBS})
    for name in ("answers", "verdicts"):
        if file := getattr(arguments, name):
            fake.script({name: json.loads(Path(file).read_text(encoding="utf-8"))})
    asyncio.run(serve(fake, arguments.port))


if __name__ == "__main__":
    main()
