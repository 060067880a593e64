"""The command line described in Markdown, for docs/cli.md; made from the commands themselves."""

from collections.abc import Iterator
from typing import Any


def reference() -> str:
    """Return a section a command: what it does, how it is typed, its arguments and options."""
    return "\n".join(line for name, command in commands().items() for line in _section(name, command))


def commands() -> dict[str, Any]:
    """Return every command by the words it is typed with, those of groups included."""
    from typer.main import get_command

    from service.cli import app

    return dict(_below("", get_command(app)))


def _below(words: str, group: Any) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        typed = f"{words} {name}".strip()
        if hasattr(command, "commands"):
            yield from _below(typed, command)
        else:
            yield typed, command


def _section(name: str, command: Any) -> Iterator[str]:
    parameters = [each for each in command.params if each.name != "help"]
    yield f"## flagbook {name}\n"
    yield f"    flagbook {name} {' '.join(_typed(each) for each in parameters if each.required)}".rstrip()
    yield f"\n{command.help.strip()}\n"
    if parameters:
        yield "| argument | meaning |\n|---|---|"
        for each in parameters:
            yield f"| {_name(each)} | {_meaning(each)} |"
        yield ""


def _typed(parameter: Any) -> str:
    metavar = parameter.metavar or parameter.name.upper()
    return metavar if parameter.param_type_name == "argument" else f"{parameter.opts[0]} {metavar}"


def _name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{_typed(parameter)}`".replace("|", "\\|")
    names = ", ".join(parameter.opts)
    value = "" if parameter.is_flag else f" {parameter.metavar}"
    return f"`{names}{value}`".replace("|", "\\|")


def _meaning(parameter: Any) -> str:
    default = parameter.default
    shown = f" Default: `{default}`." if default not in (None, "", False) and not parameter.required else ""
    return f"{parameter.help}{shown}".replace("|", "\\|")
