"""`flagbook rejudge`: stored answers, another judge, other thresholds or flags; nothing is asked."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from service.cli._door import answering, local_user, say, settings_with
from service.cli._files import check_output, is_csv, read_file
from service.cli._options import (
    AsJson,
    Counts,
    FailOnFlag,
    FlagSettings,
    JudgeOption,
    MaxCost,
    Out,
    Sheet,
    Spaces,
    Thorough,
    Threshold,
    choices,
)

if TYPE_CHECKING:
    from service.runs import RunOptions, Runs, RunView
    from service.settings import Settings


def rejudge(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(metavar="RUN|FLAGGED", help="A run, or a workbook that came out of one.")],
    out: Out,
    spaces: Spaces = None,
    judge: JudgeOption = None,
    thorough: Thorough = None,
    counts: Counts = None,
    threshold: Threshold = None,
    flags: FlagSettings = None,
    sheet: Sheet = None,
    max_cost: MaxCost = None,
    fail_on_flag: FailOnFlag = False,
    as_json: AsJson = False,
) -> None:
    """Judge the answers of a run again, without asking anything.

    A flagged workbook names its run in the sheet Run; the verdicts are written into that workbook, so that reviews and
    own cells stay. When its run is not stored here, or its rows were moved, the answers in the workbook itself are
    judged, and that is said. Exit codes as for `run`.
    """
    from service.cli._job import carry_out
    from service.cli._outcome import finish

    with answering(as_json):
        path = Path(what)
        check_output(out, path)
        settings = settings_with(spaces=spaces)
        options = choices(counts, threshold, flags, judge=judge, thorough=thorough, sheet=sheet, max_cost=max_cost)

        content = read_file(path) if path.is_file() else None
        run_id = what if content is None else _run_of(content, path.name, settings, sheet)

        async def start(runs: "Runs") -> "RunView":
            if content is None:
                return await runs.rejudge(run_id, options, user=local_user())
            return await _judge_file(runs, run_id, (content, path.name), options)

        outcome = carry_out(ctx.obj, settings, start, as_csv=is_csv(out))
        finish(outcome, out, fail_on_flag=fail_on_flag, as_json=as_json)


def _run_of(content: bytes, name: str, settings: "Settings", sheet: str | None) -> str:
    from service.workbook import Limits, read

    return read(content, filename=name, sheet=sheet, limits=Limits.of(settings).for_results()).run_id


async def _judge_file(runs: "Runs", run_id: str, file: tuple[bytes, str], options: "RunOptions") -> "RunView":
    from service.errors import FileOfOtherRun, RunUnknown

    content, name = file
    if run_id:
        try:
            return await runs.rejudge(run_id, options, user=local_user(), content=content)
        except FileOfOtherRun as error:
            say(f"[yellow]Note[/] {escape(error.message)} The answers in {escape(name)} are judged.")
        except RunUnknown:
            say(f"[yellow]Note[/] The run {run_id} is not stored here: the answers in {name} are judged.")
    else:
        say(f"[yellow]Note[/] {name} names no run: the answers that stand in it are judged.")
    return await runs.submit(content, name, options.model_copy(update={"judge_only": True}), user=local_user())


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(rejudge)
