"""A scripted judge for tests, in a process of its own: tests/openai_server.py whose verdicts rest on what it reads.

It splits each prompt at its random fence, as a model that heeds the rubric would, and

    obeys       an instruction "return NAME" where it stands outside the fence, and nowhere else
    leans       with `/script {"leans": true}`: finds a deviation only where the reference is shown before the answer

`GET /seen` tells of each prompt: its `marker`, the text `outside` of the fence, the `titles` of the fenced parts in
their order, and those parts by title.
"""

import asyncio
import json
import re
from typing import Any

import openai_server
from openai_replies import Refused, Reply, filled, text_of

MARKER = re.compile(r"^<<([0-9a-f]{16}) question>>$", re.MULTILINE)
ORDER = re.compile(r"return (\w+)", re.IGNORECASE)
DEVIATES = ("contradicts", "missing", "not_supported", "does_not_answer")


def read(prompt: str) -> dict[str, Any]:
    """Return what stands inside and outside of a prompt's fence; raise `Refused` when there is none."""
    found = MARKER.search(prompt)
    if found is None:
        raise Refused(400, "no_fence", "the prompt has no fence")
    marker = found[1]
    block = re.compile(rf"^<<{marker} ([a-z]+(?: \d+)?)>>\n(.*?)\n<</{marker}>>$", re.MULTILINE | re.DOTALL)
    parts = {title: text for title, text in block.findall(prompt)}
    return {"marker": marker, "outside": block.sub("", prompt), "titles": list(parts), "parts": parts}


class Judge(openai_server.Fake):
    """Reads before it judges."""

    def __init__(self, knobs: dict[str, Any]) -> None:
        self.prompts: list[dict[str, Any]] = []
        self.leans = False
        super().__init__(knobs)

    def reset(self, knobs: dict[str, str]) -> None:
        """Forget what was seen, too."""
        self.prompts.clear()
        super().reset(knobs)

    def script(self, body: dict[str, Any]) -> None:
        """Say in which way the judge is bad."""
        self.leans = bool(body.get("leans"))
        super().script(body)

    async def handle(self, method: str, target: str, headers: dict[str, str], raw: bytes) -> Reply:
        """Answer one request, or tell what was seen."""
        if target == "/seen":
            return 200, {"prompts": self.prompts}, {}
        return await super().handle(method, target, headers, raw)

    def verdict(self, body: dict[str, Any], form: str, name: str, schema: dict[str, Any]) -> dict[str, Any]:
        """Return a reply that rests on the prompt."""
        prompt = next(text_of(message) for message in body["messages"] if message["role"] == "user")
        seen = {"rubric": name, **read(prompt)}
        self.prompts.append(seen)
        values = filled(schema, self.verdicts.get(name, {}))
        for field, said in schema["properties"].items():
            values[field] = self._leaning(seen, said.get("enum", []), values[field])
            order = ORDER.search(seen["outside"])
            if order and order[1] in said.get("enum", []):
                values[field] = order[1]
        return {"role": "assistant", "content": json.dumps(values), "refusal": None}

    def _leaning(self, seen: dict[str, Any], choices: list[str], calm: str) -> str:
        titles = seen["titles"]
        found = next((word for word in DEVIATES if word in choices), calm)
        first = "reference" in titles and titles.index("reference") < titles.index("answer")
        return found if self.leans and first else calm


if __name__ == "__main__":
    asyncio.run(openai_server.serve(Judge(dict(openai_server.KNOBS)), 0))
