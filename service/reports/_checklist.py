"""The methodology's checklist for publication, filled in from the experiment itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from service.reports._study import Study

_ENOUGH_TRIALS = 3


@dataclass(frozen=True, kw_only=True)
class Item:
    """A line of the checklist: whether it holds, and what it rests on."""

    item: str
    holds: bool
    found: str


def checklist(study: Study) -> tuple[Item, ...]:
    """Return the lines of the methodology's section 10."""
    return tuple(_items(study))


def _items(study: Study) -> Iterator[Item]:
    trials = _fewest_trials(study)
    yield _item("trials_per_cell ≥ 3", trials >= _ENOUGH_TRIALS, f"the fewest of any cell: {trials}")
    temperature = study.config.get("temperature", 0.0)
    yield _item("temperature = 0", temperature == 0, f"temperature {temperature}")
    yield _versions(study)
    yield _haystacks(study)
    templates = study.config.get("needles")
    told = "given in the config" if templates else "the tool's own, fixed by its version and the seed"
    yield _item("needle templates recorded", True, told)
    yield _item("full results, not only scores", True, "results.json and cells.csv beside this page")
    version = _told(study, "flagbook")
    yield _item("version of the tool recorded", bool(version), version or "not in the sheet Run")
    yield _item("config included", bool(study.config), "in results.json" if study.config else "no sheet Experiment")


def _versions(study: Study) -> Item:
    models = [model for model in study.config.get("models", []) if isinstance(model, dict)]
    versions = {str(model.get("name")): str(model.get("version", "")) for model in models}
    told = {name: versions.get(name, "") for name in study.assistants}
    missing = [name for name, version in told.items() if not version]
    found = "; ".join(f"{name}: {version or 'unknown'}" for name, version in told.items())
    return _item("exact model versions recorded", not missing, found)


def _haystacks(study: Study) -> Item:
    names = {outcome.spec.haystack for outcome in study.outcomes}
    hashes = {name: _told(study, name) for name in sorted(names)}
    missing = [name for name, told in hashes.items() if not told]
    found = "; ".join(f"{name}: {told or 'nothing recorded'}" for name, told in hashes.items())
    return _item("haystack source and hash recorded", not missing, found)


def _fewest_trials(study: Study) -> int:
    counts: dict[tuple[Any, ...], int] = {}
    for outcome in study.outcomes:
        spec = outcome.spec
        cell = (outcome.assistant, spec.task, spec.context_length, spec.depth, spec.num_needles, repr(spec.parameters))
        counts[cell] = counts.get(cell, 0) + 1
    return min(counts.values(), default=0)


def _told(study: Study, name: str) -> str:
    """Return what the sheet Run says beside a name."""
    return str(study.told.get(name, ""))


def _item(item: str, holds: bool, found: str) -> Item:
    return Item(item=item, holds=holds, found=found)
