"""What a run was started with, kept with it so that a restart asks and judges with the same settings."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from flags import Flag, FlagsMisconfigured, discover
from service.assistants import Space, calls_of
from service.errors import OptionsRefused, PriceUnknown
from service.llm import BY_ENDPOINT
from service.runs._cells import NiahPlan, adapted
from service.runs._prices import Prices, load_prices
from service.runs._shapes import RunOptions
from service.settings import Settings

FlagSettings = Mapping[str, Mapping[str, Any]]

JUDGED_WITH = (
    "judge",
    "judge_model",
    "judge_base_url",
    "judge_api_key_env",
    "judge_window_tokens",
    "judge_cache",
    "judge_thorough",
    "embedder",
    "embedder_base_url",
    "embedder_api_key_env",
    "nli_model",
)
"""Fields of the process's settings that decide how answers are judged; keys are named, never held."""

NO_SPACE = ""
"""Under this name stand the flags' settings for rows whose space does not exist."""


class Audit(BaseModel):
    """How many rows that no flag found are drawn for a look: `percent` of them, but `least` to `most`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    percent: float = 0.0
    least: int = 0
    most: int = 0


class Plan(BaseModel):
    """The snapshot of a run: its spaces by name, the flags' settings by space, and what judges.

    `ask` is False when nothing is asked and given answers are judged. `prices` are those of its models, as far as they
    were known; what the spaces `unseen` cost nobody here can tell. `niah` says how the cells of an experiment are.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ask: bool
    spaces: dict[str, Space]
    flags: dict[str, dict[str, dict[str, Any]]]
    judging: dict[str, Any]
    prices: Prices = Prices()
    unseen: tuple[str, ...] = ()
    niah: NiahPlan | None = None
    audit: Audit = Audit()
    approved: Literal["tell", "clear"] = "tell"

    def flags_of(self, space: str) -> dict[str, Flag]:
        """Return the flags with the settings of a space."""
        return discover(self.flags.get(space, self.flags[NO_SPACE]))


def make_plan(
    spaces: Iterable[Space], options: RunOptions, settings: Settings, *, ask: bool, niah: NiahPlan | None = None
) -> Plan:
    """Return the snapshot for a run over these spaces; raise `OptionsRefused` for flags that do not exist.

    Settings of flags: the process's first, over them the space's, over them the run's.
    """
    _check_trials(options, ask, niah)
    snapshot = {space.name: adapted(space, niah) if niah else space for space in spaces}
    own: dict[str, FlagSettings] = {NO_SPACE: {}, **{name: space.flags for name, space in snapshot.items()}}
    flags = {name: _merged(settings.flags, theirs, _chosen(options)) for name, theirs in own.items()}
    for each in flags.values():
        _check(each)
    audit = Audit(percent=settings.audit_percent, least=settings.audit_least, most=settings.audit_most)
    plan = Plan(ask=ask, spaces=snapshot, flags=flags, judging=_judging(settings, options), niah=niah)
    plan = plan.model_copy(update={"audit": audit, "approved": settings.approved})
    return priced(plan, load_prices(settings.prices), options.max_cost)


def priced(plan: Plan, prices: Prices, limit: float | None) -> Plan:
    """Return the plan with the prices of its models; raise `PriceUnknown` when its cost is limited but not known."""
    models, unseen = models_of(plan)
    known = prices.only(models)
    unknown = [model for model in models if model not in known.models]
    if limit is not None and (unknown or unseen):
        raise PriceUnknown(models=", ".join([*unknown, *(f"those behind the space {name}" for name in unseen)]))
    return plan.model_copy(update={"prices": known, "unseen": unseen})


def models_of(plan: Plan) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the models a run calls, and the spaces of which flagbook does not see what they call."""
    models: dict[str, None] = {}
    unseen = []
    for name, space in plan.spaces.items() if plan.ask else ():
        calls = calls_of(space, "")
        if calls is None:
            unseen.append(name)
        models.update(dict.fromkeys(call.model for call in calls or ()))
    if plan.judging.get("judge") == "llm":
        models[str(plan.judging["judge_model"])] = None
    embedder = str(plan.judging.get("embedder", ""))
    if embedder.startswith(BY_ENDPOINT):
        models[embedder.removeprefix(BY_ENDPOINT)] = None
    return tuple(models), tuple(unseen)


def _check_trials(options: RunOptions, ask: bool, niah: NiahPlan | None) -> None:
    if options.trials == 1:
        return
    if not ask:
        raise OptionsRefused(option="trials", problem="nothing is asked here, so that there is nothing to repeat.")
    if niah:
        raise OptionsRefused(option="trials", problem="the workbook of an experiment says how often a cell is asked.")


def _chosen(options: RunOptions) -> FlagSettings:
    if options.counts is None:
        return options.flags
    return _merged(options.flags, {"final": {"counts": list(options.counts)}})


def _merged(*layers: FlagSettings) -> dict[str, dict[str, Any]]:
    merged: dict[str, dict[str, Any]] = {}
    for layer in layers:
        for flag, settings in layer.items():
            merged[flag] = {**merged.get(flag, {}), **settings}
    return merged


def _check(settings: FlagSettings) -> None:
    try:
        discover(settings)
    except FlagsMisconfigured as error:
        raise OptionsRefused(option="flags", problem=str(error)) from None


def _judging(settings: Settings, options: RunOptions) -> dict[str, Any]:
    judging = settings.model_dump(mode="json", include=set(JUDGED_WITH))
    kind = options.judge or settings.judge
    if kind == "auto":
        kind = "llm" if os.environ.get(settings.judge_api_key_env) else "local"
    if options.thorough is not None:
        judging["judge_thorough"] = options.thorough
    return {**judging, "judge": kind}
