"""Needles from a Jinja2 template whose variables are drawn by generators."""

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from jinja2 import StrictUndefined, TemplateError, nodes
from jinja2.sandbox import SandboxedEnvironment

from flags.niah import _entities
from flags.niah._errors import SpecRefused
from flags.niah._options import nearest

Generator = Callable[[random.Random, Mapping[str, Any]], str]


def _wordlist(rng: random.Random, options: Mapping[str, Any]) -> str:
    return str(rng.choice(options["values"]))


def _hex(rng: random.Random, options: Mapping[str, Any]) -> str:
    return "".join(rng.choice("0123456789abcdef") for _ in range(options["length"]))


def _digits(rng: random.Random, options: Mapping[str, Any]) -> str:
    return "".join(rng.choice("0123456789") for _ in range(options["length"]))


def _int(rng: random.Random, options: Mapping[str, Any]) -> str:
    return str(rng.randint(options["min"], options["max"]))


def _float(rng: random.Random, options: Mapping[str, Any]) -> str:
    return f"{rng.uniform(options['min'], options['max']):.{options['decimals']}f}"


def _code(rng: random.Random, options: Mapping[str, Any]) -> str:
    return _entities.code(rng)


def _entity(rng: random.Random, options: Mapping[str, Any]) -> str:
    return _entities.entity(rng, set())


def _attribute(rng: random.Random, options: Mapping[str, Any]) -> str:
    return rng.choice(_entities.ATTRIBUTES)


def _constant(rng: random.Random, options: Mapping[str, Any]) -> str:
    return str(options["value"])


GENERATORS: Mapping[str, tuple[Generator, Mapping[str, Any]]] = {
    "wordlist": (_wordlist, {"values": None}),
    "random_hex": (_hex, {"length": 8}),
    "random_digits": (_digits, {"length": 6}),
    "random_int": (_int, {"min": 100, "max": 9999}),
    "random_float": (_float, {"min": 1.0, "max": 999.0, "decimals": 2}),
    "random_code": (_code, {}),
    "entity": (_entity, {}),
    "attribute": (_attribute, {}),
    "constant": (_constant, {"value": None}),
}
"""Each generator with its options and their defaults; None must be given."""


_FILTERS = ("upper", "lower", "title", "capitalize")


def render(template: str, values: Mapping[str, str]) -> str:
    """Return the template filled in."""
    return _environment().from_string(template).render(values)


def variables(template: str) -> tuple[str, ...]:
    """Return the names a template uses, in the order of their first use.

    Raise `SpecRefused` when it is broken, or does more than name variables and change their case: templates come
    with uploaded workbooks, and an expression could ask for any amount of memory.
    """
    try:
        tree = _environment().parse(template)
    except TemplateError as problem:
        raise SpecRefused(f"The needle template “{template}” cannot be read: {problem}.") from problem
    for node in tree.find_all(nodes.Node):
        is_plain = isinstance(node, nodes.Output | nodes.TemplateData | nodes.Name)
        if not is_plain and not (isinstance(node, nodes.Filter) and node.name in _FILTERS):
            raise SpecRefused(
                f"The needle template “{template}” may only name variables ({{{{ name }}}}) and apply "
                f"{', '.join(_FILTERS)} to them."
            )
    return tuple(dict.fromkeys(node.name for node in tree.find_all(nodes.Name)))


def draw(generators: Mapping[str, Mapping[str, Any]], rng: random.Random) -> dict[str, str]:
    """Return a value for each variable."""
    found = {}
    for name, given in generators.items():
        make, options = GENERATORS[given["type"]]
        found[name] = make(rng, {**options, **given})
    return found


def check(generators: Mapping[str, Any]) -> None:
    """Raise `SpecRefused` for a generator or option that does not exist, is missing or has a wrong type."""
    for name, given in generators.items():
        if not isinstance(given, Mapping) or "type" not in given:
            raise SpecRefused(f"The variable “{name}” needs a `type`, one of {', '.join(sorted(GENERATORS))}.")
        nearest(str(given["type"]), GENERATORS, f"generator (variable “{name}”)", SpecRefused)
        _, options = GENERATORS[given["type"]]
        for option, value in given.items():
            if option != "type":
                nearest(option, options, f"option of {given['type']} (variable “{name}”)", SpecRefused)
                _check_value(f"{name}.{option}", option, value)
        missing = [option for option, default in options.items() if default is None and option not in given]
        if missing:
            raise SpecRefused(f"The variable “{name}” of type {given['type']} needs `{missing[0]}`.")
        if {**options, **given}.get("min", 0) > {**options, **given}.get("max", 0):
            raise SpecRefused(f"The variable “{name}” has a min above its max.")


def _check_value(where: str, option: str, value: Any) -> None:
    if option == "values":
        right, says = isinstance(value, list | tuple) and bool(value), "a list with at least one word"
    elif option in ("length", "decimals"):
        right, says = (
            isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 64,
            "a whole number to 64",
        )
    elif option in ("min", "max"):
        right, says = isinstance(value, int | float) and not isinstance(value, bool), "a number"
    else:
        right, says = isinstance(value, str | int | float), "a text or a number"
    if not right:
        raise SpecRefused(f"{where} must be {says}, not {value!r}.")


@cache
def _environment() -> SandboxedEnvironment:
    return SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
