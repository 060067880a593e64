"""`flagbook niah build`: one document with its needles."""

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli._door import answering, local_user, say, settings_with
from service.cli._files import check_output, read_file, write_file
from service.cli._options import AsJson
from service.cli.niah._config import Parameters, parameters_from

if TYPE_CHECKING:
    from flags.niah import Trial

_OutFile = Annotated[Path | None, typer.Option("-o", "--out", metavar="FILE", help="Where it is written, else stdout.")]


def build(
    task: Annotated[str, typer.Option(metavar="TASK", help="s_rt, m_rt, m_rs, atc, counting, key_value …")] = "s_rt",
    length: Annotated[int, typer.Option(metavar="TOKENS", help="Tokens of the document, its needles included.")] = 4000,
    depth: Annotated[float, typer.Option(metavar="PERCENT", help="Where the needle stands.", min=0, max=100)] = 50.0,
    needles: Annotated[int | None, typer.Option(metavar="N", help="How many needles; default: the task's own.")] = None,
    distribution: Annotated[str, typer.Option(metavar="NAME", help="uniform, centered, random or bookends.")] = "",
    haystack: Annotated[
        str, typer.Option(metavar="NAME", help="synthetic, an imported corpus, or a text file.")
    ] = "synthetic",
    seed: Annotated[int, typer.Option(metavar="N", help="Draws the needles.")] = 42,
    trial: Annotated[int, typer.Option(metavar="N", help="Counted from 1; each has other needles.", min=1)] = 1,
    parameters: Parameters = "",
    prompt: Annotated[bool, typer.Option("--prompt", help="Show the whole message that is sent.")] = False,
    out: _OutFile = None,
    as_json: AsJson = False,
) -> None:
    """Show the document of one cell, exactly as a run builds it; question and true depths stand on stderr."""
    with answering(as_json):
        from flags.niah import Spec
        from flags.niah import prompt as message_of
        from service.runs import build_cell

        if out is not None:
            check_output(out)
        spec = Spec(
            task="_".join(task.lower().replace("-", " ").split()),
            context_length=length,
            depth=depth / 100,
            num_needles=needles,
            distribution=distribution,  # type: ignore[arg-type]
            haystack=haystack,
            seed=seed,
            trial=trial - 1,
            parameters=parameters_from(parameters),
        )
        built = build_cell(spec, _texts(haystack))
        text = message_of(built) if prompt else built.document
        if out is not None:
            write_file(out, text.encode())
        if as_json:
            typer.echo(json.dumps({**_told(built), "document": text}, ensure_ascii=False))
            return
        if out is None:
            typer.echo(text)
        _explain(built)


def _texts(haystack: str) -> dict[str, str]:
    """Return the text of a file or of an imported corpus by its name; a corpus goes first, as it does in a run."""
    from flags.niah import SYNTHETIC
    from service.haystacks import corpus_text

    if haystack == SYNTHETIC:
        return {}
    path = Path(haystack)
    text = asyncio.run(corpus_text(settings_with(), local_user().company, haystack))
    if text is None and path.is_file():
        text = read_file(path).decode("utf-8-sig", "replace")
    return {} if text is None else {haystack: text}


def _told(trial: "Trial") -> dict[str, Any]:
    return {
        "question": trial.question,
        "expected": list(trial.expected),
        "tokens": trial.tokens,
        "needles": [
            {"text": needle.text, "token": needle.position, "depth_percent": round(100 * needle.depth, 3)}
            for needle in trial.needles
        ],
    }


def _explain(trial: "Trial") -> None:
    from rich.markup import escape

    say(f"[bold]{trial.tokens:,}[/] tokens of cl100k_base, {len(trial.needles)} needles:")
    for needle in trial.needles:
        say(f"  at {100 * needle.depth:.2f} % (token {needle.position:,}): {escape(needle.text)}")
    say(f"Question: {escape(trial.question)}")
    say(f"Expected: {escape(', '.join(trial.expected))}")


def add_to(app: typer.Typer) -> None:
    """Offer the command."""
    app.command()(build)
