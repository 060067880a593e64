"""The tables a person sees at the end of a run."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from service.cli._tally import SpaceCount, Tally
    from service.runs import RunView


def print_results(view: "RunView", results: "Tally") -> None:
    """Print counts per flag and per space, and how many rows pass."""
    Console(highlight=False).print(Group(_flag_table(results), "", _space_table(results), "", _summary(view, results)))


def _flag_table(results: "Tally") -> Table:
    table = Table(box=box.SIMPLE_HEAD, title="Flags", title_justify="left", title_style="bold", pad_edge=False)
    table.add_column("Flag")
    for title in ("TRUE", "FALSE", "nothing to judge", "not judged"):
        table.add_column(title, justify="right")
    for name in _in_order(results.flags):
        count = results.flags[name]
        cells = (_red(count.true), str(count.false), str(count.empty), _yellow(count.failed))
        table.add_row(name, *cells, style="bold" if name == "final" else "")
    return table


def _in_order(flags: "Iterable[str]") -> list[str]:
    """Return the flags as the workbook's columns stand, others before `final`."""
    from service.workbook.columns import COLUMNS

    places = {column.verdict[0]: place for place, column in enumerate(COLUMNS) if column.verdict[0]}
    return sorted(flags, key=lambda name: places.get(name, places["final"] - 1))


def _space_table(results: "Tally") -> Table:
    table = Table(box=box.SIMPLE_HEAD, title="Spaces", title_justify="left", title_style="bold", pad_edge=False)
    table.add_column("Space")
    for title in ("rows", "passed", "flagged", "errors", "pass rate"):
        table.add_column(title, justify="right")
    for name, count in results.spaces.items():
        _add_space(table, escape(name) or "[dim](not read)[/]", count)
    if len(results.spaces) > 1:
        table.add_section()
        _add_space(table, "[bold]all[/]", results.total)
    return table


def _add_space(table: Table, name: str, count: "SpaceCount") -> None:
    rate = "–" if count.pass_rate is None else f"{count.pass_rate:.0%}"
    table.add_row(name, str(count.rows), str(count.passed), _red(count.flagged), _yellow(count.errors), rate)


def _summary(view: "RunView", results: "Tally") -> str:
    judge = f"Judge: {view.judge}" if view.judge else ""
    embedder = f"embedder: {view.embedder}" if view.embedder else ""
    codes = ", ".join(f"{number} × {code}" for code, number in results.codes.most_common())
    lines = [" · ".join(part for part in (judge, embedder) if part)]
    if view.cached:
        lines.append(f"Replies of the judge that were given before and not asked for again: {view.cached}.")
    if results.total.unreferenced:
        lines.append(f"Judged without a benchmark answer, and in no pass rate: {results.total.unreferenced}.")
    if results.improvements:
        lines.append(f"Flagged against an answer marked wrong, perhaps an improvement: {results.improvements}.")
    if view.spending.calls:
        from service.runs import cost_said, tokens_said

        lines.append(f"{tokens_said(view.spending)}; cost: {cost_said(view.spending)}")
    if codes:
        lines.append(f"Not judged: {codes}. These rows are in no rate; column explanation says why.")
    return f"[dim]{escape(chr(10).join(line for line in lines if line))}[/]"


def _red(number: int) -> str:
    return f"[red]{number}[/]" if number else "0"


def _yellow(number: int) -> str:
    return f"[yellow]{number}[/]" if number else "0"
