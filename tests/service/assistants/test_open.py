"""Opening the assistant behind a space."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from service.assistants import Kit, Space, open_assistant
from service.assistants._shelf import Shelf
from service.errors import KeyMissing, SpaceBroken

BROKEN = [
    ("carrier-pigeon", {}, "there is no backend “carrier-pigeon”"),
    ("documents", {"documents": "/nowhere/at/all"}, "/nowhere/at/all does not exist"),
    ("documents", {"folder": "x"}, "folder: there is no such setting"),
    ("openai", {}, "model: this setting is missing"),
]


@pytest.mark.parametrize(("backend", "settings", "problem"), BROKEN)
def test_a_snapshot_that_cannot_be_opened_any_more_says_why(
    kit: Kit, space: Callable[..., Space], backend: str, settings: dict[str, str], problem: str
) -> None:
    """A folder that was moved since, a backend of another version."""
    with pytest.raises(SpaceBroken, match=problem):
        open_assistant(space(backend, **settings), kit)


def test_a_missing_key_is_noticed_when_the_space_is_opened(
    kit: Kit, space: Callable[..., Space], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not when the file is read: another machine may hold the key."""
    monkeypatch.delenv("SOME_KEY", raising=False)
    with pytest.raises(KeyMissing, match="SOME_KEY"):
        open_assistant(space("openai", model="m", api_key_env="SOME_KEY"), kit)


async def test_what_is_dear_is_built_once_however_many_ask() -> None:
    """Twenty questions at the same time wait for one index."""
    built: list[str] = []

    async def build() -> str:
        built.append("x")
        await asyncio.sleep(0)
        return "thing"

    shelf = Shelf(most=2)
    assert set(await asyncio.gather(*(shelf.get("a", build) for _ in range(20)))) == {"thing"}
    assert len(built) == 1
    for key in ("b", "a", "c", "a"):
        await shelf.get(key, build)
    assert len(built) == 3
    await shelf.get("b", build)
    assert len(built) == 4


async def test_a_build_that_failed_is_tried_again() -> None:
    """A full disk may be empty again."""
    shelf = Shelf()
    outcomes: list[Exception | str] = [OSError("disk full"), "thing"]

    async def build() -> str:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    with pytest.raises(OSError, match="disk full"):
        await shelf.get("a", build)
    assert await shelf.get("a", build) == "thing"


def test_a_kit_does_not_show_what_lies_on_its_shelf(kit: Kit, tmp_path: Path) -> None:
    """A log line with a kit is short."""
    assert "Shelf" not in repr(kit)
