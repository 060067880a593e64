"""What stands in the log, and what never does."""

import json
import logging
import sys
from io import StringIO

import pytest
import structlog

from service.cli._logs import configure_logs


class Terminal(StringIO):
    """A stderr at which somebody sits."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@pytest.fixture(autouse=True)
def _as_before():
    """Leave the logs as they were."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    root.handlers, root.level = before, level
    structlog.reset_defaults()


def test_a_line_is_json_where_no_person_reads_along(monkeypatch):
    """Ours and those of libraries, with what was bound."""
    monkeypatch.setattr(sys, "stderr", out := StringIO())
    configure_logs(1)
    with structlog.contextvars.bound_contextvars(run="r1", row=7):
        structlog.get_logger("a").info("row_carried", space="Law")
        logging.getLogger("library").warning("careful: %s", "x")
    ours, theirs = map(json.loads, out.getvalue().splitlines())
    assert (ours["event"], ours["run"], ours["row"], ours["space"], ours["level"]) == (
        "row_carried",
        "r1",
        7,
        "Law",
        "info",
    )
    assert (theirs["event"], theirs["run"], theirs["logger"]) == ("careful: x", "r1", "library")


@pytest.mark.parametrize("kind", [StringIO, Terminal])
def test_a_trace_shows_no_variables(monkeypatch, kind):
    """A key that lay in one would stand in the log."""
    monkeypatch.setattr(sys, "stderr", out := kind())
    configure_logs(1)
    key = "-".join(("sk", "canary"))
    try:
        raise ValueError(len(key))
    except ValueError:
        structlog.get_logger("a").exception("failed")
        logging.getLogger("b").exception("failed")
    assert out.getvalue().count("ValueError") >= 2
    assert key not in out.getvalue()


def test_a_person_reads_lines(monkeypatch):
    """At a terminal there is no JSON."""
    monkeypatch.setattr(sys, "stderr", out := Terminal())
    configure_logs(1)
    structlog.get_logger("a").info("run_ready", run="r1")
    assert "run_ready" in out.getvalue()
    assert not out.getvalue().startswith("{")
