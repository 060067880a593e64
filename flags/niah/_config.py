"""An experiment as a person writes it: every field is honoured or refused."""

import dataclasses
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal

from flags.niah._corpora import SYNTHETIC
from flags.niah._depths import COLLAPSED
from flags.niah._discover import discover_tasks, open_task
from flags.niah._errors import ConfigRefused, SpecRefused
from flags.niah._facts import NeedleSource
from flags.niah._options import fill, nearest, read
from flags.niah._presets import PRESETS
from flags.niah._run import LONGEST
from flags.niah._scorers import Scorer
from flags.niah._task import Distribution, Spec, Task

_SHORTEST = 100


@dataclass(frozen=True, kw_only=True)
class Model:
    """An assistant under test: its name, and what is known of it. Prices are for a million tokens."""

    name: str
    context_window: int | None = None
    input_price: float | None = None
    output_price: float | None = None
    version: str = ""


@dataclass(frozen=True, kw_only=True)
class Haystack:
    """Where filler comes from; a corpus is imported under its name. `pad` allows it to be repeated."""

    source: Literal["synthetic", "corpus", "wikipedia", "arxiv"] = "synthetic"
    name: str = ""
    language: str = "en"
    seed: int = 0
    count: int = 20
    pad: bool = False

    @property
    def key(self) -> str:
        """Return the name under which cells ask for the haystack."""
        fetched = {"wikipedia": f"wikipedia-{self.language}-{self.seed}-{self.count}", "arxiv": f"arxiv-{self.count}"}
        return self.name or fetched.get(self.source, SYNTHETIC)


@dataclass(frozen=True, kw_only=True)
class TaskPlan:
    """One task of an experiment; what it does not say is taken from the experiment, then from the task."""

    task: str
    context_lengths: tuple[int, ...] = ()
    depth_percents: tuple[float, ...] = ()
    num_needles: tuple[int, ...] | int = ()
    distribution: Distribution | Literal[""] = ""
    trials_per_cell: int = 0
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the numbers of needles, also where only one was written."""
        return (self.num_needles,) if isinstance(self.num_needles, int) else self.num_needles


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """An experiment: models × tasks × numbers of needles × lengths × depths × trials."""

    name: str = "needle in a haystack"
    description: str = ""
    preset: str = ""
    models: tuple[Model, ...] = ()
    tasks: tuple[TaskPlan, ...] = ()
    context_lengths: tuple[int, ...] = ()
    depth_percents: tuple[float, ...] = ()
    num_needles: tuple[int, ...] | int = ()
    distribution: Distribution | Literal[""] = ""
    trials_per_cell: int = 1
    seed: int = 42
    temperature: float = 0.0
    max_tokens: int = 512
    timeout_seconds: float = 120.0
    concurrency: int = 4
    haystack: Haystack = field(default_factory=Haystack)
    needles: NeedleSource | None = None
    scorer: Scorer | Literal[""] = ""
    literal: bool = False

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> "Experiment":
        """Return the experiment of a parsed config; raise `ConfigRefused` with the field and what it accepts.

        A preset's fields are taken where the config gives none. A model, task or haystack may be written as its name.
        """
        if not isinstance(config, Mapping):
            raise ConfigRefused("An experiment is a mapping of fields to values.")
        given = {key: value for key, value in config.items() if value is not None}
        preset = str(given.get("preset", ""))
        nearest(preset, ["", *PRESETS], "preset", ConfigRefused)
        whole = {**PRESETS.get(preset, {}), **given}
        parts: dict[str, Any] = {
            "models": tuple(_named(Model, "name", each, "models") for each in _list(whole, "models")),
            "tasks": tuple(_named(TaskPlan, "task", each, "tasks") for each in _list(whole, "tasks")),
            "haystack": _haystack(whole.get("haystack", SYNTHETIC)),
        }
        try:
            needles = fill(NeedleSource, whole["needles"], "needles", ConfigRefused) if "needles" in whole else None
            rest = {key: value for key, value in whole.items() if key not in (*parts, "needles")}
            found = dataclasses.replace(fill(cls, rest, "the experiment", ConfigRefused), needles=needles, **parts)
            found._check()
        except SpecRefused as problem:
            raise ConfigRefused(str(problem)) from problem
        return found

    def specs(self) -> Iterator[tuple[str, Spec]]:
        """Yield (assistant, cell) in a fixed order; every assistant gets the same cells."""
        for model, plan in product(self.models, self.tasks):
            for spec in self._cells(plan):
                yield model.name, spec

    def _cells(self, plan: TaskPlan) -> Iterator[Spec]:
        kind = discover_tasks()[plan.task]
        distribution = plan.distribution or self.distribution
        for count in self._counts(plan, kind):
            depths = _depths(kind, count, distribution, plan.depth_percents or self.depth_percents)
            trials = range(plan.trials_per_cell or self.trials_per_cell)
            for length, depth, trial in product(plan.context_lengths or self.context_lengths, depths, trials):
                yield Spec(
                    task=plan.task, context_length=length, depth=depth, num_needles=count,
                    distribution=distribution if kind.distribution else "", haystack=self.haystack.key,
                    seed=self.seed, trial=trial, parameters=self._parameters(plan, kind),
                )  # fmt: skip

    def _counts(self, plan: TaskPlan, kind: type[Task]) -> tuple[int | None, ...]:
        least, _, most = kind.counts
        own = (self.num_needles,) if isinstance(self.num_needles, int) else self.num_needles
        counts = plan.counts or (own if least < most else ())
        for count in counts:
            if not least <= count <= most:
                wanted = f"{least}" if least == most else f"{least} to {most}"
                raise SpecRefused(f"The task {plan.task} takes {wanted} needles, not {count}. Change num_needles.")
        return counts if least < most and counts else (None,)

    def _parameters(self, plan: TaskPlan, kind: type[Task]) -> dict[str, Any]:
        fields = {each.name for each in dataclasses.fields(kind)}  # type: ignore[arg-type]
        found: dict[str, Any] = {"scorer": self.scorer, "literal": self.literal, "pad": self.haystack.pad}
        if self.needles:
            found["needles"] = _said(self.needles)
        kept = {name: value for name, value in found.items() if value and name in fields}
        return {**kept, **plan.parameters}

    def _check(self) -> None:
        for name in ("models", "tasks", "context_lengths", "depth_percents"):
            if not getattr(self, name):
                raise ConfigRefused(f"`{name}` must name at least one; a preset sets tasks, lengths and depths.")
        if len({model.name for model in self.models}) < len(self.models):
            raise ConfigRefused("`models` names an assistant twice.")
        _check_ranges(self)
        for plan in self.tasks:
            nearest(plan.task, discover_tasks(), "task", ConfigRefused)
            _check_ranges(plan)
            open_task(next(self._cells(plan)))
        named = any(_takes_needles(plan) for plan in self.tasks)
        if self.needles and not named:
            raise ConfigRefused("`needles` is read by the tasks s_rt and m_rt only, and neither is among the tasks.")


def _takes_needles(plan: TaskPlan) -> bool:
    return "needles" in {each.name for each in dataclasses.fields(discover_tasks()[plan.task])}  # type: ignore[arg-type]


def _depths(kind: type[Task], count: int | None, distribution: str, percents: tuple[float, ...]) -> tuple[float, ...]:
    strategy = distribution or kind.distribution
    has_several = (count or kind.counts[1]) > 1
    if kind.distribution is None or (has_several and strategy in COLLAPSED and not kind.is_swept):
        return (0.5,)
    return tuple(dict.fromkeys(round(percent / 100, 6) for percent in percents))


def _check_ranges(given: Experiment | TaskPlan) -> None:
    whole = isinstance(given, Experiment)
    limits = {
        "context_lengths": (_SHORTEST, LONGEST),
        "depth_percents": (0, 100),
        "trials_per_cell": (1 if whole else 0, 1000),
        "temperature": (0, 2),
        "max_tokens": (1, 1_000_000),
        "timeout_seconds": (0.1, 86_400),
        "concurrency": (1, 1000),
    }
    for name, (low, high) in limits.items():
        values = getattr(given, name, ())
        for value in values if isinstance(values, tuple) else (values,):
            if not low <= value <= high:
                raise ConfigRefused(f"`{name}` must lie between {low:g} and {high:g}, not {value:g}.")
        if isinstance(values, tuple) and len(set(values)) < len(values):
            raise ConfigRefused(f"`{name}` names a value twice.")


def _list(whole: Mapping[str, Any], name: str) -> list[Any]:
    found = whole.get(name, [])
    if isinstance(found, str | Mapping):
        return [found]
    if not isinstance(found, list | tuple):
        raise ConfigRefused(f"`{name}` must be a list, not {found!r}.")
    return list(found)


def _named(kind: type[Any], key: str, given: Any, where: str) -> Any:
    if isinstance(given, Mapping) and len(given) == 1 and isinstance(next(iter(given.values())), Mapping):
        # `- m_rt: {num_needles: [2, 4]}` means the same as `- task: m_rt` with its fields beside it
        ((name, fields),) = given.items()
        given = {key: name, **fields}
    found = {key: given} if isinstance(given, str) else given
    if kind is TaskPlan and isinstance(found, Mapping) and isinstance(found.get("task"), str):
        # the methodology writes S-RT and Key-Value
        found = {**found, "task": re.sub(r"[\s-]+", "_", found["task"].strip().lower())}
    return fill(kind, found, where, ConfigRefused)


def _haystack(given: Any) -> Haystack:
    if isinstance(given, str):
        given = {"source": given} if given in (SYNTHETIC, "wikipedia", "arxiv") else {"source": "corpus", "name": given}
    found = read(Haystack, given, "haystack", ConfigRefused)
    if found.source == "corpus" and not found.name:
        raise ConfigRefused("A haystack of source corpus needs the `name` under which it was imported.")
    if found.source == SYNTHETIC and found.name:
        raise ConfigRefused("A synthetic haystack has no `name`; did you mean source: corpus?")
    checked: Haystack = found
    return checked


def _said(needles: NeedleSource) -> dict[str, Any]:
    """Return what differs from the defaults, as JSON has it."""
    default = NeedleSource()
    fields = (each.name for each in dataclasses.fields(NeedleSource))
    found = {name: getattr(needles, name) for name in fields if getattr(needles, name) != getattr(default, name)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}
