"""A finished experiment as reports see it: what was planned, what was told of the run, and every cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flags.niah import Aggregate, Outcome, aggregate, discover_tasks


@dataclass(frozen=True, kw_only=True)
class Study:
    """An experiment with its result.

    `config` is the experiment as it was written, `told` what the run recorded (version, models, hashes), `cells` a
    mapping a cell with the columns of the sheet `NIAH`, in its order.
    """

    config: Mapping[str, Any]
    told: Mapping[str, Any]
    cells: Sequence[Mapping[str, Any]]
    outcomes: Sequence[Outcome]

    @property
    def name(self) -> str:
        """Return what the experiment is called."""
        return str(self.config.get("name") or "Needle in a haystack")

    @cached_property
    def aggregates(self) -> tuple[Aggregate, ...]:
        """Return the figures of each assistant and task."""
        return aggregate(self.outcomes)

    @cached_property
    def assistants(self) -> tuple[str, ...]:
        """Return the assistants in the order of the experiment."""
        return tuple(dict.fromkeys(found.assistant for found in self.aggregates))

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        """Return the tasks in the order of the experiment."""
        return tuple(dict.fromkeys(found.task for found in self.aggregates))

    def of_task(self, task: str) -> tuple[Aggregate, ...]:
        """Return each assistant's figures on a task."""
        return tuple(found for found in self.aggregates if found.task == task)


def title(task: str) -> str:
    """Return a task's name as the methodology writes it."""
    return discover_tasks()[task].title
