"""Options that several commands share, each described once."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from service.runs import RunOptions

Judge = Literal["auto", "local", "llm"]

Workbook = Annotated[Path, typer.Argument(metavar="WORKBOOK", help="An Excel workbook of benchmark questions.")]
Out = Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Where the result is written.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout instead of text.")]
Sheet = Annotated[
    str | None, typer.Option(metavar="NAME", help="The sheet with the questions; default: the one with the headers.")
]
Spaces = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="The file that declares the spaces; default: FLAGBOOK_SPACES or spaces.yaml."),
]
JudgeOption = Annotated[
    Judge | None,
    typer.Option(
        "--judge",
        metavar="auto|local|llm",
        help="Who judges: a language model (llm), this machine (local), or auto: llm when its key is set.",
    ),
]
Thorough = Annotated[
    bool | None,
    typer.Option(
        "--thorough/--once",
        help="Ask the LLM judge in both orders whether two answers differ; what depends on the order is left to you.",
        show_default=False,
    ),
]
Counts = Annotated[
    str | None,
    typer.Option(metavar="NAMES", help="Flags that decide final_flag, comma-separated: contradiction,extent,…"),
]
Threshold = Annotated[
    float | None,
    typer.Option(metavar="COSINE", min=-1.0, max=1.0, help="Similarity below which emb_flag is TRUE (0.92)."),
]
FlagSettings = Annotated[
    str | None,
    typer.Option("--flags", metavar="JSON", help='Settings of flags, such as {"extent": {"only_missing": true}}.'),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        metavar="AMOUNT",
        help="End the run before its calls cost more, in the currency of FLAGBOOK_PRICES.",
    ),
]
Cache = Annotated[
    bool, typer.Option("--cache", help="Take answers an earlier experiment got for the same prompt and trial.")
]
FailOnFlag = Annotated[
    bool, typer.Option("--fail-on-flag", help="Exit with 1 when a row is flagged, so that a pipeline stops.")
]


def choices(counts: str | None, threshold: float | None, flags: str | None, **others: Any) -> "RunOptions":
    """Return the options of a run; raise `OptionsRefused` when `flags` cannot be read."""
    from service.runs import RunOptions

    settings = _flag_settings(flags)
    if threshold is not None:
        settings["embedding"] = {**settings.get("embedding", {}), "threshold": threshold}
    _check_amount(others.get("max_cost"))
    names = None if counts is None else tuple(name.strip() for name in counts.split(",") if name.strip())
    return RunOptions(counts=names, flags=settings, **others)


def _check_amount(amount: float | None) -> None:
    from service.errors import OptionsRefused

    if amount is not None and not 0 < amount < float("inf"):
        raise OptionsRefused(option="--max-cost", problem="it must be more than 0")


def _flag_settings(text: str | None) -> dict[str, dict[str, Any]]:
    import json

    from service.errors import OptionsRefused

    try:
        settings = json.loads(text or "{}")
    except json.JSONDecodeError as error:
        raise OptionsRefused(option="--flags", problem=f"it is not JSON ({error})") from None
    if not isinstance(settings, dict) or not all(isinstance(each, dict) for each in settings.values()):
        raise OptionsRefused(option="--flags", problem='it must look like {"embedding": {"threshold": 0.9}}')
    return settings
