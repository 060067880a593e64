"""`flagbook run`: a workbook goes in, the flagged workbook comes out."""

from typing import TYPE_CHECKING, Annotated

import typer

from service.cli._door import answering, local_user, settings_with
from service.cli._files import check_output, is_csv, read_file
from service.cli._options import (
    AsJson,
    Cache,
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
    Workbook,
    choices,
)

if TYPE_CHECKING:
    from service.runs import Runs, RunView
    from service.settings import Settings


def run(
    ctx: typer.Context,
    workbook: Workbook,
    out: Out,
    spaces: Spaces = None,
    judge: JudgeOption = None,
    judge_only: Annotated[
        bool, typer.Option("--judge-only", help="Ask nothing: judge the answers that stand in column J.")
    ] = False,
    trials: Annotated[
        int,
        typer.Option(
            metavar="TIMES", min=1, max=20, help="Ask each question so many times, and flag what most answers show."
        ),
    ] = 1,
    rows: Annotated[
        str, typer.Option(metavar="1-5,8", help="Only these questions, counted from 1: try a few first.")
    ] = "",
    thorough: Thorough = None,
    counts: Counts = None,
    threshold: Threshold = None,
    flags: FlagSettings = None,
    sheet: Sheet = None,
    max_cost: MaxCost = None,
    cache: Cache = False,
    fail_on_flag: FailOnFlag = False,
    as_json: AsJson = False,
) -> None:
    """Ask every question of its space, compare the answers with the benchmark, and write the flagged workbook.

    A workbook with a sheet NIAH is an experiment: its cells are asked and scored, and sheets of figures are added.

    Ctrl-C stops asking and writes what is there so far.

    A name that ends in .csv gets the rows alone, for other tools, in which no text can turn into a formula.

    Exit codes: 0 done; 1 done and a row is flagged (only with --fail-on-flag); 2 could not start; 3 done, but some
    rows could not be answered or judged (this goes before 1); 130 stopped by Ctrl-C.
    """
    from service.cli._job import carry_out
    from service.cli._outcome import finish

    with answering(as_json):
        check_output(out, workbook)
        content = read_file(workbook)
        settings = settings_with(spaces=spaces)
        check_spaces(settings, judge_only)
        options = choices(
            counts,
            threshold,
            flags,
            judge=judge,
            thorough=thorough,
            judge_only=judge_only,
            trials=trials,
            rows=rows,
            sheet=sheet,
            max_cost=max_cost,
            cache=cache,
        )

        async def start(runs: "Runs") -> "RunView":
            return await runs.submit(content, workbook.name, options, user=local_user())

        outcome = carry_out(ctx.obj, settings, start, as_csv=is_csv(out))
        finish(outcome, out, fail_on_flag=fail_on_flag, as_json=as_json)


def check_spaces(settings: "Settings", judge_only: bool) -> None:
    """Refuse to start where no space is declared at all: every row would come back as not judged."""
    from service.errors import SpacesFileBroken

    if not judge_only and not settings.spaces.exists():
        problem = "there is no such file. It declares the assistants that are asked; name it with --spaces."
        raise SpacesFileBroken(path=settings.spaces, problem=problem)


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(run)
