"""The command line as a whole: help, version, documentation, what it loads."""

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from service import __version__
from service.cli._logs import configure_logs
from service.cli._options import Judge
from service.cli._reference import commands, reference
from service.settings import JudgeKind

COMMANDS = commands()
DOCUMENT = (Path(__file__).parents[3] / "docs" / "cli.md").read_text(encoding="utf-8")
HEAVY = (
    "torch",
    "sentence_transformers",
    "openpyxl",
    "lxml",
    "pandas",
    "numpy",
    "dbos",
    "openai",
    "fastapi",
    "sqlmodel",
)


def test_the_version_is_shown(desk):
    """`--version` names it and does nothing else."""
    result = desk.type("--version")
    assert (result.exit_code, result.stdout) == (0, f"flagbook {__version__}\n")


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"]])
def test_help_loads_nothing_heavy(words):
    """Help answers at once, because no model, workbook, engine or web library is loaded for it."""
    script = (
        f"import sys; sys.argv[1:] = {words!r}\nfrom service.cli import main\ntry: main()\nfinally: print(*sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False).stdout
    loaded = shown.splitlines()[-1].split()
    assert "service.cli.run" in loaded
    assert [name for name in HEAVY if name in loaded] == []


def test_python_dash_m_service_is_the_same_command():
    """People without the script on their path have it too."""
    result = subprocess.run([sys.executable, "-m", "service", "--version"], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("flagbook ")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["run", "--json"], "WORKBOOK"),
        (["run", "a.xlsx", "--nope", "--json"], "--nope"),
        (["check", "a.xlsx", "--json", "--sheet"], "--sheet"),
        (["fly", "--json"], "fly"),
    ],
)
def test_a_mistyped_command_is_json_too_where_json_was_asked_for(words, named):
    """A script that reads one JSON object gets one also for an option that does not exist."""
    result = subprocess.run(
        [sys.executable, "-m", "service", *words], capture_output=True, text=True, check=False, timeout=60
    )
    answer = json.loads(result.stdout)
    assert (result.returncode, answer["code"]) == (2, "command_mistyped")
    assert named in answer["message"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name):
    """docs/cli.md has a section a command, and each argument has a sentence."""
    _, found, section = DOCUMENT.partition(f"## flagbook {name}\n")
    assert found
    for parameter in COMMANDS[name].params:
        if parameter.name != "help":
            assert parameter.help
            assert parameter.help.replace("|", "\\|") in section


def test_the_documentation_is_what_the_commands_say():
    """The generated part of docs/cli.md is up to date."""
    assert reference().strip() in DOCUMENT


def test_the_judges_offered_are_those_of_the_settings():
    """They are written down twice so that help need not load the settings."""
    assert Judge == JudgeKind


@pytest.mark.parametrize(("verbose", "level"), [(0, logging.WARNING), (1, logging.INFO), (2, logging.DEBUG)])
def test_logs_are_quiet_unless_asked_for(verbose, level):
    """Warnings only; -v what happens; -vv everything."""
    before = logging.getLogger().level
    try:
        configure_logs(verbose)
        assert logging.getLogger().level == level
    finally:
        configure_logs(0)
        logging.getLogger().setLevel(before)
