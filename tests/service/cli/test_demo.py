"""`flagbook demo`: where it works and what it leaves alone."""

import pytest

from service.api._fakes import a_run
from service.cli import _examples
from service.errors import ExamplesMissing


@pytest.mark.parametrize("variable", ["FLAGBOOK_JUDGE", "FLAGBOOK_PORT", "FLAGBOOK_EMBEDDER"])
def test_the_demo_reads_no_setting_of_this_machine(desk, tmp_path, monkeypatch, variable):
    """Whatever is set, even wrongly: the judge is local, the model packaged, the database the demo's own."""
    monkeypatch.setenv(variable, "llm")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    assert desk.type("demo", "--out", tmp_path / "new" / "demo").exit_code == 0
    (settings,) = desk.opened
    assert (settings.judge, settings.embedder, settings.port) == ("local", "packaged", 8300)
    assert settings.home == tmp_path / "new" / "demo" / "home"


def test_the_demo_ends_well_although_a_row_was_not_judged(desk, tmp_path):
    """It is meant to be so: one row names a space that does not exist."""
    desk.runs.end = a_run(errors=1)
    result = desk.type("demo", "--out", tmp_path)
    assert result.exit_code == 0
    assert (tmp_path / "Benchmark_flagged.xlsx").read_bytes().startswith(b"PK")
    assert "flagbook adopt" in result.stdout


def test_a_place_that_cannot_be_written_is_named(desk, tmp_path):
    """A file stands where the folder should be."""
    (tmp_path / "demo").write_bytes(b"")
    result = desk.type("demo", "--out", tmp_path / "demo")
    assert result.exit_code == 2
    assert "output_refused" in result.stderr


def test_examples_of_the_installed_package_are_found_without_a_checkout(tmp_path, monkeypatch):
    """Beside the installed code lies a copy; without it the person is told."""
    monkeypatch.setattr(_examples, "HERE", tmp_path / "site" / "service" / "cli" / "_examples.py")
    with pytest.raises(ExamplesMissing):
        _examples.examples_folder()
    packaged = tmp_path / "site" / "service" / "_examples"
    packaged.mkdir(parents=True)
    for name in ("spaces.yaml", "Benchmark.xlsx"):
        (packaged / name).touch()
    assert _examples.examples_folder() == packaged
