"""The fake shipped beside the real assistants."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from flags import Source
from service.assistants import Kit, Space, open_assistant
from service.errors import AssistantFailed, SpaceBroken, code_of


async def test_a_question_without_a_script_is_repeated(kit: Kit, space: Callable[..., Space]) -> None:
    """And nothing is claimed about sources or modules."""
    echo = open_assistant(space("echo"), kit)
    answer = await echo.ask("What?")
    assert (answer.text, answer.sources, answer.modules, answer.followup) == ("What?", (), (), None)
    await echo.aclose()


async def test_a_scripted_answer_comes_with_sources_and_modules(kit: Kit, space: Callable[..., Space]) -> None:
    """A plain text is the answer alone."""
    script = {"answer": "She.", "sources": [{"name": "a.pdf", "pages": "3", "text": "t"}], "modules": ["search"]}
    echo = open_assistant(space("echo", answers={"Who?": {**script, "followup": True}, "What?": "This."}), kit)
    who = await echo.ask(" Who? ")
    assert who.sources == who.passages == (Source(name="a.pdf", pages="3", text="t"),)
    assert (who.text, who.modules, who.followup) == ("She.", ("search",), True)
    assert (await echo.ask("What?")).text == "This."


async def test_a_scripted_failure_carries_the_code_it_was_told(kit: Kit, space: Callable[..., Space]) -> None:
    """So that every way to fail can be rehearsed."""
    echo = open_assistant(space("echo", answers={"Who?": {"error": "endpoint_timeout"}}, latency_ms=1), kit)
    with pytest.raises(AssistantFailed) as caught:
        await echo.ask("Who?")
    assert code_of(caught.value) == "endpoint_timeout"
    assert AssistantFailed.code == ""


async def test_a_file_of_answers_is_read_again_when_it_was_changed(
    kit: Kit, space: Callable[..., Space], tmp_path: Path
) -> None:
    """Answers in the space itself win over those of the file."""
    file = tmp_path / "answers.yaml"
    file.write_text("Who?: She.\nWhat?: That.\n")
    echo = open_assistant(space("echo", answers_file=str(file), answers={"What?": "This."}), kit)
    assert [(await echo.ask(question)).text for question in ("Who?", "What?")] == ["She.", "This."]
    file.write_text("Who?: He.\n")
    os.utime(file, ns=(1, 1))
    assert [(await echo.ask(question)).text for question in ("Who?", "What?")] == ["He.", "This."]


@pytest.mark.parametrize(
    ("text", "problem"), [("Who?: {anser: x}", "anser: there is no such setting"), ("[", "while parsing")]
)
def test_a_file_of_answers_that_is_wrong_is_refused(
    kit: Kit, space: Callable[..., Space], tmp_path: Path, text: str, problem: str
) -> None:
    """Before the first question."""
    (tmp_path / "answers.yaml").write_text(text)
    with pytest.raises(SpaceBroken, match=problem):
        open_assistant(space("echo", answers_file=str(tmp_path / "answers.yaml")), kit)
