"""The tables of settings in docs/spaces.md."""

import importlib

import pytest

from service.assistants import Space, backends
from service.assistants._reference import table


@pytest.mark.parametrize("name", [*backends(), "space"])
def test_every_setting_is_explained(name: str) -> None:
    """A setting without a meaning shows as None."""
    model = Space if name == "space" else importlib.import_module(f"service.assistants.{name}").Backend
    shown = table(model)
    assert "| None |" not in shown
    assert all(f"| `{field}` |" in shown for field in model.model_fields if field != "settings")


def test_defaults_are_shown_as_they_are_written() -> None:
    """What must be given is told apart from what may be left out."""
    shown = table(Space)
    assert "| `name` | must be given |" in shown
    assert "| `concurrency` | `8` |" in shown
    assert "| `members` | – |" in shown
