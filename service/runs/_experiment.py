"""An experiment before it is a run: read from a config, planned as a workbook, and single cells of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from flags import Tools
from flags.niah import PRESETS, Borrowed, Corpora, Experiment, NiahError, Score, Spec, Trial, check, make
from flags.niah import score as score_response
from service.errors import NiahConfigRefused, niah_problem


@dataclass(frozen=True, kw_only=True)
class Config:
    """An experiment as it was written, with its preset's fields filled in, and as it is understood."""

    written: Mapping[str, Any]
    experiment: Experiment

    @property
    def cells(self) -> int:
        """Return how many cells the experiment has."""
        return sum(1 for _ in self.experiment.specs())


def preset_config(name: str) -> dict[str, Any]:
    """Return the fields of a preset; raise `NiahConfigRefused` with the nearest name for one that is none."""
    import difflib

    if name in PRESETS:
        return {"preset": name, **PRESETS[name]}
    near = difflib.get_close_matches(name, PRESETS, n=1, cutoff=0.5)
    hint = f"Did you mean “{near[0]}”?" if near else f"The presets are {', '.join(PRESETS)}."
    raise NiahConfigRefused(problem=f"there is neither a file nor a preset “{name}”. {hint}")


def yaml_config(text: str) -> dict[str, Any]:
    """Return the fields of a YAML config; raise `NiahConfigRefused` with the line where it is no YAML."""
    import yaml

    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise NiahConfigRefused(problem=f"it is not YAML ({' '.join(str(error).split())}).") from None
    if not isinstance(found, dict):
        raise NiahConfigRefused(problem="an experiment is a mapping of fields to values.")
    plain: dict[str, Any] = _plain(found)
    return plain


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: YAML reads 2024-08-06, a version of a model, as a day."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value.isoformat() if isinstance(value, date) else value


def experiment_of(config: Mapping[str, Any], assistants: Sequence[str] = ()) -> Config:
    """Return the experiment of a config, over these assistants where some are named.

    Raise `NiahConfigRefused` with the field and what it accepts.
    """
    written = {name: value for name, value in config.items() if value is not None}
    if assistants:
        written["models"] = list(assistants)
    written = {**PRESETS.get(str(written.get("preset", "")), {}), **written}
    try:
        return Config(written=json.loads(json.dumps(written)), experiment=Experiment.of(written))
    except NiahError as error:
        raise NiahConfigRefused(problem=str(error)) from None
    except (TypeError, ValueError) as error:
        raise NiahConfigRefused(problem=f"it holds a value that JSON has not ({error}).") from None


def plan_experiment(config: Config) -> bytes:
    """Return the workbook of an experiment."""
    from service.workbook import plan_workbook

    return plan_workbook(config.written, config.experiment.specs())


def build_cell(spec: Spec, texts: Mapping[str, str]) -> Trial:
    """Return the document and question of one cell; `texts` are haystacks by name beside the synthetic one."""
    from service.llm import open_tokenizer

    try:
        return make(spec, Corpora(open_tokenizer(), texts))
    except NiahError as error:
        raise niah_problem(error) from None


def borrowed_of(tools: Tools) -> Borrowed:
    """Return what scorers may borrow: the embedder, and the judge where it is a language model."""
    is_model = tools.judge.name.startswith("llm")
    return Borrowed(embedder=tools.embedder, judge=tools.judge if is_model else None)


async def score_cell(spec: Spec, trial: Trial, response: str, tools: Tools | None = None) -> Score:
    """Return what a response is worth; question and expected answers of the trial are enough."""
    borrowed = borrowed_of(tools) if tools else Borrowed()
    try:
        check(spec)
        return await score_response(spec, trial, response, borrowed)
    except NiahError as error:
        raise niah_problem(error) from None
