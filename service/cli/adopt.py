"""`flagbook adopt`: the result, as a person reviewed it, becomes the next benchmark set."""

import getpass
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli._door import answering, say
from service.cli._files import check_output, read_file, write_file
from service.cli._options import AsJson, Out

if TYPE_CHECKING:
    from service.workbook import Adoption


def adopt(
    flagged: Annotated[
        Path, typer.Argument(metavar="FLAGGED", help="A workbook that came out of a run, reviewed or not.")
    ],
    out: Out,
    every: Annotated[bool, typer.Option("--all", help="Adopt every new answer, also those reviewed with no.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make the next benchmark set: the new answers become the benchmark answers.

    An answer is adopted when it was given without error and was not reviewed with no. The other rows keep their
    benchmark answer and are listed.
    """
    from service.workbook import adopt as adopt_answers

    with answering(as_json):
        check_output(out, flagged)
        content = read_file(flagged)
        adoption = adopt_answers(content, every=every, lineage=_lineage(content, flagged))
        write_file(out, adoption.content)
    if as_json:
        typer.echo(json.dumps(_shape(adoption, out), ensure_ascii=False, indent=2))
    else:
        _tell(adoption, out)


def _lineage(content: bytes, path: Path) -> dict[str, str]:
    from service.workbook import read

    return {
        "set": path.stem,
        "run": read(content, filename=path.name).run_id,
        "who": _person(),
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _person() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may run under a number without a name
        return "unknown"


def _shape(adoption: "Adoption", out: Path) -> dict[str, object]:
    kept = [{"row": row, "reason": reason} for row, reason in adoption.kept.items()]
    return {"file": str(out), "adopted": len(adoption.adopted), "kept": kept}


def _tell(adoption: "Adoption", out: Path) -> None:
    for row, reason in adoption.kept.items():
        say(f"[yellow]Kept[/] row {row}: {reason}")
    typer.echo(f"{len(adoption.adopted)} answers adopted, {len(adoption.kept)} rows kept as they were: {out}")


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(adopt)
