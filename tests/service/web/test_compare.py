"""The page on which two runs are compared."""

import pytest
from bs4 import BeautifulSoup

from service.api._fakes import MemoryRuns, a_run
from service.runs import Outcome

EVIL = "<script>alert(1)</script>"


def outcome(number, passes, **more):
    """Return a row."""
    given = {"space": "HR", "question": f"Question {number}? {EVIL}", "reference": "R", "answer": EVIL}
    return Outcome(number=number, passes=passes, **{**given, **more})


@pytest.fixture
def runs() -> MemoryRuns:
    """Two runs that ended, and one that goes on."""
    room = MemoryRuns(a_run("r1"), a_run("r2", judge="llm m"), a_run("r3", state="in_progress"))
    room.outcomes["r1"] = tuple(outcome(number, True) for number in range(2, 8))
    changed = (outcome(number, False, correct=number != 2, explanation="It deviates.") for number in range(2, 8))
    room.outcomes["r2"] = (*changed, outcome(8, True, space="Tax"))
    return room


def drawn(browser, path):
    """Return a page as a tree, with its status."""
    reply = browser.get(path)
    return reply.status_code, BeautifulSoup(reply.text, "html.parser")


def test_two_finished_runs_can_be_chosen(browser):
    """One that goes on cannot; the run a person came from is chosen already."""
    status, page = drawn(browser, "/compare?b=r2")
    assert status == 200
    assert [option["value"] for option in page.select("select[name=a] option")] == ["", "r1", "r2"]
    assert page.select_one("select[name=b] option[selected]")["value"] == "r2"
    assert page.select_one("#verdict") is None


def test_the_verdict_stands_above_rates_and_changed_rows(browser):
    """What a person reads first is whether it got worse; texts of rows cannot be markup."""
    _, page = drawn(browser, "/compare?a=r1&b=r2")
    words = " ".join(page.main.get_text(" ").split())
    assert page.select_one("#verdict .tag.bad").text == "worse"
    assert "Worse: of 6 rows judged on both sides, 6 deviate now" in words
    assert "Judge differs: local 1 in A, llm m in B." in words
    assert "100% 6 of 6, 95 % 61%–100%" in words
    assert "May be better: the benchmark answer was marked wrong" in words
    assert "7 rows changed" in words
    assert [tag.text for tag in page.select("h3 ~ .changes .tag")].count("new in B") == 1
    assert page.select("main script") == []
    assert page.select_one("a[download]")["href"] == "/api/v1/compare/workbook?a=r1&b=r2"


def test_runs_that_cannot_be_compared_say_why(browser):
    """The sentence stands on the page, the choice stays."""
    status, page = drawn(browser, "/compare?a=r1&b=nobody")
    assert status == 404
    assert page.select_one("[role=alert]") is not None
    assert len(page.select("select")) == 2


def test_there_must_be_two_runs(look):
    """Before that the page says so."""
    status, page = drawn(look(room=MemoryRuns(a_run("r1"))), "/compare")
    assert (status, page.select("select")) == (200, [])
    assert "There are not two finished runs yet." in page.main.text


def test_the_list_leads_to_the_comparison(browser):
    """From each finished run, and from the head of the page."""
    _, page = drawn(browser, "/")
    links = [link["href"] for link in page.select("a[href^='/compare']")]
    assert links == ["/compare", "/compare?b=r1", "/compare?b=r2"]
