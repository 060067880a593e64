"""`flagbook demo`: the whole job on an invented company, with nothing but this machine."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli._door import answering, local_user
from service.cli._examples import examples_folder, sealed_settings
from service.cli._files import make_folder, read_file, write_file

if TYPE_CHECKING:
    from service.runs import Runs, RunView

INPUT, RESULT = "Benchmark.xlsx", "Benchmark_flagged.xlsx"


def demo(
    ctx: typer.Context,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the result and the demo's own database.")] = Path(
        "flagbook-demo"
    ),
) -> None:
    """Run the benchmark of an invented company: no key, no network, and nothing of yours is touched."""
    from service.cli._job import carry_out
    from service.cli._tables import print_results
    from service.cli._tally import tally
    from service.runs import RunOptions

    with answering(as_json=False):
        examples = examples_folder()
        content = read_file(examples / INPUT)
        make_folder(out)
        settings = sealed_settings(home=out / "home", spaces=examples / "spaces.yaml", judge="local")

        async def start(runs: "Runs") -> "RunView":
            return await runs.submit(content, INPUT, RunOptions(), user=local_user())

        outcome = carry_out(ctx.obj, settings, start)
        write_file(out / RESULT, outcome.content)
    print_results(outcome.view, tally(outcome.rows))
    typer.echo(_next_steps(out, examples))


def _next_steps(out: Path, examples: Path) -> str:
    return f"""
The flagged workbook is {out / RESULT}

What next
  Open it, filter final_flag (column Z) for TRUE and read the explanation beside it; the sheet Run has the numbers.
  Write yes or no in human_review_answer_correct, save, and make the next benchmark set of it:
      flagbook adopt {out / RESULT} -o {out / "Benchmark_next.xlsx"}
  Your own questions: {examples / "spaces.yaml"} shows how spaces are described.
      flagbook template My_Benchmark.xlsx
      flagbook run My_Benchmark.xlsx -o My_Benchmark_flagged.xlsx --spaces spaces.yaml
  The same in a browser: flagbook serve --spaces {examples / "spaces.yaml"}"""


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(demo)
