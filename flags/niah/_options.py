"""A frozen dataclass from a mapping a person wrote; unknown keys are refused and the nearest right one named."""

import dataclasses
import difflib
import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from flags.niah._errors import NiahError

T = TypeVar("T")


def nearest(name: str, known: Iterable[str], what: str, error: type[NiahError]) -> None:
    """Raise the error when a name is not among the known ones, and name the nearest."""
    known = sorted(known)
    if name in known:
        return
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"Did you mean “{near[0]}”?" if near else f"There are: {', '.join(known) or 'none'}."
    raise error(f"There is no {what} “{name}”. {hint}")


def fill(kind: type[T], given: Mapping[str, Any], where: str, error: type[NiahError]) -> T:
    """Return the dataclass with the given fields; raise `error` for an unknown key or a value of the wrong type."""
    if not isinstance(given, Mapping):
        raise error(f"{where} must be a mapping of names to values, not {given!r}.")
    hints = get_type_hints(kind)
    fields = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    values = {}
    for key, value in given.items():
        nearest(str(key), fields, f"field in {where}", error)
        values[key] = read(hints[key], value, f"{where}.{key}", error)
    try:
        return kind(**values)
    except TypeError as problem:
        required = [
            field.name
            for field in dataclasses.fields(kind)  # type: ignore[arg-type]
            if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        ]
        missing = [name for name in required if name not in values]
        raise error(f"{where} needs {', '.join(missing)}.") from problem


def read(hint: Any, value: Any, where: str, error: type[NiahError]) -> Any:
    """Return the value as its type asks, or raise the error with what is accepted."""
    if dataclasses.is_dataclass(hint):
        return fill(cast(type[Any], hint), value, where, error)
    found = _read(hint, value)
    if found is _WRONG:
        raise error(f"{where} must be {_says(hint)}, not {value!r}.")
    return found


_WRONG = object()


def _read(hint: Any, value: Any) -> Any:
    origin = get_origin(hint)
    if origin is Literal:
        return value if any(value == choice and type(value) is type(choice) for choice in get_args(hint)) else _WRONG
    if origin in (Union, types.UnionType):
        return next((found for part in get_args(hint) if (found := _read(part, value)) is not _WRONG), _WRONG)
    if origin is tuple:
        return _tuple(get_args(hint)[0], value)
    if origin is not None:
        return value if isinstance(value, Mapping) else _WRONG
    return _plain(hint, value)


def _plain(hint: Any, value: Any) -> Any:
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if hint is int and isinstance(value, bool):
        return _WRONG
    return value if isinstance(value, hint) else _WRONG


def _tuple(part: Any, value: Any) -> Any:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence):
        return _WRONG
    found = tuple(_read(part, each) for each in value)
    return _WRONG if any(each is _WRONG for each in found) else found


def _says(hint: Any) -> str:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return "one of " + ", ".join(f"“{part}”" for part in parts)
    if origin in (Union, types.UnionType):
        return " or ".join(_says(part) for part in parts)
    if origin is tuple:
        return f"a list, each {_says(parts[0])}"
    names = {int: "a whole number", float: "a number", str: "a text", bool: "true or false", type(None): "nothing"}
    return names.get(hint, "a mapping of names to values")
