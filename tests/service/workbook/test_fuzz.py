"""Damaged in any way, a workbook either runs or is refused by name; it never hangs and never takes the memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def fuzz(seed: int, count: int) -> dict[str, object]:
    """Return what handling the mutants of a seed came to."""
    command = [sys.executable, str(Path(__file__).with_name("fuzz.py")), str(ROOT), str(seed), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_some_damaged_files_end_by_name() -> None:
    """A quick look: sixty mutants, none of which ends in an error without a name."""
    assert fuzz(1, 60)["unexpected"] == []


@pytest.mark.slow
def test_two_thousand_damaged_files_end_by_name() -> None:
    """No unnamed error, none over 10 s, never more than 500 MB; some still run, and many codes are met."""
    found = fuzz(20_24, 2_000)
    assert found["unexpected"] == []
    assert found["peak_mb"] < 500  # type: ignore[operator]
    ends = found["ends"]
    assert isinstance(ends, dict)
    assert ends["filled"] > 100
    assert len(ends) >= 8
