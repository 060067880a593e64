"""Runs are carried out on the fast event loop where there is one."""

import asyncio
import sys

import pytest

from service.cli._loop import run_to_end


async def _module_of_loop() -> str:
    return type(asyncio.get_running_loop()).__module__


def test_work_is_done_on_the_fast_loop() -> None:
    """What it returns comes back; Windows keeps its own loop."""
    assert run_to_end(_module_of_loop()).partition(".")[0] == ("asyncio" if sys.platform == "win32" else "uvloop")


def test_windows_keeps_its_own_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no other for it."""
    monkeypatch.setattr(sys, "platform", "win32")
    assert run_to_end(_module_of_loop()).startswith("asyncio")
