"""A public module of this package is a flag; its settings are the fields of its dataclass."""

import dataclasses
import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, get_type_hints

import flags as package
from flags._errors import FlagsMisconfigured
from flags._flag import Flag, Settings

_NOTHING: Settings = MappingProxyType({})


def discover(settings: Settings = _NOTHING) -> dict[str, Flag]:
    """Return every flag by name, `final` last, with the settings given for it.

    Raises `FlagsMisconfigured` for a flag or setting that does not exist, naming the nearest that does, and for a
    value of the wrong type.
    """
    kinds = dict(_kinds())
    for name in settings:
        _known(name, kinds, "flag", "")
    found = {name: _with_settings(name, kind, settings.get(name) or {}) for name, kind in kinds.items()}
    for name in getattr(found["final"], "counts", None) or ():
        _known(name, [other for other in kinds if other != "final"], "flag", " in final.counts")
    return found


def _kinds() -> Iterator[tuple[str, type[Any]]]:
    names = [module.name for module in pkgutil.iter_modules(package.__path__) if not module.ispkg]
    for name in sorted((name for name in names if not name.startswith("_")), key=lambda name: (name == "final", name)):
        module = importlib.import_module(f"{package.__name__}.{name}")
        own = (kind for _, kind in inspect.getmembers(module, inspect.isclass) if kind.__module__ == module.__name__)
        yield name, next(kind for kind in own if hasattr(kind, "needs"))


def _known(name: str, known: Iterable[str], what: str, where: str) -> None:
    known = sorted(known)
    if name in known:
        return
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"Did you mean “{near[0]}”?" if near else f"There are: {', '.join(known) or 'none'}."
    raise FlagsMisconfigured(f"There is no {what} “{name}”{where}. {hint}")


def _with_settings(name: str, kind: type[Any], settings: Mapping[str, Any]) -> Flag:
    hints = get_type_hints(kind)
    fields = [field.name for field in dataclasses.fields(kind)]
    for setting in settings:
        _known(setting, fields, "setting", f" of the flag “{name}”")
    flag: Flag = kind(**{key: _value(f"{name}.{key}", hints[key], value) for key, value in settings.items()})
    return flag


def _value(setting: str, hint: Any, value: Any) -> Any:
    says, accepts = _TYPES[hint]
    if not accepts(value):
        raise FlagsMisconfigured(f"{setting} is {says}, not {value!r}.")
    return tuple(value) if isinstance(value, list) else value


def _is_names(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)


_TYPES: Mapping[Any, tuple[str, Callable[[Any], bool]]] = {
    bool: ("true or false", lambda value: isinstance(value, bool)),
    float: ("a number", lambda value: isinstance(value, int | float) and not isinstance(value, bool)),
    tuple[str, ...] | None: ("a list of names", lambda value: value is None or _is_names(value)),
}
"""What a setting's type accepts; a flag with a setting of another type adds its line."""
