"""`flagbook compare`: what changed between two runs, and whether it is more than chance."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from service.cli._door import FLAGGED, Door, answering, local_user, say, settings_with
from service.cli._files import check_output, read_file, write_file
from service.cli._options import AsJson, Sheet

if TYPE_CHECKING:
    from service.runs import Compared, Comparison, Side


def compare(
    ctx: typer.Context,
    a: Annotated[str, typer.Argument(metavar="A", help="The earlier result: a workbook out of a run, or a run's id.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The later one.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Also write the comparison as a workbook.")
    ] = None,
    sheet: Sheet = None,
    fail_if_worse: Annotated[
        bool, typer.Option("--fail-if-worse", help="Exit with 1 when B is worse than A, so that a pipeline stops.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare two results of a benchmark: new, lost and changed rows, pass rates, and a verdict.

    Rows are joined by question and assistant, wherever they stand. B is worse (better) when more rows changed for the
    worse (better) than chance explains, by the exact McNemar test at 5 %; else there is no evidence. What was judged
    otherwise on the two sides is said.

    Exit codes: 0 done; 1 B is worse than A (only with --fail-if-worse); 2 could not be compared.
    """
    from service.runs import compare as compare_sides
    from service.runs import comparison_workbook

    with answering(as_json):
        if out:
            check_output(out, Path(a), Path(b))
        one, other = _sides(ctx.obj, (a, b), sheet)
        found = compare_sides(one, other)
        if out:
            write_file(out, comparison_workbook(found))
    _tell(found, out, as_json)
    if fail_if_worse and found.total.trend == "worse":
        raise typer.Exit(FLAGGED)


def _sides(door: Door, names: "tuple[str, str]", sheet: str | None) -> "list[Side]":
    """Return both sides; the service is opened only where one of them is a run."""
    import asyncio

    sides = {name: _file(Path(name), sheet) for name in names if Path(name).suffix or Path(name).is_file()}
    runs = [name for name in dict.fromkeys(names) if name not in sides]
    if runs:
        sides.update(zip(runs, asyncio.run(_stored(door, runs)), strict=True))
    return [sides[name] for name in names]


def _file(path: Path, sheet: str | None) -> "Side":
    from service.runs import side_of_file
    from service.workbook import Limits, read_flagged

    limits = Limits.of(settings_with())
    return side_of_file(path.name, read_flagged(read_file(path), filename=path.name, sheet=sheet, limits=limits))


async def _stored(door: Door, runs: list[str]) -> "list[Side]":
    async with door.service(settings_with()) as service:
        return [await service.runs.side(run, user=local_user()) for run in runs]


def _tell(found: "Comparison", out: Path | None, as_json: bool) -> None:
    if as_json:
        from dataclasses import asdict

        typer.echo(json.dumps(asdict(found), ensure_ascii=False, indent=2))
        return
    _print(found)
    for warning in found.warnings:
        say(f"[yellow]Note[/] {escape(warning)}")
    if out:
        typer.echo(f"\nThe comparison is {out}")


def _print(found: "Comparison") -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from service.runs import KINDS

    console = Console(highlight=False)
    rates = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    rates.add_column("Space")
    for title in ("A passed", "B passed", "paired", "deviate now", "no longer", "p", "verdict"):
        rates.add_column(title, justify="right")
    for each in (*found.spaces, found.total) if len(found.spaces) > 1 else (found.total,):
        rates.add_row(*_cells(each))
    console.print(rates)
    for change in found.changes:
        shown = change.b or change.a
        assert shown is not None
        place = f"row {shown.number}" if change.b else f"row {shown.number} of A"
        console.print(
            f"[bold]{KINDS[change.kind]}[/]  {escape(shown.question[:90])} [dim]({escape(shown.space)}, {place})[/]"
        )
    colour = {"worse": "red", "better": "green"}.get(found.total.trend, "yellow")
    console.print(f"\n[{colour}]{escape(found.verdict)}[/]")


def _cells(each: "Compared") -> list[str]:
    rates = [
        "–" if rate.rate is None else f"{rate.passed}/{rate.compared} {rate.rate:.0%}" for rate in (each.a, each.b)
    ]
    numbers = [str(number) for number in (each.paired, each.worse, each.better)]
    return [escape(each.space) or "all", *rates, *numbers, f"{each.p:.3f}", each.trend]


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(compare)
