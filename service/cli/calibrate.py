"""`flagbook calibrate`: how right the flags are by what persons said, and thresholds that would be better."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from service.cli._door import answering, local_user, say, settings_with
from service.cli._files import check_output, read_file, write_file
from service.cli._options import AsJson, Sheet

if TYPE_CHECKING:
    from flags import Estimate, Scorecard
    from service.cli._door import Door
    from service.runs import Calibration, Reviewed, SpaceProposal


_WIDTH = 110


def calibrate(
    ctx: typer.Context,
    reviewed: Annotated[
        list[Path] | None,
        typer.Argument(metavar="REVIEWED", help="Reviewed results; without any, the runs stored here count."),
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option("--write", metavar="FILE", help="Write what is proposed as settings for spaces.yaml; a new file."),
    ] = None,
    sheet: Sheet = None,
    as_json: AsJson = False,
) -> None:
    """Tell how right each flag is, by column AB (yes or no), and propose thresholds of similarity.

    Precision, recall, false alarms and Cohen's kappa come with 95 % intervals. Recall needs reviews of the audit
    sample, which the sheet Run names: they stand for all rows without a flag.

    Exit codes: 0 done; 2 there is no review, or a file cannot be read.
    """
    import asyncio

    from service.errors import ReviewsMissing
    from service.runs import calibrate as calibrated

    with answering(as_json):
        if write:
            _check_new(write)
        found = calibrated(_file(path, sheet) for path in reviewed) if reviewed else asyncio.run(_stored(ctx.obj))
        if not found.reviews:
            raise ReviewsMissing(files=", ".join(path.name for path in reviewed or ()) or "the runs stored here")
        if write:
            write_file(write, _fragment(found).encode())
    _tell(found, write, as_json)


def _check_new(out: Path) -> None:
    from service.errors import OutputRefused

    check_output(out)
    if out.exists():
        raise OutputRefused(path=str(out), problem="it exists; name a new file, so that nothing is lost")


def _file(path: Path, sheet: str | None) -> "Reviewed":
    from service.runs import reviewed_file
    from service.workbook import Limits, read_flagged

    limits = Limits.of(settings_with())
    return reviewed_file(path.name, read_flagged(read_file(path), filename=path.name, sheet=sheet, limits=limits))


async def _stored(door: "Door") -> "Calibration":
    async with door.service(settings_with()) as service:
        return await service.runs.reviews.calibration(user=local_user())


def _tell(found: "Calibration", write: Path | None, as_json: bool) -> None:
    if as_json:
        from dataclasses import asdict

        typer.echo(json.dumps(asdict(found), ensure_ascii=False, indent=2))
        return
    _print(found)
    for note in found.notes:
        say(f"[yellow]Note[/] {escape(note)}")
    if write:
        typer.echo(f"\nThe proposed settings are {write}; put them into your spaces file.")


def _print(found: "Calibration") -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    console.width = max(console.width, _WIDTH)  # a rate must not be torn from its interval
    console.print(f"{found.reviews} reviews of {found.rows} judged rows, {found.audited} of them of the audit sample")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Flag")
    for title in ("precision", "recall", "false alarms", "kappa", "reviews", "wrong"):
        table.add_column(title, justify="right")
    for card in found.flags:
        table.add_row(*_cells(card))
    console.print(table)
    for why in dict.fromkeys(card.why for card in found.flags if card.why):
        flags = ", ".join(card.flag for card in found.flags if card.why == why)
        console.print(f"[yellow]{flags}[/]: {why}")
    for each in found.proposals:
        console.print(escape(_said(each)), soft_wrap=True)


def _cells(card: "Scorecard") -> list[str]:
    rates = [_percent(rate) for rate in (card.precision, card.recall, card.false_alarm)]
    kappa = card.kappa
    shown = "unknown" if kappa.value is None else f"{kappa.value:.2f} ({kappa.low:.2f}–{kappa.high:.2f})"
    return [card.flag, *rates, shown, str(card.reviews), str(card.wrong)]


def _percent(rate: "Estimate") -> str:
    if rate.value is None or rate.low is None or rate.high is None:
        return "unknown"
    return f"{100 * rate.value:.0f} % ({100 * rate.low:.0f}–{100 * rate.high:.0f})"


def _said(each: "SpaceProposal") -> str:
    found, place = each.proposal, f"{each.space}, {each.embedder or 'unknown model'}"
    if found.threshold is None or found.accuracy is None or found.accuracy_now is None:
        return f"{place}: similarity stays at {found.current:g}: {found.why}"
    return (
        f"{place}: similarity {found.threshold:g} instead of {found.current:g}: {found.gained} rows flagged more, "
        f"{found.lost} less; of {found.correct + found.wrong} reviewed rows {found.mended} mended, "
        f"{found.broken} broken; tells wrong from correct in {100 * found.accuracy:.0f} % instead of "
        f"{100 * found.accuracy_now:.0f} %"
    )


def _fragment(found: "Calibration") -> str:
    """Return the proposals as they stand in a spaces file."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: "Calibration") -> Iterator[str]:
    yield "# Proposed by flagbook calibrate: put each `flags:` into the entry of its space in your spaces file."
    yield "# A threshold belongs to one embedding model; with another one, calibrate anew."
    proposed = [each for each in found.proposals if each.proposal.threshold is not None]
    yield "spaces:" if proposed else "spaces: []"
    for each in proposed:
        of = each.proposal
        yield f"  - name: {json.dumps(each.space, ensure_ascii=False)}"
        model = json.dumps(each.embedder, ensure_ascii=False)
        yield f"    # model {model}; {of.correct + of.wrong} reviews; was {of.current:g}"
        yield "    flags:"
        yield f"      embedding: {{threshold: {of.threshold:g}}}"


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(calibrate)
