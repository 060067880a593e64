"""Judges and assistants are opened once and closed with the process."""

from collections.abc import Mapping
from typing import Any

from flags import Tools
from flags._fakes import ScriptedJudge, WordEmbedder
from service.assistants import Space
from service.runs._bench import Bench
from service.runs._fakes import ToldAssistant

LAW = Space(name="Law", backend="echo")


class Closing(ToldAssistant):
    """Remembers that it was closed."""

    closed = 0

    async def aclose(self) -> None:
        """Count."""
        self.closed += 1


def bench(opened: list[Any]) -> Bench:
    """A bench that writes down what it opens."""

    def tools(judging: Mapping[str, Any]) -> Tools:
        opened.append(judging)
        return Tools(judge=ScriptedJudge({}), embedder=WordEmbedder())

    def assistant(space: Space) -> Closing:
        opened.append(Closing())
        return opened[-1]

    return Bench(tools=tools, assistant=assistant, rows_at_once=4)


async def test_runs_that_judge_alike_share_their_judge() -> None:
    """The order of the settings does not matter, another model does."""
    opened: list[Any] = []
    one = bench(opened)
    assert one.tools({"judge": "llm", "judge_model": "a"}) is one.tools({"judge_model": "a", "judge": "llm"})
    assert one.tools({"judge": "llm", "judge_model": "b"}) is not one.tools({"judge": "llm", "judge_model": "a"})
    assert len(opened) == 2


async def test_a_space_as_it_was_has_an_assistant_of_its_own() -> None:
    """A run with an older snapshot is asked with the older settings; the limit counts the space as one."""
    opened: list[Any] = []
    one = bench(opened)
    older = LAW.model_copy(update={"settings": {"latency_ms": 5}})
    assert one.assistant(LAW) is one.assistant(LAW)
    assert one.assistant(LAW) is not one.assistant(older)
    assert one.places(LAW) is one.places(older)
    await one.aclose()
    assert [assistant.closed for assistant in opened] == [1, 1]
