"""How often the flags are right, measured on answers that people have labelled.

`python -m benchmarks.accuracy FILE.jsonl --judge local|llm [--json]` reads items `{question, reference, answer,
sources, origin, label_contradiction, label_extent, label_hallucination, label_relation, label_equivalent}` (null or
absent: not labelled), judges each as a run would, and prints per label and origin `n, auc, false_alarm, miss,
precision, recall, kappa` with 95 % intervals, beside the plain rule “similarity below 0.92” (`plain`).

What deviates is positive: `false_alarm` is the share of good answers that are flagged, `miss` that of deviating ones
that are not. Under `all` counts are added up; `auc` is the mean of the AUCs within an origin, since a pooled one
measures differences between data sets. `not_judged` counts items the judge failed on or had nothing to judge by;
they are in no other figure.

Some weights of the local judge were fitted on public data sets. Their origins are measured with weights fitted anew on
the others in the file, all else with the weights as they are; `--fit` prints weights fitted to all items of a file.

The llm judge and the embedder are those of the service's settings (`FLAGBOOK_…`).
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from benchmarks._figures import Seen, figures, overall
from benchmarks._fit import blends, fitted, measured
from benchmarks._labelled import LABELS, Item, read_items
from flags import Case, Embedder, Entailment, LocalJudge, Tools, Verdict, discover, evaluate
from flags._equivalence import differs
from flags._local._score import FITTED_ON, Blend
from service.errors import ServiceError
from service.llm import Endpoints, open_embedder, open_endpoints, open_entailment, open_judge
from service.settings import JudgeKind, Settings

_AT_ONCE = 32
"""So many items are judged at the same time, so that their sentences are embedded together."""
_PLAIN = "embedding"
_ASKED: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for name in LABELS},
    "equivalent": ("contradiction", "extent"),
}
"""The flags of which one must be TRUE where a person says that something deviates."""
_COLUMNS = ("auc", "false_alarm", "miss", "precision", "recall", "kappa")

Verdicts = Mapping[str, Verdict]


@dataclass(frozen=True, kw_only=True)
class _Equivalent:
    """TRUE when the answer does not say what the reference says."""

    needs: ClassVar[tuple[str, ...]] = ()

    async def __call__(self, case: Case, tools: Tools) -> Verdict:
        return await differs(case, tools)


async def judge_locally(
    items: Sequence[Item], embedder: Embedder, entailment: Entailment | None = None
) -> tuple[list[Verdicts], list[str]]:
    """Return the verdicts of the local judge, and the origins whose weights could not be fitted without them.

    Each origin is judged with weights that never saw it.
    """
    origins = sorted({item.origin for item in items})
    chosen = blends(await measured(items, embedder) if set(origins) & set(FITTED_ON) else (), origins)
    judges = {origin: LocalJudge(embedder, chosen.get(origin), entailment=entailment) for origin in origins}
    parts = {
        origin: iter(
            await judge([item for item in items if item.origin == origin], Tools(judge=one, embedder=embedder))
        )
        for origin, one in judges.items()
    }
    return [next(parts[item.origin]) for item in items], [origin for origin in origins if origin not in chosen]


def _of(origin: str, items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.origin == origin]


async def judge(items: Sequence[Item], tools: Tools) -> list[Verdicts]:
    """Return the verdicts of the flags that the labels of each item are about, and of plain similarity."""
    flags, free = {**discover(), "equivalent": _Equivalent()}, asyncio.Semaphore(_AT_ONCE)

    async def one(item: Item) -> Verdicts:
        wanted = {_PLAIN, *item.deviates}
        async with free:
            return await evaluate(item.case, {name: flags[name] for name in sorted(wanted)}, tools)

    return list(await asyncio.gather(*map(one, items)))


def report(items: Sequence[Item], judged: Sequence[Verdicts]) -> dict[str, Any]:
    """Return label → origin or `all` → figures."""
    return {label: _label(label, items, judged) for label in LABELS if any(label in item.deviates for item in items)}


def _label(label: str, items: Sequence[Item], judged: Sequence[Verdicts]) -> dict[str, Any]:
    by_flag: dict[str, list[Seen]] = {}
    by_rule: dict[str, list[Seen]] = {}
    missing: dict[str, int] = {}
    for item, verdicts in zip(items, judged, strict=True):
        if label in item.deviates:
            seen = list(_seen(item.deviates[label], verdicts[label]))
            by_flag.setdefault(item.origin, []).extend(seen)
            by_rule.setdefault(item.origin, []).extend(_seen(item.deviates[label], _turned(verdicts[_PLAIN])))
            missing[item.origin] = missing.get(item.origin, 0) + (not seen)
    return {
        "all": {**overall(by_flag), "not_judged": sum(missing.values()), "plain": overall(by_rule)},
        **{
            origin: {**figures(by_flag[origin]), "not_judged": missing[origin], "plain": figures(by_rule[origin])}
            for origin in by_flag
        },
    }


def _seen(deviates: bool, verdict: Verdict) -> Iterator[Seen]:
    """Yield what the flag says, nothing where it could not be given."""
    if verdict.status == "given":
        yield Seen(deviates, bool(verdict.value), verdict.score)


def _turned(similarity: Verdict) -> Verdict:
    """Return the similarity so that more means a greater deviation."""
    if similarity.score is None:
        return similarity
    return Verdict.given(bool(similarity.value), score=-similarity.score)


@asynccontextmanager
async def opened() -> AsyncIterator[tuple[Settings, Embedder, Endpoints]]:
    """Open the embedder and the endpoints of the service's settings."""
    settings = Settings()
    endpoints = open_endpoints(settings)
    embedder = open_embedder(settings, endpoints)
    try:
        yield settings, embedder, endpoints
    finally:
        await embedder.aclose()
        await endpoints.aclose()


async def measure(path: Path, kind: JudgeKind) -> tuple[dict[str, Any], list[str]]:
    """Judge the items of a file; return the figures, and the origins whose weights saw them."""
    items = read_items(path)
    async with opened() as (settings, embedder, endpoints):
        if kind == "local":
            judged, known = await judge_locally(items, embedder, open_entailment(settings.nli_model))
            return report(items, judged), known
        asked = Tools(judge=open_judge(settings, embedder, endpoints, kind), embedder=embedder)
        return report(items, await judge(items, asked)), []


async def fit(path: Path) -> Blend:
    """Return weights fitted to all items of a file."""
    async with opened() as (_, embedder, _):
        return fitted(await measured(read_items(path), embedder))


def table(found: Mapping[str, Any]) -> str:
    """Return the figures for a terminal, with the plain rule in brackets and the intervals below."""
    lines = []
    for label, by_origin in found.items():
        lines += [f"\n{label}", f"{'':22}{'n':>6}" + "".join(f"{name:>15}" for name in _COLUMNS)]
        for origin, told in by_origin.items():
            pairs = [f"{_number(told[name])} ({_number(told['plain'][name])})" for name in _COLUMNS]
            lines.append(f"{origin[:21]:22}{told['n']:>6}" + "".join(f"{pair:>15}" for pair in pairs))
            spans = ["–".join(map(_number, told["intervals"].get(name, ()))) for name in _COLUMNS]
            lines.append(f"{'':28}" + "".join(f"{span:>15}" for span in spans))
    return "\n".join([*lines, "\nIn brackets the rule “similarity below 0.92”; below each figure its 95 % interval."])


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}".replace("0.", ".")


def main() -> None:
    """Read the options, measure, print."""
    parser = argparse.ArgumentParser(description="How often the flags are right on labelled answers.")
    parser.add_argument("file", type=Path, help="labelled items, one JSON object a line")
    parser.add_argument("--judge", choices=("local", "llm"), default="local")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--fit", action="store_true", help="print weights fitted to all items, and nothing else")
    options = parser.parse_args()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    try:
        if options.fit:
            print(json.dumps(asdict(asyncio.run(fit(options.file)))))
            return
        found, known = asyncio.run(measure(options.file, options.judge))
    except (OSError, ValueError, ServiceError) as problem:
        sys.exit(f"{problem}")
    if known:
        print(f"The weights of the local judge were fitted on these very answers: {', '.join(known)}.", file=sys.stderr)
    print(json.dumps(found) if options.json else table(found))


if __name__ == "__main__":
    main()
