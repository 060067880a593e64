"""The page with the rows of one run."""

import pytest
from bs4 import BeautifulSoup

from service.api._fakes import MemoryRuns, a_run
from service.runs import RowView

EVIL = "<script>alert(1)</script>"


def row(number, level, finding="", **more):
    """Return a row as the run room shows it."""
    flagged = None if level == "open" else level != "clear"
    given = {"id": str(number), "question": f"Q{number} {EVIL}", "space": "HR", "state": "judged", "flagged": flagged}
    return RowView(number=number, position=number - 1, level=level, finding=finding, **{**given, **more})


@pytest.fixture
def runs() -> MemoryRuns:
    """A run with a row of each kind."""
    rows = (
        row(2, "clear", answer="A", reference="R"),
        row(3, "similarity", "embedding", review=True),
        row(4, "meaning", "contradiction", explanation=EVIL, answer=EVIL, correct=False, review=False),
        row(5, "not judged", code="judge_malformed"),
        row(6, "clear", audit=True),
        row(7, "content"),
        row(8, "open"),
    )
    return MemoryRuns(a_run("r1", audit=(6,), errors=1), a_run("r2", state="in_progress"), rows=rows)


def drawn(browser, path):
    """Return the rows of a page as numbers, and the page as a tree."""
    page = BeautifulSoup(browser.get(path).text, "html.parser")
    return [int(place.text.split("row ")[1].split()[0]) for place in page.select(".changes .places")], page


def test_flagged_rows_stand_first_the_heaviest_above(browser):
    """What a person sees first is what matters most; texts of rows cannot be markup."""
    numbers, page = drawn(browser, "/runs/r1")
    assert numbers == [4, 7, 3, 5]
    tags = [tag.text for tag in page.select(".changes .tag")]
    assert tags == [
        "Contradiction",
        "reviewed: no",
        "flagged",
        "Similarity",
        "reviewed: yes",
        "not judged: judge_malformed",
    ]
    assert page.select("main script") == []
    assert "benchmark answer marked wrong" in page.select_one(".places").text
    assert [node.text for node in page.select("[aria-current]")] == ["Flagged", "Heaviest first"]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("only=flagged&order=sheet", [3, 4, 5, 7]),
        ("only=all", [4, 7, 3, 5, 2, 6, 8]),
        ("only=all&order=sheet", [2, 3, 4, 5, 6, 7, 8]),
        ("only=audit", [6]),
        ("only=all&order=sheet&offset=5", [7, 8]),
    ],
)
def test_which_rows_are_shown_and_in_which_order_can_be_chosen(browser, query, numbers):
    """By severity or as in the sheet; flagged, all, or the audit sample."""
    assert drawn(browser, f"/runs/r1?{query}")[0] == numbers


def test_many_rows_come_in_pages(look):
    """The next page begins where this one ends."""
    browser = look(room=MemoryRuns(a_run("r1"), rows=[row(n, "meaning", "contradiction") for n in range(2, 62)]))
    numbers, page = drawn(browser, "/runs/r1")
    assert len(numbers) == 50
    further = page.select_one(".actions a")["href"]
    numbers, page = drawn(browser, f"/runs/r1{further}")
    assert numbers == list(range(52, 62))
    assert page.select_one(".actions a")["href"].endswith("offset=0")


def test_the_list_of_runs_leads_to_the_rows(browser):
    """And a run that does not exist says so; one without such rows as well."""
    page = BeautifulSoup(browser.get("/").text, "html.parser")
    assert page.select_one("#run-r1 a[href='/runs/r1']").text == "Rows"
    assert browser.get("/runs/nobody").status_code == 404


def test_a_run_without_such_rows_says_so(look):
    """While it runs they may still come."""
    browser = look(room=MemoryRuns(a_run("r1"), a_run("r2", state="in_progress")))
    assert "There are no such rows." in browser.get("/runs/r1").text
    assert "There are no such rows yet." in browser.get("/runs/r2").text
