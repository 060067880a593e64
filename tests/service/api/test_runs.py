"""Runs over HTTP."""

import base64
import json
from dataclasses import replace
from io import BytesIO
from urllib.parse import unquote

import pytest

from flags import Source, Verdict
from service.api._fakes import MemoryRuns, a_run
from service.runs import CSV_TYPE, XLSX_TYPE, Remark, RowView, RunOptions

XLSX = ("Benchmark.xlsx", b"PK workbook", XLSX_TYPE)


def test_a_workbook_becomes_a_run(client, runs):
    """The reply holds the run, the check's report and where to look."""
    reply = client.post("/api/v1/runs", files={"file": XLSX})
    body = reply.json()
    assert reply.status_code == 201
    assert reply.headers["location"] == f"/api/v1/runs/{body['id']}"
    assert (body["state"], body["total"], body["report"]["questions"]) == ("in_progress", 25, 25)
    assert runs.asked[-1] == (
        "submit",
        {"content": b"PK workbook", "filename": "Benchmark.xlsx", "options": RunOptions()},
    )


def test_every_option_reaches_the_run(client, runs):
    """Form fields become the run's options."""
    form = {
        "judge": "local",
        "thorough": "true",
        "trials": "3",
        "judge_only": "true",
        "rows": "1-5,8",
        "counts": "contradiction, extent",
        "flags": json.dumps({"embedding": {"threshold": 0.9}}),
        "sheet": "Fragen",
    }
    assert client.post("/api/v1/runs", files={"file": XLSX}, data=form).status_code == 201
    assert runs.asked[-1][1]["options"] == RunOptions(
        judge="local",
        thorough=True,
        trials=3,
        judge_only=True,
        rows="1-5,8",
        counts=("contradiction", "extent"),
        flags={"embedding": {"threshold": 0.9}},
        sheet="Fragen",
    )
    assert runs.asked[0][1]["sheet"] == "Fragen"


@pytest.mark.parametrize("field", ["judge", "thorough", "trials", "rows", "counts", "flags", "sheet"])
def test_an_empty_field_is_a_field_not_given(client, runs, field):
    """Forms send fields that nobody filled in."""
    client.post("/api/v1/runs", files={"file": XLSX, field: (None, "")})
    assert runs.asked[-1][1]["options"] == RunOptions()


def test_spaces_do_not_matter_when_nothing_is_asked(client, runs):
    """The report on given answers does not complain about spaces; other errors stay."""
    unknown = Remark(code="space_unknown", message="No such space.", cell="C2", row=2)
    broken = Remark(code="cell_error_value", message="#REF!", cell="B3", row=3)
    runs.report = replace(runs.report, errors=(unknown, broken))
    asked = client.post("/api/v1/runs", files={"file": XLSX}).json()["report"]["errors"]
    judged = client.post("/api/v1/runs", files={"file": XLSX}, data={"judge_only": "true"}).json()["report"]["errors"]
    assert [error["cell"] for error in asked] == ["C2", "B3"]
    assert [error["cell"] for error in judged] == ["B3"]


@pytest.mark.parametrize(
    ("form", "part"),
    [
        ({"judge": "oracle"}, "judge: Input should be 'auto', 'local' or 'llm'"),
        ({"flags": "{not json"}, "flags: Invalid JSON"),
        ({"speed": "fast"}, "speed: Extra inputs are not permitted"),
    ],
)
def test_a_wrong_option_is_named(client, runs, form, part):
    """What cannot be used is refused in the one shape, and nothing starts."""
    reply = client.post("/api/v1/runs", files={"file": XLSX}, data=form)
    assert (reply.status_code, reply.json()["code"]) == (422, "request_invalid")
    assert part in reply.json()["message"]
    assert runs.asked == []


def test_a_file_that_is_no_workbook_is_refused(client, runs):
    """The check's error is the reply; no run begins."""
    reply = client.post("/api/v1/runs", files={"file": ("notes.txt", b"hello", "text/plain")})
    assert reply.status_code == 422
    assert set(reply.json()) == {"message", "code", "params"}
    assert list(runs.known) == ["r1"]


def test_a_missing_file_is_said_so(client):
    """A form without its file names the field."""
    reply = client.post("/api/v1/runs", data={"rows": "1-5"})
    assert (reply.status_code, reply.json()["message"]) == (
        422,
        "The request cannot be used: file: Field required",
    )


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("C:\\Users\\Ana\\Bench mark.xlsx", "Bench mark.xlsx"),
        ("../../etc/Fragen über Reisen.xlsx", "Fragen über Reisen.xlsx"),
        ("<script>alert(1)</script>.xlsx", "script>.xlsx"),
        ("folder/", "workbook.xlsx"),
    ],
)
def test_only_the_bare_name_of_a_file_is_kept(client, runs, sent, kept):
    """Paths that browsers or people send along are dropped."""
    client.post("/api/v1/runs", files={"file": (sent, b"PK")})
    assert runs.asked[-1][1]["filename"] == kept


def test_a_check_stores_nothing(client, runs):
    """The dry report names sheet, questions per space, columns, notes and errors."""
    reply = client.post("/api/v1/check", files={"file": XLSX})
    assert reply.status_code == 200
    assert reply.json() == {
        "sheet": "Questions",
        "header_row": 1,
        "questions": 25,
        "spaces": {"Travel Desk": 14, "Reisekosten": 11},
        "columns": {"found": {"Question": "B1", "Assistant": "C1"}, "missing": ["sources_used_benchmark"]},
        "notes": [],
        "errors": [],
        "estimates": [],
        "outlook": None,
    }
    assert list(runs.known) == ["r1"]


def test_runs_are_listed_and_shown(client):
    """A list of runs, and one of them."""
    assert [run["id"] for run in client.get("/api/v1/runs").json()] == ["r1"]
    run = client.get("/api/v1/runs/r1").json()
    assert (run["state"], run["flagged"], run["created"]) == ("ready", 7, "2026-03-02T12:00:00Z")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ""),
        ("GET", "/rows"),
        ("GET", "/workbook"),
        ("POST", "/cancel"),
        ("POST", "/adopt"),
        ("POST", "/rejudge"),
        ("POST", "/resume"),
        ("DELETE", ""),
    ],
)
def test_a_run_that_does_not_exist_is_404_everywhere(client, method, path):
    """Each route says the same about an unknown run."""
    reply = client.request(method, f"/api/v1/runs/nowhere{path}")
    assert (reply.status_code, reply.json()) == (
        404,
        {"message": "There is no run nowhere.", "code": "run_unknown", "params": {"run": "nowhere"}},
    )


def a_row(number: int, flagged: bool) -> RowView:
    """Return a judged row."""
    return RowView(
        number=number,
        position=number - 1,
        id=str(number),
        question="How much?",
        space="Travel Desk",
        state="judged",
        answer="80 EUR",
        sources=(Source(name="Policy", pages="3"),),
        messages={"model": "echo", "tokens": 12},
        verdicts={"contradiction": Verdict.given(flagged, "80 against 90"), "module": Verdict.skipped("no modules")},
        flagged=flagged,
    )


@pytest.mark.parametrize(
    ("query", "numbers"),
    [("", [2, 3, 4]), ("?flagged=true", [2, 4]), ("?flagged=false", [3]), ("?offset=1&limit=1", [3])],
)
def test_rows_come_in_pages_and_by_flag(connect, runs, query, numbers):
    """Rows carry answers and verdicts in full."""
    runs.stored_rows = (a_row(2, True), a_row(3, False), a_row(4, True))
    rows = connect().get(f"/api/v1/runs/r1/rows{query}").json()
    assert [row["number"] for row in rows] == numbers
    assert rows[0]["verdicts"]["module"]["status"] == "skipped"
    assert rows[0]["messages"] == {"model": "echo", "tokens": 12}


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("?order=severity", [4, 2, 3]),
        ("?order=severity&flagged=true", [4, 2]),
        ("?order=severity&flagged=false", [3]),
        ("?audit=true", [3]),
        ("?order=severity&limit=1&offset=1", [2]),
    ],
)
def test_rows_come_by_severity_and_by_audit_sample(connect, runs, query, numbers):
    """A client sees the same order as the page."""
    runs.stored_rows = (
        replace(a_row(2, True), level="similarity"),
        replace(a_row(3, False), level="clear", audit=True),
        replace(a_row(4, True), level="meaning"),
    )
    rows = connect().get(f"/api/v1/runs/r1/rows{query}").json()
    assert [row["number"] for row in rows] == numbers


@pytest.mark.parametrize("query", ["?order=urgent", "?limit=0", "?limit=5000", "?offset=-1", "?flaged=true"])
def test_a_page_of_rows_out_of_bounds_is_refused(client, query):
    """Bounds are checked and misspelt parameters are not ignored."""
    reply = client.get(f"/api/v1/runs/r1/rows{query}")
    assert (reply.status_code, reply.json()["code"]) == (422, "request_invalid")


def test_the_workbook_is_a_download(client):
    """Type and name are those of an Excel file."""
    reply = client.get("/api/v1/runs/r1/workbook")
    assert reply.content == b"PK r1 flagged=False"
    assert reply.headers["content-type"] == XLSX_TYPE
    assert 'filename="Benchmark_flagged.xlsx"' in reply.headers["content-disposition"]


def test_the_filtered_workbook_is_another_file(client):
    """`filter=flagged` asks the run room for the filter; other filters do not exist."""
    assert client.get("/api/v1/runs/r1/workbook?filter=flagged").content == b"PK r1 flagged=True"
    assert client.get("/api/v1/runs/r1/workbook?filter=wrong").status_code == 422


def test_the_rows_are_a_download_for_other_tools(client):
    """CSV has its own address, type and name."""
    reply = client.get("/api/v1/runs/r1/csv")
    assert (reply.content, reply.headers["content-type"]) == (b"r1", CSV_TYPE)
    assert 'filename="Benchmark.csv"' in reply.headers["content-disposition"]


@pytest.mark.parametrize("name", ["Prüfung Q1.xlsx", '"quoted"\\.xlsx', "評価.xlsx", "a\r\nset-cookie: x.xlsx"])
def test_any_file_name_survives_a_download(connect, name):
    """The UTF-8 name is whole, and nothing in it can end the header."""
    reply = connect(room=MemoryRuns(a_run("r1", name=name))).get("/api/v1/runs/r1/workbook")
    disposition = reply.headers["content-disposition"]
    assert unquote(disposition.split("UTF-8''")[1]) == name.removesuffix(".xlsx") + "_flagged.xlsx"
    assert "set-cookie" not in reply.headers


def test_a_run_is_cancelled_and_deleted(client):
    """Cancel returns the run, delete returns nothing and the run is gone."""
    assert client.post("/api/v1/runs/r1/cancel").json()["state"] == "cancelled"
    assert client.delete("/api/v1/runs/r1").status_code == 204
    assert client.get("/api/v1/runs").json() == []


def test_adopting_returns_the_workbook_with_its_counts(client, runs):
    """Without a file the stored result is adopted."""
    reply = client.post("/api/v1/runs/r1/adopt")
    assert reply.content == b"PK adopted"
    assert (reply.headers["flagbook-adopted"], reply.headers["flagbook-kept"]) == ("24", "1")
    assert runs.asked[-1] == ("adopt", {"every": False, "content": None})


def test_a_reviewed_file_is_adopted_when_it_is_sent(client, runs):
    """The file with the person's review goes to the run room, with the choice to take every answer."""
    client.post("/api/v1/runs/r1/adopt", files={"file": ("r.xlsx", BytesIO(b"PK reviewed"))}, data={"every": "true"})
    assert runs.asked[-1] == ("adopt", {"every": True, "content": b"PK reviewed"})


def test_adopting_as_json_says_which_rows_were_kept(client):
    """A program gets counts, reasons and the workbook in one reply."""
    reply = client.post("/api/v1/runs/r1/adopt", headers={"accept": "application/json"}).json()
    assert (reply["name"], reply["adopted"]) == ("Benchmark_next.xlsx", 24)
    assert reply["kept"][0]["message"] == "reviewed with no"
    assert base64.b64decode(reply["content"]) == b"PK adopted"


def test_a_running_run_cannot_be_adopted(connect, runs):
    """The state is in the way: 409."""
    runs.known["r1"] = a_run("r1", state="in_progress")
    reply = connect().post("/api/v1/runs/r1/adopt")
    assert (reply.status_code, reply.json()["code"]) == (409, "run_not_ready")


def test_stored_answers_are_judged_again(client, runs):
    """Options come as JSON and are checked; without a body they are the usual ones."""
    reply = client.post("/api/v1/runs/r1/rejudge", json={"judge": "local", "counts": ["contradiction"]})
    assert (reply.status_code, reply.json()["origin"]) == (201, "r1")
    assert reply.json()["options"]["counts"] == ["contradiction"]
    assert client.post("/api/v1/runs/r1/rejudge").status_code == 201
    assert client.post("/api/v1/runs/r1/rejudge", json={"jugde": "local"}).status_code == 422


def test_a_run_with_errors_is_resumed(client, runs):
    """It is queued again; one without errors is refused."""
    runs.known = {"r1": a_run("r1", errors=2), "r2": a_run("r2", errors=0)}
    reply = client.post("/api/v1/runs/r1/resume")
    assert (reply.status_code, reply.json()["state"]) == (200, "queued")
    refused = client.post("/api/v1/runs/r2/resume")
    assert (refused.status_code, refused.json()["code"]) == (409, "run_complete")
    forced = client.post("/api/v1/runs/r2/resume?force=true&rows=1-5")
    assert (forced.status_code, forced.json()["state"]) == (200, "queued")
    assert runs.asked[-1] == ("resume", {"force": True, "rows": "1-5"})


def test_spaces_are_listed(client):
    """What may stand in column Assistant."""
    assert client.get("/api/v1/spaces").json() == [{"name": "Travel Desk"}, {"name": "Reisekosten"}]


def test_the_template_can_be_downloaded(client):
    """The very workbook that people start from."""
    from service.workbook import template

    reply = client.get("/api/v1/template")
    assert reply.content == template()
    assert 'filename="Benchmark_Input_template.xlsx"' in reply.headers["content-disposition"]
