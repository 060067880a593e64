"""What is shipped beside the code: fixed versions, the container and the scripts."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
DIRECT = PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["dev"]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["flagbook"]


def name_of(requirement: str) -> str:
    """Return a requirement's normalised project name."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0]).lower()


def locked() -> dict[str, str]:
    """Return the fixed version of each project in constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return {name_of(line): line.partition("==")[2] for line in lines if "==" in line}


@pytest.mark.parametrize("requirement", DIRECT)
def test_every_dependency_has_one_fixed_version(requirement: str) -> None:
    """Two installs are equal: whatever pyproject.toml asks for is fixed in constraints.txt."""
    assert re.fullmatch(r"[0-9][0-9a-z.]*", locked()[name_of(requirement)])


def test_torch_is_the_same_release_everywhere_and_names_no_local_build() -> None:
    """The version that pyproject.toml pins is the one of constraints.txt, so that the CPU build satisfies both."""
    assert f"torch=={locked()['torch']}" in DIRECT


def test_the_container_runs_as_nobody_in_particular_and_starts_the_service() -> None:
    """The image's last user is a number other than root's, and its command is `flagbook serve`."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert [line for line in lines if line.startswith("USER ")] == ["USER 10001"]
    assert 'ENTRYPOINT ["flagbook"]' in lines
    assert lines[-1] == 'CMD ["serve"]'


def test_the_composed_container_can_write_its_data_only() -> None:
    """The root file system and the spaces are read-only, all capabilities are dropped, a token is demanded."""
    assert COMPOSE["read_only"] is True
    assert COMPOSE["cap_drop"] == ["ALL"]
    assert COMPOSE["volumes"] == ["data:/data", "./examples:/spaces:ro"]
    assert COMPOSE["environment"]["FLAGBOOK_TOKEN"].startswith("${FLAGBOOK_TOKEN:?")


def test_the_container_is_published_on_loopback_only() -> None:
    """`docker compose up` opens nothing to the network that the administrator did not ask for."""
    assert COMPOSE["ports"] == ["127.0.0.1:8300:8300"]
