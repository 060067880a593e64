"""The page with accepted answers."""

from datetime import UTC, datetime

from bs4 import BeautifulSoup

from service.runs import ApprovedView

EVIL = "<script>alert(1)</script>"


def test_an_accepted_answer_can_be_taken_back_on_the_page(browser, runs):
    """Who accepted it and when stands beside it; texts cannot be markup."""
    when = datetime(2026, 3, 2, tzinfo=UTC)
    runs.reviews.accepted = [ApprovedView(id="a1", space="HR", question=EVIL, answer=EVIL, user="ann", when=when)]
    page = BeautifulSoup(browser.get("/approved").text, "html.parser")
    assert page.select("main script") == []
    assert "ann, 02 Mar 2026" in page.select_one(".places").text
    reply = browser.post(page.form["action"], headers={"origin": "http://localhost:8300"})
    assert (reply.status_code, reply.url.path) == (200, "/approved")
    assert "No flagged answer was accepted yet." in reply.text
