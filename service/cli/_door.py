"""What commands share: settings, the service behind them, and one way to fail."""

import json
import logging
import uuid
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import typer

if TYPE_CHECKING:
    from service.app import Service
    from service.errors import ServiceError
    from service.runs import User
    from service.settings import Settings

DONE, FLAGGED, NOT_STARTED, NOT_ALL_JUDGED, INTERRUPTED = 0, 1, 2, 3, 130


class Opener(Protocol):
    """Opens the service a command works with."""

    def __call__(self, settings: "Settings", *, executor: str) -> "AbstractAsyncContextManager[Service]": ...


def _open_service(settings: "Settings", *, executor: str) -> "AbstractAsyncContextManager[Service]":
    from service.app import open_service

    return open_service(settings, executor=executor)


@dataclass(frozen=True)
class Door:
    """How the command line reaches the service; a test hands in another opener."""

    opener: Opener = _open_service

    def service(self, settings: "Settings") -> "AbstractAsyncContextManager[Service]":
        """Open the service under a name of its own, so that two processes on one home leave each other's runs alone."""
        return self.opener(settings, executor=f"cli-{uuid.uuid4().hex[:12]}")


def settings_with(**given: Any) -> "Settings":
    """Return the settings of the environment, with those given on the command line (not None) in front."""
    from pydantic import ValidationError

    from service.errors import SettingsBroken
    from service.settings import Settings

    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        name = "FLAGBOOK_" + "_".join(str(part) for part in first["loc"]).upper()
        raise SettingsBroken(name=name, problem=first["msg"]) from None


def local_user() -> "User":
    """Return the person at this machine; on the command line they are a member of every space."""
    from service.runs import User

    return User()


@contextmanager
def answering(as_json: bool) -> Iterator[None]:
    """Turn what can go wrong into one sentence (or one JSON object) and an exit code.

    Also a fault of ours ends with 2: the 1 of an uncaught exception would be read as "a row is flagged".
    """
    from flags import FlagError
    from service.errors import CommandBroke, ServiceError, SettingsBroken

    try:
        yield
    except ServiceError as error:
        refuse(error, as_json)
    except FlagError as error:
        refuse(SettingsBroken(name="flags", problem=str(error)), as_json)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        logging.getLogger(__name__).info("the command broke", exc_info=error)
        refuse(CommandBroke(problem=f"{type(error).__name__}: {error}"), as_json)


def refuse(error: "ServiceError", as_json: bool) -> NoReturn:
    """Say why it could not be done, then exit with 2."""
    if as_json:
        typer.echo(as_line(error))
    else:
        say(f"[bold red]Error[/] {_plain(error.message)} [dim]({error.code})[/]")
    raise typer.Exit(NOT_STARTED)


def as_line(error: "ServiceError") -> str:
    """Return the error as one JSON object on one line."""
    return json.dumps(error.as_dict(), ensure_ascii=False, default=str)


def say(text: str) -> None:
    """Print a line with rich markup on stderr, where it never mixes with a result."""
    from rich.console import Console

    Console(stderr=True, highlight=False, soft_wrap=True).print(text)


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text)
