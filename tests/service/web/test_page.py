"""The page as it is drawn."""

from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from service.api._fakes import MemoryRuns, a_run
from service.runs import Estimate, Failure, Remark, RunOptions

EVIL = '<script>alert("x")</script>.xlsx'
XLSX = ("Benchmark.xlsx", b"PK workbook", "application/octet-stream")


def tree(reply):
    """Return a response as a tree."""
    return BeautifulSoup(reply.text, "html.parser")


def words(node):
    """Return the words a person reads."""
    return " ".join(node.get_text(" ").split())


@pytest.mark.parametrize(
    ("changes", "tag", "tone"),
    [
        ({"state": "queued", "done": 0}, "In Progress", "busy"),
        ({"state": "in_progress", "done": 5}, "In Progress", "busy"),
        ({"state": "ready"}, "ready", "good"),
        ({"state": "ready", "errors": 1}, "ready, 1 error", "good"),
        ({"state": "ready", "errors": 3}, "ready, 3 errors", "good"),
        ({"state": "failed"}, "failed", "bad"),
        ({"state": "cancelled"}, "cancelled", "quiet"),
    ],
)
def test_each_state_has_its_tag_and_colour(draw, changes, tag, tone):
    """In Progress while it runs, a green ready afterwards, with the number of errors."""
    found = draw(a_run("r1", **changes)).select_one(".run .tag")
    assert (found.text, found["class"]) == (tag, ["tag", tone])


def test_a_running_run_shows_its_counts(draw):
    """Done, total, time left, flagged and errors so far, and a bar."""
    run = a_run("r1", state="in_progress", done=12, flagged=3, errors=1, seconds_left=42.0)
    live = draw(run).select_one("[data-live]")
    assert "12 of 25 questions · about 40 seconds left" in words(live)
    assert "3 flagged so far" in words(live)
    assert "1 error" in words(live)
    assert (live.progress["value"], live.progress["max"]) == ("12", "25")


@pytest.mark.parametrize(
    ("changes", "offered"),
    [
        ({"state": "in_progress", "done": 5}, ["Download so far", "Cancel"]),
        ({}, ["Download", "Only flagged", "Rows", "Adopt…", "Delete…"]),
        ({"flagged": 0}, ["Download", "Rows", "Adopt…", "Delete…"]),
        ({"flagged": 0, "errors": 2}, ["Download", "Only flagged", "Rows", "Adopt…", "Delete…"]),
        ({"state": "cancelled", "done": 0, "flagged": 0}, ["Download", "Delete…"]),
        ({"state": "failed", "flagged": 0}, ["Download", "Rows", "Delete…"]),
    ],
)
def test_what_can_be_done_depends_on_the_state(draw, changes, offered):
    """Only what would work is offered."""
    run = draw(a_run("r1", **changes)).select_one(".run > .actions")
    assert [words(item) for item in run.select(".button")] == offered


def test_a_ready_run_says_what_was_found(draw):
    """How many are flagged, and by which flag."""
    found = words(draw(a_run("r1", errors=2)).select_one("[data-live]"))
    assert "7 of 25 flagged contradiction 4 extent 3" in found
    assert "2 questions could not be answered or judged" in found


def test_nothing_flagged_is_not_said_of_rows_that_were_not_judged(draw):
    """With errors, a clean result is clean among the judged answers only."""
    assert words(draw(a_run("r1", flagged=0)).select_one(".clean")) == "Nothing flagged"
    assert "among the judged answers" in words(draw(a_run("r1", flagged=0, errors=2)).select_one(".clean"))
    assert draw(a_run("r1", flagged=0, errors=25)).select(".clean") == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"flagged": 0}, "25 of 25 cells fully right; the scores stand in the sheets Summary and Heatmap"),
        ({"flagged": 7, "errors": 1}, "18 of 25 cells fully right"),
        ({"flagged": 7, "errors": 1}, "1 cell could not be scored and counts in no mean. Column “error” says why."),
        ({"state": "in_progress", "done": 5, "flagged": 2}, "5 of 25 cells"),
        ({"state": "in_progress", "done": 5, "flagged": 2}, "2 not fully right so far"),
    ],
)
def test_an_experiment_counts_cells_and_offers_its_result_alone(draw, changes, said):
    """There is nothing to adopt, no question, and no flag that a person would filter on."""
    found = draw(a_run("r1", experiment=True, **changes)).select_one(".run")
    assert said in words(found)
    assert "question" not in words(found.select_one(".run-live"))
    assert "Adopt…" not in words(found)
    assert "Only flagged" not in words(found)


def test_a_failed_run_says_why(draw):
    """The sentence of its error stands there."""
    failure = Failure(message="The disk is full.", code="run_broken")
    assert "The disk is full." in words(draw(a_run("r1", state="failed", failure=failure)).select_one(".run"))


def test_choices_beyond_the_usual_are_shown(draw):
    """A try of the first questions is not mistaken for a whole run."""
    run = a_run("r1", options=RunOptions(rows="1-5", judge_only=True, trials=3), origin="r0", cached=1)
    facts = words(draw(run).select_one(".run-facts"))
    assert "questions 1-5" in facts
    assert "nothing asked" in facts
    assert "judged again" in facts


def test_texts_of_people_stay_texts(look, runs):
    """File names, spaces, messages: nothing becomes markup."""
    remark = Remark(code="c", message="<img src=x onerror=alert(1)>", cell="<b>")
    room = MemoryRuns(
        a_run("r1", name=EVIL, spaces={EVIL: 1}, failure=Failure(message=EVIL, code="c"), state="failed"),
        a_run("r2", name=EVIL, state="in_progress"),
        a_run("r3", name=EVIL),
    )
    room.report = replace(room.report, sheet=EVIL, spaces={EVIL: 1}, notes=(remark,), errors=(remark,))
    browser = look(room=room, spaces=(EVIL,))
    for reply in (browser.get("/"), browser.post("/upload", files={"file": (EVIL, b"PK")})):
        page = tree(reply)
        assert [script.get("src") for script in page.select("script")] == ["/static/main.js"]
        assert page.select("img[onerror]") == []
        assert EVIL in page.get_text()


def test_an_empty_list_tells_where_to_begin(draw):
    """The first visitor is led to the template, the steps and the spaces."""
    page = draw()
    assert "Nothing here yet" in words(page.select_one("#runs"))
    assert page.select_one("#runs a")["href"] == "/api/v1/template"
    assert len(page.select(".steps li")) == 4
    assert "Travel Desk" in words(page.select_one("#how"))


def test_without_spaces_it_is_said_who_declares_them(draw):
    """Nobody wonders why nothing can be asked."""
    assert "spaces.yaml" in words(draw(spaces=()).select_one("#how"))


def test_many_runs_are_shown_on_demand(look):
    """The newest twenty first, all behind a link."""
    room = MemoryRuns(*(a_run(f"r{number}") for number in range(25)))
    browser = look(room=room)
    page = tree(browser.get("/"))
    assert len(page.select(".run")) == 20
    assert page.select_one(".all a").text == "Show all 25"
    assert len(tree(browser.get(page.select_one(".all a")["href"])).select(".run")) == 25


def test_a_dropped_workbook_starts_and_is_reported_on(browser, runs):
    """The report names sheet and questions per space; the run is on the list."""
    page = tree(browser.post("/upload", files={"file": XLSX}))
    report = words(page.select_one(".report"))
    assert "25 questions on sheet “Questions”" in report
    assert "2 columns found, 1 not" in report
    assert "Found: Question in B1, Assistant in C1." in report
    assert "Not found: sources_used_benchmark." in report
    assert "Travel Desk 14 questions" in report
    assert page.select_one(".report .tag").text == "started"
    assert page.select_one(".run .tag").text == "In Progress"
    assert runs.asked[-1][1]["options"] == RunOptions()


def test_scripts_get_the_report_alone(browser):
    """A fragment without the page around it."""
    reply = browser.post("/upload", files={"file": XLSX}, headers={"x-fragment": "true"})
    assert reply.text.lstrip().startswith("<article")
    assert tree(reply).select(".run") == []


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ({"run": "first"}, RunOptions(rows="1-5")),
        ({"run": "all", "rows": " 2-3 ", "sheet": "Fragen"}, RunOptions(rows="2-3", sheet="Fragen")),
        ({"judge_only": "true"}, RunOptions(judge_only=True)),
        ({"thorough": "true", "trials": "3"}, RunOptions(thorough=True, trials=3)),
    ],
)
def test_the_pages_options_reach_the_run(browser, runs, form, options):
    """First questions, chosen ones, given answers only."""
    browser.post("/upload", files={"file": XLSX}, data=form)
    assert runs.asked[-1][1]["options"] == options


def test_a_first_try_of_a_short_file_takes_what_there_is(browser, runs):
    """Three questions are three, not an error about the fourth."""
    runs.report = replace(runs.report, questions=3)
    browser.post("/upload", files={"file": XLSX}, data={"run": "first"})
    assert runs.asked[-1][1]["options"] == RunOptions(rows="1-3")


def test_a_mere_check_starts_nothing(browser, runs):
    """With scripts it can be started from the report; without, it is said how."""
    page = tree(browser.post("/upload", files={"file": XLSX}, data={"run": "check"}))
    assert list(runs.known) == ["r1"]
    assert "Nothing was started" in words(page.select_one(".report"))
    fragment = browser.post("/upload", files={"file": XLSX}, data={"run": "check"}, headers={"x-fragment": "true"})
    assert [button["data-start"] for button in tree(fragment).select("[data-start]")] == ["all", "first"]


def test_a_check_of_an_experiment_says_what_it_will_take(browser, runs):
    """Calls, tokens, cost where prices are known, and what is too long; nothing is called a question."""
    known = Estimate(assistant="A", cells=5, skipped=2, prompt_tokens=9000, completion_tokens=90, window=4000, cost=1.5)
    unknown = Estimate(assistant="B", cells=1, skipped=0, prompt_tokens=70, completion_tokens=9)
    runs.report = replace(runs.report, estimates=(known, unknown), questions=6)
    report = words(tree(browser.post("/upload", files={"file": XLSX}, data={"run": "check"})).select_one(".report"))
    assert "6 cells on sheet" in report
    assert (
        "A will take 3 calls, about 9,000 tokens in and at most 90 tokens out, which cost 1.50 at the prices of the "
        "config. 2 cells do not fit into its window of 4,000 tokens and will be skipped."
    ) in report
    assert "B will take 1 call, about 70 tokens in and at most 9 tokens out." in report
    assert "will be skipped" not in report.partition("B will take")[2]


def test_a_refused_file_says_why(browser, runs):
    """The sentence of the error, in the place of the report, with the status of the error."""
    reply = browser.post("/upload", files={"file": ("notes.txt", b"hello")})
    assert reply.status_code == 422
    assert "notes.txt refused This is not an Excel workbook" in words(tree(reply).select_one(".report.bad"))
    assert list(runs.known) == ["r1"]


def test_the_same_finding_in_many_rows_is_one_line(browser, runs):
    """A misspelt space is one line with its cells, not three hundred."""
    remarks = tuple(
        Remark(code="space_unknown", message="No such space.", cell=f"C{row}", row=row) for row in range(2, 302)
    )
    runs.report = replace(runs.report, errors=remarks)
    report = tree(browser.post("/upload", files={"file": XLSX})).select_one(".report")
    assert "300 rows will not be asked" in words(report)
    assert [words(item) for item in report.select(".errors li")] == [
        "No such space. C2, C3, C4, C5, C6, C7, C8, C9 and 292 more"
    ]


@pytest.mark.parametrize("action", ["cancel", "delete"])
def test_forms_work_without_scripts(browser, runs, action):
    """Cancel and delete lead back to the page."""
    reply = browser.post(f"/runs/r1/{action}", follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    assert ("r1" in runs.known) == (action == "cancel")


@pytest.mark.parametrize(("action", "left"), [("cancel", ["cancelled"]), ("delete", [])])
def test_scripts_get_the_list_after_an_action(browser, action, left):
    """The list as it is now, without the page around it."""
    reply = browser.post(f"/runs/r1/{action}", headers={"x-fragment": "true"})
    assert [run["data-state"] for run in tree(reply).select(".run")] == left
    assert "<html" not in reply.text


def test_adopting_without_scripts_is_a_download(browser, runs):
    """An empty file field is no file; a reviewed file is sent on."""
    reply = browser.post("/runs/r1/adopt", files={"file": ("", b"")}, data={"every": "true"})
    assert "attachment" in reply.headers["content-disposition"]
    assert runs.asked[-1] == ("adopt", {"every": True, "content": None})
    browser.post("/runs/r1/adopt", files={"file": ("r.xlsx", b"PK reviewed")})
    assert runs.asked[-1] == ("adopt", {"every": False, "content": b"PK reviewed"})


def test_the_address_of_a_form_leads_home(browser):
    """Reloading after an upload is no error."""
    assert browser.get("/upload", follow_redirects=False).headers["location"] == "/"


def test_errors_are_pages_for_people_and_json_for_programs(browser):
    """The Accept header decides; under /api it is always JSON."""
    assert "There is nothing at /nowhere." in words(tree(browser.get("/nowhere")).main)
    assert browser.get("/nowhere", headers={"accept": "*/*"}).json()["code"] == "address_unknown"
    assert browser.get("/api/v1/nowhere").json()["code"] == "address_unknown"
    assert browser.post("/runs/r9/cancel").status_code == 404


@pytest.mark.parametrize(
    "path",
    ["//etc/hostname", "/%2e%2e/", "/static/%2e%2e/", "/static/..%2f..%2fpyproject.toml", "/static//etc/hostname"],
)
def test_no_path_leads_out_of_the_pages(browser, path):
    """Whatever the slashes and dots say, there is nothing."""
    reply = browser.get(f"http://localhost:8300{path}", follow_redirects=False)
    assert reply.status_code == 404


def test_a_page_without_its_token_asks_for_it(look):
    """The form logs in; styles are shown before that, runs are not."""
    browser = look(token="secret")
    reply = browser.get("/")
    assert reply.status_code == 401
    assert tree(reply).select_one("form.login")["action"] == "/login"
    assert "Benchmark.xlsx" not in reply.text
    assert browser.get("/static/page.css").status_code == 200
    assert "not the token" in words(tree(browser.post("/login", data={"token": "wrong"})).main)
    assert "Benchmark.xlsx" in browser.post("/login", data={"token": "secret"}).text


def test_only_a_page_with_something_running_reloads_itself_without_scripts(draw):
    """A quiet page stays as it is."""
    assert draw(a_run("r1")).select("noscript") == []
    assert "refresh" in str(draw(a_run("r1", state="in_progress")).select_one("noscript"))


def test_the_list_alone_is_drawn_for_scripts(browser):
    """Without the page around it."""
    reply = browser.get("/fragments/runs")
    assert [run["id"] for run in tree(reply).select(".run")] == ["run-r1"]
    assert "<html" not in reply.text
