"""`flagbook niah …`: the parts that ask nobody."""

import json

import pytest

from service.workbook import read

YAML = """
name: mine
preset: quick
models:
  - name: gpt
    version: 2024-08-06
context_lengths: [600]
depth_percents: [0, 100]
"""


def test_a_config_becomes_a_workbook(desk, tmp_path):
    """Its fields win over the preset's; what to do next is said."""
    (tmp_path / "c.yaml").write_text(YAML)
    out = tmp_path / "niah.xlsx"
    result = desk.type("niah", "plan", tmp_path / "c.yaml", "-o", out)
    assert result.exit_code == 0
    assert "2 cells, 1,200 tokens" in result.stdout
    assert f"flagbook run {out}" in result.stdout
    assert [spec.depth for spec in read(out.read_bytes()).niah.cells.values()] == [0.0, 1.0]
    again = tmp_path / "again.xlsx"
    desk.type("niah", "plan", tmp_path / "c.yaml", "-o", again, "--json")
    assert again.read_bytes() == out.read_bytes()


def test_a_preset_needs_the_names_of_assistants_only(desk, tmp_path):
    """Several may be named."""
    result = desk.type(
        "niah", "plan", "quick", "--assistant", "A", "--assistant", "B", "-o", tmp_path / "q.xlsx", "--json"
    )
    told = json.loads(result.stdout)
    assert (told["cells"], told["document_tokens"], told["preset"]) == (18, 78_000, "quick")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("preset: quick\nmodels: [a]\nconext_lengths: [1]", "Did you mean “context_lengths”?"),
        ("preset: quik\nmodels: [a]", "Did you mean “quick”?"),
        ("preset: quick", "`models` must name at least one"),
        ("preset: [quick", "it is not YAML"),
        ("- a", "a mapping of fields"),
        ("preset: quick\nmodels: [a]\nname: .nan", "experiment.name must be a text"),
        ("preset: quick\nmodels: [a]\nneedles: {type: template, template: '{{x}}', variables: {x: !!set {a}}}", "JSON"),
    ],
)
def test_a_config_that_cannot_be_honoured_is_refused(desk, tmp_path, text, says):
    """With the field and what it accepts; nothing is written."""
    (tmp_path / "c.yaml").write_text(text)
    result = desk.type("niah", "plan", tmp_path / "c.yaml", "-o", tmp_path / "o.xlsx", "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["code"]) == (2, "niah_config_refused")
    assert says in told["message"]
    assert not (tmp_path / "o.xlsx").exists()


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("quik", "niah_config_refused", "Did you mean “quick”?"),
        ("zzz", "niah_config_refused", "The presets are quick"),
        ("no.yaml", "file_unreadable", "no.yaml"),
        ("latin.yaml", "file_unreadable", "UTF-8"),
    ],
)
def test_neither_a_file_nor_a_preset(desk, tmp_path, name, code, says):
    """The nearest preset is named; a name that looks like a file is missed as one."""
    (desk_file := tmp_path / "desk" / "latin.yaml").write_bytes("name: Zürich".encode("latin-1"))
    result = desk.type("niah", "plan", name, "-o", tmp_path / "o.xlsx", "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["code"]) == (2, code)
    assert says in told["message"]
    assert desk_file.exists()


@pytest.mark.parametrize(
    ("words", "score", "category"),
    [
        (["--task", "s_rt", "--expected", "12", "--response", "412"], 0.0, "wrong"),
        (["--task", "S-RT", "--expected", "0.5", "--response", "50%"], 1.0, "correct"),
        (["--task", "counting", "--expected", "10", "--response", "9"], 0.9, "partial"),
        (["--task", "m_rt", "--expected", "A-1", "--expected", "B-2", "--response", "A-1"], 0.5, "partial"),
        (["--task", "conflicting", "--expected", "1", "--expected", "2", "--response", "2"], 1.0, "last"),
        (["--task", "s_rt", "--expected", "12", "--response", "412", "--literal", "--scorer", "exact"], 1.0, "correct"),
        (
            ["--task", "s_rt", "--expected", "7", "--response", "Korarax 8 has 7", "--question", "What has Korarax 8?"],
            1.0,
            "correct",
        ),
    ],
)
def test_a_score_is_explained(desk, words, score, category):
    """Exactly four fields as JSON; one line as text."""
    told = json.loads(desk.type("niah", "score", *words, "--json").stdout)
    assert set(told) == {"score", "category", "scorer", "explanation"}
    assert (told["score"], told["category"]) == (score, category)
    assert desk.type("niah", "score", *words).stdout.startswith(f"{score:g} ({category}, by {told['scorer']}): ")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--task", "s_r", "--expected", "1", "--response", "1"], "niah_cell_refused"),
        (["--task", "s_rt", "--expected", ".", "--response", "1"], "niah_expected_refused"),
        (["--task", "s_rt", "--expected", "1", "--response", "1", "--parameters", "{"], "options_refused"),
        (["--task", "s_rt", "--expected", "1", "--response", "1", "--scorer", "best"], "niah_cell_refused"),
    ],
)
def test_a_score_that_cannot_be_is_refused(desk, words, code):
    """Nothing can be compared."""
    result = desk.type("niah", "score", *words, "--json")
    assert (result.exit_code, json.loads(result.stdout)["code"]) == (2, code)


def test_a_judge_that_is_not_there_is_said_and_not_counted_as_wrong(desk, monkeypatch):
    """Without a key the scorer llm_judge fails with its code, and the command ends with 3."""
    monkeypatch.setenv("FLAGBOOK_JUDGE", "local")
    words = ["--task", "s_rt", "--expected", "a dog", "--response", "the dog", "--scorer", "llm_judge"]
    result = desk.type("niah", "score", *words)
    assert result.exit_code == 3
    assert result.stdout.startswith("not scored, judge_missing (failed, by llm_judge)")


def test_a_document_is_shown_with_its_question(desk, tmp_path):
    """Exact length, true depths, and the whole message on request."""
    told = json.loads(desk.type("niah", "build", "--length", 300, "--depth", 100, "--json").stdout)
    assert told["tokens"] == 300
    assert told["document"].endswith(told["needles"][0]["text"])
    shown = desk.type("niah", "build", "--length", 300, "--depth", 100)
    assert shown.stdout == told["document"] + "\n"
    assert told["question"] in " ".join(shown.stderr.split())
    out = tmp_path / "doc.txt"
    result = desk.type("niah", "build", "--length", 300, "--depth", 100, "--prompt", "-o", out)
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_text().endswith(f"\nEND\n\nQuestion: {told['question']}")


def test_a_text_file_may_be_the_haystack(desk, tmp_path, monkeypatch):
    """A file is read for this one document; too short a one is refused, and so is a name nobody knows."""
    monkeypatch.setenv("FLAGBOOK_HOME", str(tmp_path / "home"))
    essay = tmp_path / "essay.txt"
    essay.write_text("\n\n".join(f"Paragraph {n} says nothing much about anything at all." for n in range(200)))
    told = json.loads(desk.type("niah", "build", "--length", 300, "--haystack", essay, "--json").stdout)
    assert "Paragraph" in told["document"]
    for words, code in (
        (["--length", 9000, "--haystack", essay], "niah_haystack_too_short"),
        (["--haystack", "essays"], "niah_haystack_unknown"),
        (["--length", 5], "niah_document_impossible"),
    ):
        result = desk.type("niah", "build", *words, "--json")
        assert (result.exit_code, json.loads(result.stdout)["code"]) == (2, code)
