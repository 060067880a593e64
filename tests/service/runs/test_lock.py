"""One process of a name on one home."""

import subprocess
import sys
from pathlib import Path

import pytest

from service.errors import HomeBusy, HomeUnusable
from service.runs._lock import is_alive, only_one

HOLD = """
import sys, time
from pathlib import Path
from service.runs._lock import only_one
with only_one(Path(sys.argv[1]), "serve"):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_process_of_the_same_name_is_refused(tmp_path: Path) -> None:
    """Other names on the same home are welcome, and the name is free again afterwards."""
    with only_one(tmp_path / "home", "serve"):
        assert is_alive(tmp_path / "home", "serve")
        with pytest.raises(HomeBusy, match="serve"), only_one(tmp_path / "home", "serve"):
            pass
        with only_one(tmp_path / "home", "cli-1"):
            assert is_alive(tmp_path / "home", "cli-1")
    assert not is_alive(tmp_path / "home", "serve")


def test_a_process_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    """Its file stays, its hold does not."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "held"
    assert is_alive(tmp_path, "serve")
    process.kill()
    process.wait()
    assert not is_alive(tmp_path, "serve")
    with only_one(tmp_path, "serve"):
        pass


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "home").write_text("")
    with pytest.raises(HomeUnusable, match="home"), only_one(tmp_path / "home", "serve"):
        pass
