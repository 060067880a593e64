"""`flagbook resume`: a run that failed, was stopped or has rows with errors is taken up again."""

from typing import TYPE_CHECKING, Annotated

import typer

from service.cli._door import answering, local_user, settings_with
from service.cli._files import check_output
from service.cli._options import AsJson, FailOnFlag, MaxCost, Out, Spaces

if TYPE_CHECKING:
    from service.runs import Runs, RunView


def resume(
    ctx: typer.Context,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run; `--json` of the command that made it names it.")],
    out: Out,
    force: Annotated[
        bool, typer.Option("--force", help="Ask and judge every row again, also while the run goes on or hangs.")
    ] = False,
    rows: Annotated[
        str, typer.Option(metavar="1-5,8", help="With --force: only these questions, beside those that failed.")
    ] = "",
    spaces: Spaces = None,
    max_cost: MaxCost = None,
    fail_on_flag: FailOnFlag = False,
    as_json: AsJson = False,
) -> None:
    """Ask and judge only the rows of a run that failed or are missing, and write the flagged workbook.

    What was answered stays, and so do the verdicts. With --force, all rows or those named are asked and judged as if
    they never had been, whatever state the run is in. With --max-cost the run has another limit, in which what it cost
    so far counts. Exit codes as for `run`.
    """
    from service.cli._job import carry_out
    from service.cli._outcome import finish

    with answering(as_json):
        check_output(out)

        async def start(runs: "Runs") -> "RunView":
            return await runs.resume(run, user=local_user(), force=force, rows=rows, max_cost=max_cost)

        finish(carry_out(ctx.obj, settings_with(spaces=spaces), start), out, fail_on_flag=fail_on_flag, as_json=as_json)


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(resume)
