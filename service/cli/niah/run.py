"""`flagbook niah run`: from a config to the result in one step."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli._door import answering, local_user, say, settings_with
from service.cli._files import check_output, make_folder, write_file
from service.cli._options import AsJson, Cache, JudgeOption, Spaces
from service.cli.niah._config import Assistants, ConfigOrPreset, config_from

if TYPE_CHECKING:
    from service.runs import Config, Runs, RunView
    from service.settings import Settings


def run(
    ctx: typer.Context,
    config: ConfigOrPreset,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="PATH", help="A folder for plan, result and report, or a file .xlsx.")
    ],
    assistant: Assistants = None,
    spaces: Spaces = None,
    judge: JudgeOption = None,
    cache: Cache = False,
    as_json: AsJson = False,
) -> None:
    """Plan an experiment, ask and score its cells, and write the workbook with its figures (see `report`).

    The models of the config are spaces of the spaces file; a haystack from Wikipedia or arXiv is fetched and imported
    where it is not there yet. Ctrl-C stops asking and writes what is there so far.

    Exit codes: 0 done; 2 could not start; 3 done, but some cells have no score (skipped, cut, empty or failed); 130
    stopped by Ctrl-C.
    """
    from service.cli._job import carry_out
    from service.cli._outcome import finish
    from service.cli.run import check_spaces

    with answering(as_json):
        result = _result(out, config)
        found = config_from(config, assistant)
        settings = settings_with(spaces=spaces)
        check_spaces(settings, judge_only=False)
        from service.runs import RunOptions, plan_experiment

        _fetch(found, settings)
        plan = plan_experiment(found)
        if result != out:
            write_file(out / f"{_stem(config)}.xlsx", plan)
        options = RunOptions(judge=judge, cache=cache)

        async def start(runs: "Runs") -> "RunView":
            return await runs.submit(plan, f"{_stem(config)}.xlsx", options, user=local_user())

        outcome = carry_out(ctx.obj, settings, start)
        if result != out:
            _report(outcome.content, out)
        finish(outcome, result, fail_on_flag=False, as_json=as_json)


def _fetch(config: "Config", settings: "Settings") -> None:
    """Import the haystack that the config describes, where the cells need it and it is not there yet."""
    from flags.niah import discover_tasks
    from service.haystacks import FETCHED, import_missing

    haystack, tasks = config.experiment.haystack, discover_tasks()
    if haystack.source not in FETCHED or not any(tasks[plan.task].has_filler for plan in config.experiment.tasks):
        return
    say(f"Looking for the haystack {haystack.key} …")
    record = asyncio.run(import_missing(settings, local_user().company, haystack))
    if record:
        say(f"It was fetched: {record.tokens:,} tokens, sha256 {record.sha256}")


def _report(content: bytes, folder: Path) -> None:
    from service.reports import study_of, write_report
    from service.workbook import Limits

    write_report(study_of(content, Limits().for_results()), folder)


def _result(out: Path, config: str) -> Path:
    """Return the file the result goes to; a folder is made where it is not there."""
    if out.suffix.lower() == ".xlsx":
        check_output(out)
        return out
    make_folder(out)
    return out / f"{_stem(config)}_result.xlsx"


def _stem(config: str) -> str:
    return Path(config).stem


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(run)
