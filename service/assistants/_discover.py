"""A public module of this package is a backend."""

import importlib
import pkgutil
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from service.assistants._assistant import Backend


def backends() -> tuple[str, ...]:
    """Return the names of all backends, in alphabetical order."""
    package = importlib.import_module("service.assistants")
    return tuple(sorted(found.name for found in pkgutil.iter_modules(package.__path__) if found.name[0] != "_"))


def backend_named(name: str) -> "type[Backend] | None":
    """Return the backend class of that name, None when there is no such module."""
    if name not in backends():
        return None
    module = importlib.import_module(f"service.assistants.{name}")
    return cast("type[Backend]", module.Backend)
