"""What a benchmark will take before it is run: calls, tokens, cost and time, with what that rests on."""

import asyncio
import json
import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from flags import Answer, Case, Judgement, Rubric, Source, Tools, evaluate, render
from service.assistants import PlannedCall, calls_of
from service.llm import BY_ENDPOINT, open_tokenizer, schema_of
from service.runs._judging import Judging
from service.runs._plan import Plan, make_plan
from service.runs._prices import Price
from service.runs._shapes import RunOptions
from service.runs._sorting import Entry, Spaces
from service.runs._spending import Expected, Outlook
from service.settings import Settings

SAMPLE = 40
"""Questions of a space whose texts are counted; the others are taken to be like them."""
ANSWER_TOKENS = 200
"""Length of an answer where a space has no reference to go by."""
VERDICT_TOKENS = 150
"""Length of a judge's reply: quotations, a reason of one or two sentences, the verdict."""
PASSAGE = "A passage of a document has some nine hundred characters. " * 15
PASSAGE_TOKENS = 220
SOURCES = 3
"""Passages an answer of a space with documents is taken to cite."""
SECONDS_A_CALL = 3.0


async def outlook(entries: Sequence[Entry], spaces: Spaces, settings: Settings) -> Outlook:
    """Return what asking and judging these questions will take; nothing is called."""
    asked = [entry for entry in entries if entry.refusal is None]
    found = [space for name in dict.fromkeys(entry.space for entry in asked) if (space := spaces.find(name))]
    plan = make_plan(found, RunOptions(), settings, ask=True)
    return await asyncio.to_thread(lambda: asyncio.run(_outlook(asked, plan, settings)))


async def _outlook(asked: Sequence[Entry], plan: Plan, settings: Settings) -> Outlook:
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in asked:
        groups[entry.space].append(entry)
    lines = []
    for space, entries in groups.items():
        lines += await _space_lines(space, entries, plan)
    priced = [_with_cost(line, plan.prices.models.get(line.model)) for line in _merged(lines)]
    unknown = [line.model for line in priced if line.cost is None]
    known = sum(line.cost for line in priced if line.cost is not None)
    unknown += [f"space {name}" for name in plan.unseen]
    return Outlook(
        lines=tuple(priced),
        calls=sum(line.calls for line in priced),
        input=sum(line.input for line in priced),
        output=sum(line.output for line in priced),
        cost=None if unknown else known,
        known=known,
        unknown=tuple(dict.fromkeys(unknown)),
        currency=plan.prices.currency,
        seconds=_seconds(priced, plan, settings),
        basis=tuple(_basis(groups, plan, settings)),
    )


async def _space_lines(space: str, entries: Sequence[Entry], plan: Plan) -> list[Expected]:
    """Return what asking and judging the questions of one space takes, scaled up from a sample of them."""
    count = open_tokenizer().count
    sample = [entries[at] for at in sorted({round(n) for n in np.linspace(0, len(entries) - 1, SAMPLE)})]
    references = [count(entry.question.reference) for entry in entries[:SAMPLE] if entry.question.reference]
    answer = round(sum(references) / len(references)) if references else ANSWER_TOKENS
    found = plan.spaces[space]
    counter = _Counter(count, plan)
    for entry in sample:
        calls = calls_of(found, entry.question.text)
        for call in calls or ():
            _count_call(counter, call, count, answer)
        await _judge(entry, counter, plan, _passages(calls))
    return [
        Expected(
            caller=caller,
            model=model,
            space=space if caller == "assistants" else "",
            calls=math.ceil(calls * len(entries) / len(sample)),
            input=math.ceil(tokens_in * len(entries) / len(sample)),
            output=math.ceil(tokens_out * len(entries) / len(sample)),
        )
        for (caller, model), (calls, tokens_in, tokens_out) in counter.counts.items()
    ]


def _count_call(counter: "_Counter", call: PlannedCall, count: Callable[[str], int], answer: int) -> None:
    tokens = count(call.text) + call.passages * PASSAGE_TOKENS
    counter.add("assistants", call.model, tokens, answer if call.reply_tokens is None else call.reply_tokens)


def _passages(calls: tuple[PlannedCall, ...] | None) -> int:
    """Return how many passages an answer is taken to cite: none where it is known that none is read."""
    if not calls:  # a backend of our own that quotes documents, or one that is not seen
        return SOURCES
    return min(SOURCES, max(call.passages for call in calls))


async def _judge(entry: Entry, counter: "_Counter", plan: Plan, passages: int) -> None:
    """Let every flag ask its judge and embedder, who only count."""
    # not quite the reference: the same text is not compared at all
    text = f"{entry.question.reference} Really." if entry.question.reference else "word " * ANSWER_TOKENS
    sources = tuple(Source(name=f"{n}", text=PASSAGE) for n in range(passages))
    case = Case(question=entry.question, answer=Answer(text=text, sources=sources, passages=sources))
    judge = Judging.of(plan.judging).judge(counter)
    await evaluate(case, plan.flags_of(entry.space), Tools(judge=judge, embedder=counter))


@dataclass
class _Counter:
    """A judge and an embedder that count what they are asked."""

    count: Callable[[str], int]
    plan: Plan
    counts: dict[tuple[str, str], tuple[int, int, int]] = field(default_factory=dict)
    name: str = "counter"

    def add(self, caller: str, model: str, tokens_in: int, tokens_out: int) -> None:
        """Count a call."""
        calls, before_in, before_out = self.counts.get((caller, model), (0, 0, 0))
        self.counts[caller, model] = (calls + 1, before_in + tokens_in, before_out + tokens_out)

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Count the prompt, and find nothing."""
        if self.plan.judging["judge"] == "llm":
            tokens = self.count(render(rubric, case, "0" * 16)) + self.count(json.dumps(schema_of(rubric)))
            self.add("judge", str(self.plan.judging["judge_model"]), tokens, VERDICT_TOKENS)
        return {field.name: field.choices[0] if field.choices else "" for field in rubric.fields}

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Count the texts; those of a row are taken to travel together."""
        embedder = str(self.plan.judging["embedder"])
        if embedder.startswith(BY_ENDPOINT):
            self.add("embedder", embedder.removeprefix(BY_ENDPOINT), sum(map(self.count, texts)), 0)
        return np.ones((len(texts), 1), dtype=np.float32)


def _merged(lines: Sequence[Expected]) -> list[Expected]:
    """Return one line for the judge and one for the embedder, whatever the spaces."""
    sums: dict[tuple[str, str, str], list[int]] = {}
    for line in lines:
        counts = sums.setdefault((line.caller, line.space, line.model), [0, 0, 0])
        counts[:] = [a + b for a, b in zip(counts, (line.calls, line.input, line.output), strict=True)]
    return [
        Expected(caller=caller, space=space, model=model, calls=calls, input=tokens_in, output=tokens_out)
        for (caller, space, model), (calls, tokens_in, tokens_out) in sorted(sums.items())
    ]


def _with_cost(line: Expected, price: Price | None) -> Expected:
    cost = price.of(line.input, 0, line.output) if price else None
    return Expected(**{**vars(line), "cost": cost})


def _seconds(lines: Sequence[Expected], plan: Plan, settings: Settings) -> float | None:
    """Return the time of the slowest kind of calls, as many of which go on at the same time as are allowed."""
    rounds = []
    for line in lines:
        if line.caller == "embedder":
            continue
        most = plan.spaces[line.space].concurrency if line.space else settings.judge_concurrency
        rounds.append(math.ceil(line.calls / max(1, min(most, settings.rows_at_once if line.space else most))))
    return (max(rounds) + 1) * SECONDS_A_CALL if rounds else None


def _basis(groups: dict[str, list[Entry]], plan: Plan, settings: Settings) -> list[str]:
    said = ["Tokens are those of cl100k_base, counted offline; another model's may differ by a quarter."]
    if any(len(entries) > SAMPLE for entries in groups.values()):
        said.append(f"Of each space {SAMPLE} questions were counted, the others are taken to be like them.")
    said.append(
        f"An answer is taken to be as long as the benchmark answers of its space, or {ANSWER_TOKENS} tokens where "
        f"there are none; a judge's reply {VERDICT_TOKENS} tokens; a passage {PASSAGE_TOKENS}."
    )
    if plan.judging["judge"] == "llm" and settings.judge_cache:
        said.append("Replies of the judge that are known already cost nothing: this is the most they may cost.")
    said.append(
        f"Calls are taken to last {SECONDS_A_CALL:g} s each, as many at once as the settings allow; none fails."
    )
    return said
