"""`flagbook niah corpus …`: texts that documents are made of, kept under a name."""

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from service.cli._door import answering, local_user, say, settings_with
from service.cli._options import AsJson

if TYPE_CHECKING:
    from service.haystacks import Source
    from service.settings import Settings
    from service.store import CorpusRecord

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name by which workbooks and configs call the corpus.")]
Language = Annotated[
    str | None, typer.Option(metavar="LANGUAGE", help="Fetch Wikipedia articles of this language instead, such as en.")
]
Papers = Annotated[bool, typer.Option("--arxiv", help="Fetch abstracts from arXiv instead.")]
Count = Annotated[int, typer.Option(metavar="N", min=1, max=100_000, help="How many articles or abstracts to fetch.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Draws the articles: the same seed finds the same ones.")]


def add(
    name: Name,
    path: Annotated[
        Path | None, typer.Argument(metavar="PATH", help="A file, or a folder of txt, md, html, pdf and docx files.")
    ] = None,
    wikipedia: Language = None,
    arxiv: Papers = False,
    count: Count = 20,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Import a corpus from your own files, from Wikipedia or from arXiv.

    It is kept in the database with its hash, so that every worker builds the same documents from it.
    """
    with answering(as_json):
        settings = settings_with()
        source = _source(settings, (path, wikipedia, arxiv), count, seed)
        from service.haystacks import import_corpus

        record, notes = asyncio.run(import_corpus(settings, local_user().company, name, source))
    for note in notes:
        say(f"[yellow]Note[/] {escape(note)}")
    if as_json:
        typer.echo(json.dumps({**_told(record), "notes": notes}, ensure_ascii=False))
    else:
        typer.echo(f"{record.name}: {record.tokens:,} tokens, sha256 {record.sha256}")


def list_all(as_json: AsJson = False) -> None:
    """List the corpora: name, tokens (cl100k_base), hash and origin."""
    with answering(as_json):
        from service.haystacks import list_corpora

        records = asyncio.run(list_corpora(settings_with(), local_user().company))
    if as_json:
        typer.echo(json.dumps({"corpora": [_told(record) for record in records]}, ensure_ascii=False))
        return
    if not records:
        typer.echo("No corpus is imported yet; `synthetic` prose needs none.")
    for record in records:
        origin = record.about.get("source", "")
        typer.echo(
            f"{record.name}: {record.tokens:,} tokens, {origin}, {record.created:%Y-%m-%d}, sha256 {record.sha256}"
        )


def remove(name: Name, as_json: AsJson = False) -> None:
    """Remove a corpus; runs that used it keep their results, but cannot be taken up again."""
    with answering(as_json):
        from service.haystacks import remove_corpus

        asyncio.run(remove_corpus(settings_with(), local_user().company, name))
    typer.echo(json.dumps({"removed": name}) if as_json else f"{name} is removed.")


def _source(settings: "Settings", given: tuple[Path | None, str | None, bool], count: int, seed: int) -> "Source":
    from flags.niah import Haystack
    from service.errors import CorpusSourceUnclear
    from service.haystacks import Files, source_of

    path, language, arxiv = given
    if sum(map(bool, given)) != 1:
        raise CorpusSourceUnclear
    if path:
        return Files(path=path)
    if arxiv:
        return source_of(Haystack(source="arxiv", count=count), settings)
    return source_of(Haystack(source="wikipedia", language=language or "en", seed=seed, count=count), settings)


def _told(record: "CorpusRecord") -> dict[str, object]:
    return {
        "name": record.name,
        "tokens": record.tokens,
        "sha256": record.sha256,
        "about": dict(record.about),
        "created": record.created.isoformat(),
    }


def add_to(app: typer.Typer) -> None:
    """Offer the commands."""
    corpus = typer.Typer(name="corpus", help="The texts that documents are made of.", no_args_is_help=True)
    corpus.command()(add)
    corpus.command("list")(list_all)
    corpus.command()(remove)
    app.add_typer(corpus)
