"""Any OpenAI-compatible endpoint as an assistant."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flags import format_sources
from service.assistants import Assistant, Kit, Space, open_assistant
from service.errors import EndpointFailed, ServiceError, code_of

KEY = "FLAGBOOK_TEST_KEY"


@pytest.fixture
def opened(kit: Kit, space: Callable[..., Space], shared_openai_server: Any) -> Callable[..., Assistant]:
    """Return a function that opens an assistant on the server."""

    def make(**settings: Any) -> Assistant:
        told = {"model": "m", "base_url": shared_openai_server.base_url, "api_key_env": KEY}
        return open_assistant(space("openai", **{**told, **settings}), kit)

    return make


async def test_a_question_is_asked_in_a_conversation_of_its_own(
    opened: Callable[..., Assistant], shared_openai_server: Any
) -> None:
    """Without documents nothing is cited; what it cost is told."""
    answer = await opened().ask("What is new?")
    assert answer.text == "This is what is known about “What is new?”."
    assert (answer.sources, answer.passages, answer.modules, answer.followup) == ((), (), (), None)
    told = answer.messages
    assert [message["role"] for message in told["messages"]] == ["user", "assistant"]
    assert told["tokens"]["completion"] > 0
    assert (told["model"], told["finish_reason"]) == ("m", "stop")
    assert json.loads(json.dumps(told)) == told
    assert shared_openai_server.stats()["questions"] == {"What is new?": 1}


async def test_the_answer_cites_the_retrieved_passages_it_rests_on(
    opened: Callable[..., Assistant], shared_openai_server: Any, folder: Path
) -> None:
    """Marks in the text, lines in the column Sources and texts for the judge belong together."""
    question = "How are train journeys paid in second class?"
    shared_openai_server.script(answers={question: "In second class [1]. Nothing else [7]."})
    answer = await opened(documents=str(folder), system_prompt="You are kind.", passages=2).ask(question)
    assert answer.text == "In second class [1]. Nothing else [7]."
    assert format_sources(answer.sources) == "[1] travel.md"
    assert "Train journeys are paid in second class." in answer.sources[0].text
    assert len(answer.passages) == 2
    assert answer.messages["marks_without_passage"] == [7]
    assert answer.messages["passages"][0]["source"] == "travel.md"
    system = answer.messages["messages"][0]["content"]
    assert system.startswith("You are kind.")
    assert "square brackets" in system
    assert "Train journeys" not in system


async def test_files_that_were_not_read_are_told(opened: Callable[..., Assistant], folder: Path) -> None:
    """The person sees why the model did not know."""
    (folder / "scan.pdf").write_bytes(b"x")
    answer = await opened(documents=str(folder)).ask("What?")
    assert answer.messages["notes"][0].startswith("scan.pdf was not read")
    assert "marks_without_passage" not in answer.messages


MODULES = [
    {"name": "search", "description": "Looks things up", "system_prompt": "Search."},
    {"name": "translate", "description": "Translates"},
]


async def test_a_module_is_chosen_first_and_brings_its_prompt_and_documents(
    opened: Callable[..., Assistant], shared_openai_server: Any, folder: Path
) -> None:
    """What a module leaves out is that of the space."""
    modules = [{**MODULES[0], "documents": str(folder)}, MODULES[1]]
    assistant = opened(modules=modules, system_prompt="Space.")
    shared_openai_server.script(verdicts={"module": {"module": "search", "reason": "It asks."}})
    search = await assistant.ask("How long is leave?")
    assert search.modules == ("search",)
    assert search.messages["module"]["reason"] == "It asks."
    assert search.messages["messages"][0]["content"].startswith("Search.")
    assert search.passages
    shared_openai_server.script(verdicts={"module": {"module": "translate"}})
    translate = await assistant.ask("Translate this.")
    assert (translate.modules, translate.passages) == (("translate",), ())
    assert translate.messages["messages"][0]["content"] == "Space."
    assert shared_openai_server.stats()["questions"] == {"How long is leave?": 1, "Translate this.": 1}


@pytest.mark.parametrize("how", ["text", "missing", "choice", "number", "list"])
async def test_a_module_that_was_not_chosen_is_never_guessed(
    opened: Callable[..., Assistant], shared_openai_server: Any, how: str
) -> None:
    """Nothing is asked of the wrong module."""
    shared_openai_server.reset(malformed=1, malformed_as=how)
    with pytest.raises(ServiceError) as caught:
        await opened(modules=MODULES).ask("What?")
    assert code_of(caught.value) == "module_not_chosen"
    assert "search, translate" in caught.value.message
    assert shared_openai_server.stats()["questions"] == {}


async def test_a_refusal_in_the_models_words_is_an_answer(
    opened: Callable[..., Assistant], shared_openai_server: Any
) -> None:
    """Whether it answers the question is for the relation flag to say."""
    shared_openai_server.script(answers={"What?": {"refusal": "I cannot help with that."}})
    assert (await opened().ask("What?")).text == "I cannot help with that."


async def test_an_answer_cut_short_is_kept_and_marked(
    opened: Callable[..., Assistant], shared_openai_server: Any
) -> None:
    """It is what a user of the assistant would have seen."""
    shared_openai_server.script(answers={"What?": {"text": "The answer is", "finish_reason": "length"}})
    answer = await opened().ask("What?")
    assert answer.text == "The answer is"
    assert answer.messages["finish_reason"] == "length"


FAILURES = [
    ({"text": "  "}, "answer_empty"),
    ({"text": None, "finish_reason": "length"}, "answer_empty"),
    ({"text": "", "finish_reason": "content_filter"}, "answer_filtered"),
]


@pytest.mark.parametrize(("script", "code"), FAILURES)
async def test_no_answer_is_an_error_and_not_an_empty_cell(
    opened: Callable[..., Assistant], shared_openai_server: Any, script: dict[str, Any], code: str
) -> None:
    """The row says why; the space is named."""
    shared_openai_server.script(answers={"What?": script})
    with pytest.raises(ServiceError, match="“HR”") as caught:
        await opened().ask("What?")
    assert code_of(caught.value) == code


@pytest.mark.parametrize(
    ("settings", "question", "code"),
    [
        ({"model": "no-such-model"}, "What?", "endpoint_model_unknown"),
        ({}, "TOO LONG", "endpoint_text_too_long"),
        ({}, "FORBIDDEN", "endpoint_filtered"),
    ],
)
async def test_what_the_endpoint_says_reaches_the_row_under_its_own_code(
    opened: Callable[..., Assistant], settings: dict[str, str], question: str, code: str
) -> None:
    """Not as “something went wrong”."""
    assistant = opened(**settings)
    with pytest.raises(EndpointFailed) as caught:
        await assistant.ask(question)
    assert caught.value.code == code
    await assistant.aclose()


async def test_options_are_sent_with_every_question(
    opened: Callable[..., Assistant], shared_openai_server: Any
) -> None:
    """A model that refuses the temperature is asked without it."""
    shared_openai_server.reset(refuse="temperature")
    assert (await opened(options={"temperature": 0, "seed": 1}).ask("What?")).text
    assert shared_openai_server.stats()["r400"] == 1


async def test_a_busy_endpoint_is_waited_for(opened: Callable[..., Assistant], shared_openai_server: Any) -> None:
    """429 and 500 are not the answer's fault."""
    shared_openai_server.reset(every_429=2, retry_after=0.01)
    assert (await opened().ask("One?")).text
    assert (await opened().ask("Two?")).text
    assert shared_openai_server.stats()["r429"] >= 1
