"""`flagbook niah corpus`: import, list, remove."""

import json

import pytest


@pytest.fixture
def essays(tmp_path):
    """A folder with an essay and a file that cannot be read."""
    folder = tmp_path / "essays"
    folder.mkdir()
    (folder / "one.txt").write_text("An essay about nothing in particular.\n\n" * 30, encoding="utf-8")
    (folder / "two.xyz").write_text("?", encoding="utf-8")
    return folder


@pytest.fixture
def home(monkeypatch, desk, tmp_path):
    """A home of its own."""
    monkeypatch.setenv("FLAGBOOK_HOME", str(tmp_path / "home"))
    return desk


def test_a_corpus_is_imported_listed_and_removed(home, essays):
    """Its tokens, hash and origin are shown, and what could not be read is noted."""
    added = home.type("niah", "corpus", "add", "essays", essays)
    assert added.exit_code == 0
    assert added.stdout.startswith("essays: 2")
    assert "two.xyz" in added.stderr
    [listed] = json.loads(home.type("niah", "corpus", "list", "--json").stdout)["corpora"]
    assert (listed["name"], listed["about"]["files"][0]["name"]) == ("essays", "one.txt")
    assert listed["sha256"] in added.stdout
    assert listed["sha256"] in home.type("niah", "corpus", "list").stdout
    assert json.loads(home.type("niah", "corpus", "remove", "essays", "--json").stdout) == {"removed": "essays"}
    assert "No corpus" in home.type("niah", "corpus", "list").stdout


def test_another_text_needs_another_name(home, essays, tmp_path):
    """A name is bound to its text; the same text again changes nothing."""
    assert home.type("niah", "corpus", "add", "essays", essays).exit_code == 0
    again = home.type("niah", "corpus", "add", "essays", essays, "--json")
    assert json.loads(again.stdout)["name"] == "essays"
    (essays / "one.txt").write_text("Another text.", encoding="utf-8")
    refused = home.type("niah", "corpus", "add", "essays", essays, "--json")
    assert (refused.exit_code, json.loads(refused.stdout)["code"]) == (2, "corpus_name_taken")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["add", "x"], "corpus_source_unclear"),
        (["add", "x", "here", "--arxiv"], "corpus_source_unclear"),
        (["add", "x", "here"], "haystack_empty"),
        (["add", "x", "--wikipedia", "../etc"], "haystack_empty"),
        (["remove", "x"], "corpus_unknown"),
    ],
)
def test_what_cannot_be_done_is_said(home, words, code):
    """One code a cause."""
    result = home.type("niah", "corpus", *words, "--json")
    assert (result.exit_code, json.loads(result.stdout)["code"]) == (2, code)


def test_abstracts_are_fetched_from_the_address_of_the_settings(home, monkeypatch):
    """A closed network names its own mirror; where nothing answers the sentence says so."""
    monkeypatch.setenv("FLAGBOOK_ARXIV_URL", "http://127.0.0.1:9/query")
    monkeypatch.setattr("service.haystacks._keep.ARXIV_PAUSE_S", 0)
    result = home.type("niah", "corpus", "add", "papers", "--arxiv", "--json")
    assert json.loads(result.stdout)["code"] == "haystack_not_fetched"
    assert "127.0.0.1:9" in result.stdout
