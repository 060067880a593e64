"""What an experiment needs beside its cells, kept with the run, and cells as they are stored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from flags.niah import SYNTHETIC, NiahError, Spec, discover_tasks
from flags.niah import Experiment as Config
from service.assistants import Space
from service.errors import NiahConfigRefused, NiahHaystackUnknown
from service.runs._shapes import Remark
from service.runs._sorting import Entry
from service.store import RunRecord
from service.workbook import Reading

_PROMPTED = frozenset({"openai"})
"""Backends whose options take temperature, length of the answer and time-out."""


class NiahPlan(BaseModel):
    """How the cells of a run are asked; `windows` in tokens, `versions` and prices by assistant.

    Prices are (input, output) for a million tokens, `corpora` are name → sha256.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float = 0.0
    max_tokens: int = 512
    timeout_seconds: float = 120.0
    concurrency: int = 4
    windows: dict[str, int] = {}
    versions: dict[str, str] = {}
    prices: dict[str, tuple[float | None, float | None]] = {}
    corpora: dict[str, str] = {}
    config: dict[str, Any] = {}
    cache: bool = False

    def window(self, space: Space) -> int | None:
        """Return how many tokens prompt and answer may have together: the config's word goes before the space's."""
        return self.windows.get(space.name, space.context_window)


def niah_plan(reading: Reading, corpora: Mapping[str, str], *, cache: bool = False) -> NiahPlan:
    """Return how an experiment is asked; raise `NiahConfigRefused` for a sheet `Experiment` that cannot be honoured.

    `corpora` are those the company has, name → sha256; those the cells name are kept.
    """
    assert reading.niah is not None, "the workbook is no experiment"
    config = dict(reading.niah.config)
    used = {spec.haystack for spec in reading.niah.cells.values() if spec.haystack in corpora}
    kept = {"corpora": {name: corpora[name] for name in sorted(used)}, "cache": cache}
    if not config:
        return NiahPlan(**kept)
    try:
        found = Config.of(config)
    except NiahError as error:
        raise NiahConfigRefused(problem=f"sheet “Experiment”: {error}") from None
    models = found.models
    return NiahPlan(
        temperature=found.temperature,
        max_tokens=found.max_tokens,
        timeout_seconds=found.timeout_seconds,
        concurrency=found.concurrency,
        windows={model.name: model.context_window for model in models if model.context_window},
        versions={model.name: model.version for model in models if model.version},
        prices={model.name: (model.input_price, model.output_price) for model in models},
        config=config,
        **kept,
    )


def adapted(space: Space, plan: NiahPlan) -> Space:
    """Return a space as an experiment asks it: with the config's options, and without documents of its own.

    What the space sets to null is not sent (the endpoint knows no such field), and a model that counts
    `max_completion_tokens` is given that instead of `max_tokens`.
    """
    if space.backend not in _PROMPTED:
        return space
    own = dict(space.settings.get("options", {}))
    length = "max_completion_tokens" if "max_completion_tokens" in own else "max_tokens"
    wanted = {"temperature": plan.temperature, length: plan.max_tokens, "timeout_s": plan.timeout_seconds}
    merged = {**own, **{name: value for name, value in wanted.items() if own.get(name, value) is not None}}
    options = {name: value for name, value in merged.items() if value is not None}
    settings = {name: value for name, value in space.settings.items() if name not in ("documents", "modules")}
    return space.model_copy(update={"settings": {**settings, "options": options}})


def refuse_haystacks(entries: Sequence[Entry], column: str, corpora: Iterable[str]) -> list[Entry]:
    """Return the entries with a refusal for each cell whose haystack nobody has imported; `column` is its letter."""
    known = {SYNTHETIC, *corpora}
    return [entry if _is_known(entry, known) else _refused(entry, f"{column}{entry.number}") for entry in entries]


def _is_known(entry: Entry, known: set[str]) -> bool:
    spec = entry.cell
    return bool(entry.refusal) or spec is None or spec.haystack in known or not discover_tasks()[spec.task].has_filler


def _refused(entry: Entry, cell: str) -> Entry:
    name = entry.cell.haystack if entry.cell else ""
    error = NiahHaystackUnknown(cell=cell, problem=f"There is no corpus “{name}”.")
    return replace(entry, refusal=Remark(code=error.code, message=error.message, cell=cell, row=entry.number))


def is_experiment(run: RunRecord) -> bool:
    """Tell whether a run asks the cells of an experiment."""
    return bool(run.plan.get("niah"))


def spec_to_json(spec: Spec) -> dict[str, Any]:
    """Return a cell as plain JSON."""
    return {**asdict(spec), "parameters": dict(spec.parameters)}


def spec_from_json(stored: Mapping[str, Any]) -> Spec:
    """Return the cell that was stored."""
    return Spec(**stored)


def title_of(spec: Spec) -> str:
    """Return a cell in a few words, for lists of rows."""
    return f"{spec.task}, {spec.context_length:,} tokens, {100 * spec.depth:g} %, trial {spec.trial + 1}"
