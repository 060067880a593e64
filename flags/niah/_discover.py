"""A public module of this package is a task; its parameters are the fields of its dataclass."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import MappingProxyType
from typing import Any, cast

import flags.niah as package
from flags.niah._errors import SpecRefused
from flags.niah._options import fill, nearest
from flags.niah._task import Spec, Task


@cache
def discover_tasks() -> MappingProxyType[str, type[Task]]:
    """Return the class of every task by name."""
    return MappingProxyType(dict(_kinds()))


def _kinds() -> Iterator[tuple[str, type[Task]]]:
    for name in sorted(module.name for module in pkgutil.iter_modules(package.__path__)):
        if not name.startswith("_"):
            module = importlib.import_module(f"{package.__name__}.{name}")
            own = (
                kind for _, kind in inspect.getmembers(module, inspect.isclass) if kind.__module__ == module.__name__
            )
            yield name, cast(type[Task], next(kind for kind in own if hasattr(kind, "has_filler")))


def open_task(spec: Spec) -> Task:
    """Return the task of a cell with its parameters; raise `SpecRefused` for one that does not exist."""
    kinds = discover_tasks()
    nearest(spec.task, kinds, "task", SpecRefused)
    kind: Any = kinds[spec.task]
    task: Task = fill(kind, spec.parameters, f"parameters of {spec.task}", SpecRefused)
    return task
