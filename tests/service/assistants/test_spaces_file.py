"""spaces.yaml, and what a person reads when it is wrong."""

import json
from pathlib import Path

import pytest

from service.assistants import Space, backends, load_spaces
from service.errors import SpacesFileBroken

GOOD = """\
spaces:
  - name: HR
    members: [anna, ben]
    concurrency: 3
    flags:
      embedding: {threshold: 0.9}
    documents: hr            # a folder beside this file
  - name: Ask the model
    backend: openai
    model: m
    base_url: http://127.0.0.1:9/v1
    api_key_env: MY_KEY
    options: {temperature: 0}
    modules:
      - {name: search, description: Looks things up, documents: [hr/leave.txt]}
      - {name: translate, description: Translates}
  - name: Fake
    backend: echo
    answers:
      What?: This.
      Who?: {answer: She., sources: [{name: people.pdf, pages: "3"}], modules: [search]}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder with documents and room for a spaces file."""
    (tmp_path / "hr").mkdir()
    (tmp_path / "hr" / "leave.txt").write_text("Leave is 28 days.")
    return tmp_path


def written(home: Path, text: str) -> Path:
    """Return a spaces file with the text."""
    path = home / "spaces.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_spaces_are_read_in_order_with_paths_made_absolute(home: Path) -> None:
    """What stands flat in the file is the backend's, and defaults are not written out."""
    hr, model, fake = load_spaces(written(home, GOOD))
    assert (hr.name, hr.backend, hr.concurrency, hr.members) == ("HR", "documents", 3, ("anna", "ben"))
    assert hr.settings == {"documents": [str(home / "hr")]}
    assert hr.flags == {"embedding": {"threshold": 0.9}}
    assert model.concurrency == 8
    assert model.settings["modules"][0]["documents"] == [str(home / "hr" / "leave.txt")]
    assert model.settings["options"] == {"temperature": 0}
    assert fake.settings["answers"]["What?"] == {"answer": "This."}


def test_a_space_is_a_snapshot_another_process_can_open(home: Path) -> None:
    """Through JSON and back it is the same."""
    for space in load_spaces(written(home, GOOD)):
        assert Space.model_validate_json(json.dumps(json.loads(space.model_dump_json()))) == space


def test_members_decide_who_may_ask(home: Path) -> None:
    """A space without members is open to all."""
    hr, model, _ = load_spaces(written(home, GOOD))
    assert hr.admits("anna")
    assert not hr.admits("carl")
    assert model.admits("carl")


def test_every_public_module_is_a_backend() -> None:
    """`ls` is the list."""
    assert set(backends()) >= {"documents", "echo", "openai"}
    assert not [name for name in backends() if name.startswith("_")]


MISTAKES = [
    ("spaces: []\nother: 1", "line 1: the file must hold one list named “spaces:”"),
    ("", "line 1: the file must hold one list"),
    ("spaces: {name: HR}", "line 1: the file must hold one list"),
    ("- name: HR", "line 1: the file must hold one list"),
    ("spaces:\n  - HR", "line 2: a space is written as “- name: …”"),
    ("spaces:\n  - name: [HR", "this is not YAML"),
    ("spaces:\n  - name: \x07HR", "this is not YAML"),
    ("spaces:\n  - name: HR\n    documents: hr\n    name: IT", "line 4: “name” stands twice"),
    ("spaces:\n  - name: HR\n    backend: echo\n    answers: {a: b, a: c}", "line 4: “a” stands twice"),
    ("spaces:\n  - backend: echo", "line 2: name: this setting is missing"),
    (
        "spaces:\n  - name: HR\n    backend: ecco",
        "line 3: space “HR”, backend: there is no backend “ecco”; did you mean “echo”?",
    ),
    ("spaces:\n  - name: HR\n    backend: xyz", "there is no backend “xyz” (known: documents, echo, "),
    (
        "spaces:\n  - name: HR\n    document: hr",
        "line 3: space “HR”, document: there is no such setting; did you mean “documents”?",
    ),
    ("spaces:\n  - name: HR\n    member: [anna]", "member: there is no such setting; did you mean “members”?"),
    ("spaces:\n  - name: HR\n    documents: nowhere", "line 3: space “HR”, documents: {home}/nowhere does not exist"),
    ("spaces:\n  - name: HR", "line 2: space “HR”, documents: is missing: name the folder"),
    (
        "spaces:\n  - name: HR\n    documents: hr\n    concurrency: many",
        "line 4: space “HR”, concurrency: input should be",
    ),
    (
        "spaces:\n  - name: HR\n    documents: hr\n    flags: {embeding: {}}",
        "flags: There is no flag “embeding”. Did you mean “embedding”?",
    ),
    (
        "spaces:\n  - name: HR\n    documents: hr\n    flags: {embedding: {threshold: high}}",
        "embedding.threshold is a number",
    ),
    (
        "spaces:\n  - {name: HR, documents: hr}\n  - {name: hr, documents: hr}",
        "line 3: space “hr”, name: this name is used twice",
    ),
    (
        "spaces:\n  - name: HR\n    documents: hr\n    modules:\n      - {name: a, descripton: b}",
        "line 5: space “HR”, modules.0.descripton: there is no such setting; did you mean “description”?",
    ),
    (
        "spaces:\n  - name: HR\n    modules:\n      - {name: a, description: b}",
        "documents: is missing: the module a has nothing to read",
    ),
    (
        "spaces:\n  - name: M\n    backend: openai\n    model: m\n    base_url: ftp://x",
        "base_url: write the address as http://… or https://…",
    ),
    (
        "spaces:\n  - name: M\n    backend: openai\n    model: m\n    options: {stream: true}",
        "options.stream cannot be set",
    ),
    (
        "spaces:\n  - name: F\n    backend: echo\n    answers_file: no.yaml",
        "answers_file: {home}/no.yaml cannot be used",
    ),
    ("spaces:\n  - name: HR\n    documents: hr\n    flags: !!python/name:os.system x", "this cannot be read"),
]


@pytest.mark.parametrize(("text", "problem"), MISTAKES, ids=lambda value: value[:60].replace("\n", " "))
def test_a_mistake_is_named_with_line_field_and_the_nearest_right_word(home: Path, text: str, problem: str) -> None:
    """The person knows where to look and what to write."""
    path = written(home, text)
    with pytest.raises(SpacesFileBroken) as caught:
        load_spaces(path)
    assert problem.format(home=home) in caught.value.message
    assert str(path) in caught.value.message


def test_all_mistakes_are_named_at_once_up_to_a_dozen(home: Path) -> None:
    """Nobody mends a file one error at a time."""
    entries = "".join(f"\n  - {{name: s{at}, backend: ecco}}" for at in range(15))
    with pytest.raises(SpacesFileBroken) as caught:
        load_spaces(written(home, "spaces:" + entries))
    assert caught.value.message.count("did you mean") == 12
    assert caught.value.message.endswith("; and 3 more.")


SECRETS = [
    "api_key: sk-123-secret",
    "api_key_env: sk-123-secret",
    "base_url: https://user:sk-123-secret@host/v1",
    "base_url: https://host/v1?key=sk-123-secret",
]


@pytest.mark.parametrize("line", SECRETS)
def test_a_key_in_the_file_is_refused_and_not_repeated(home: Path, line: str) -> None:
    """Keys are named by variable; the error must not carry one into a log."""
    with pytest.raises(SpacesFileBroken) as caught:
        load_spaces(written(home, f"spaces:\n  - name: M\n    backend: openai\n    model: m\n    {line}"))
    assert "sk-123-secret" not in caught.value.message
    assert "api_key_env" in caught.value.message


def test_a_file_that_cannot_be_read_says_why(home: Path) -> None:
    """Missing, a folder, or no text."""
    for path, problem in ((home / "none.yaml", "No such file"), (home / "hr", "directory")):
        with pytest.raises(SpacesFileBroken, match=problem):
            load_spaces(path)
    (home / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpacesFileBroken, match="not text in UTF-8"):
        load_spaces(home / "binary.yaml")


def test_anchors_may_be_used_and_one_that_leads_to_itself_is_survived(home: Path) -> None:
    """What two spaces share is written once."""
    text = "spaces:\n  - &a {name: A, backend: echo}\n  - {<<: *a, name: B}\n"
    assert [space.name for space in load_spaces(written(home, text))] == ["A", "B"]
    with pytest.raises(SpacesFileBroken):
        load_spaces(written(home, "spaces:\n  - &a {name: A, backend: echo, answers: *a}\n"))
