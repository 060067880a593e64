"""What an experiment will take before it is run: cells, calls, tokens, money."""

from collections.abc import Sequence
from typing import Any

from flags.niah import Spec, discover_tasks
from service.runs._cells import NiahPlan
from service.runs._shapes import Estimate
from service.runs._sorting import Entry, Spaces

_INSTRUCTIONS = 90
_A_QUESTION = 25
"""Tokens of the prompt beside the document: what every prompt has, and what each question adds (about)."""


def estimates(entries: Sequence[Entry], plan: NiahPlan, spaces: Spaces) -> tuple[Estimate, ...]:
    """Return what each assistant's cells will take; cells with an error are left out."""
    by_name: dict[str, list[Spec]] = {}
    for entry in entries:
        if entry.cell and not entry.refusal:
            by_name.setdefault(entry.space, []).append(entry.cell)
    return tuple(_estimate(name, cells, plan, spaces) for name, cells in by_name.items())


def _estimate(name: str, cells: Sequence[Spec], plan: NiahPlan, spaces: Spaces) -> Estimate:
    space = spaces.find(name)
    window = plan.window(space) if space else plan.windows.get(name)
    prompts = [spec.context_length + _beside(spec) for spec in cells]
    fitting = [tokens for tokens in prompts if window is None or tokens + plan.max_tokens <= window]
    answers = plan.max_tokens * len(fitting)
    return Estimate(
        assistant=name,
        cells=len(cells),
        skipped=len(cells) - len(fitting),
        prompt_tokens=sum(fitting),
        completion_tokens=answers,
        window=window,
        cost=_cost((sum(fitting), answers), plan.prices.get(name)),
    )


def _beside(spec: Spec) -> int:
    kind: Any = discover_tasks()[spec.task]
    asked = (spec.num_needles or kind.counts[1]) if spec.task == "m_rt" else 1
    return _INSTRUCTIONS + _A_QUESTION * asked


def _cost(tokens: tuple[int, int], prices: tuple[float | None, float | None] | None) -> float | None:
    if prices is None or None in prices:
        return None
    return sum(count * (price or 0.0) for count, price in zip(tokens, prices, strict=True)) / 1_000_000
