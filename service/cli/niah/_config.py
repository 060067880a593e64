"""A config or a preset named on the command line."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli._files import read_file

if TYPE_CHECKING:
    from service.runs import Config

ConfigOrPreset = Annotated[
    str,
    typer.Argument(
        metavar="CONFIG",
        help="A YAML file, or a preset: quick, standard, full, large_context, needlebench_32k, _128k or _1m.",
    ),
]
Assistants = Annotated[
    list[str] | None,
    typer.Option("--assistant", metavar="NAME", help="A space to test, in place of the config's models; repeatable."),
]
Parameters = Annotated[
    str, typer.Option(metavar="JSON", help='Settings of the task, such as {"reasoning": "max"} or {"hops": 4}.')
]


def config_from(name: str, assistants: list[str] | None) -> "Config":
    """Return the experiment of a file or a preset; raise `NiahConfigRefused` or `FileUnreadable`."""
    from service.runs import experiment_of, preset_config, yaml_config

    path = Path(name)
    looks_like_file = path.exists() or path.suffix.lower() in (".yaml", ".yml", ".json")
    fields = yaml_config(_text(path)) if looks_like_file else preset_config(name)
    return experiment_of(fields, assistants or ())


def _text(path: Path) -> str:
    from service.errors import FileUnreadable

    try:
        return read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileUnreadable(path=str(path), problem="it is not UTF-8 text") from None


def parameters_from(text: str) -> dict[str, object]:
    """Return a task's settings; raise `OptionsRefused` for what is no JSON object."""
    import json

    from service.errors import OptionsRefused

    try:
        found = json.loads(text or "{}")
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise OptionsRefused(option="--parameters", problem='it must look like {"reasoning": "max"}')
    return found
