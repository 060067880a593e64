"""Whether an answer says what another one says that a person accepted."""

from collections.abc import Mapping
from dataclasses import replace

from flags._case import Answer, Case, Question
from flags._evaluate import evaluate
from flags._flag import Flag, Tools

_ASKED = ("contradiction", "extent")


async def says_the_same(
    question: Question, accepted: str, answer: str, flags: Mapping[str, Flag], tools: Tools
) -> bool:
    """Return whether neither contradicts the other nor says more, asked both ways.

    A judge that fails or cannot tell has not said so: then it is False.
    """
    asked = {name: flags[name] for name in _ASKED if name in flags}
    for reference, text in ((accepted, answer), (answer, accepted)):
        case = Case(question=replace(question, reference=reference), answer=Answer(text=text))
        verdicts = await evaluate(case, asked, tools)
        if any(verdict.value is not False for verdict in verdicts.values()):
            return False
    return len(asked) == len(_ASKED)
