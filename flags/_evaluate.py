"""All flags on one case: their order, and what becomes of a flag that fails."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace

from flags._case import Case, Verdict
from flags._errors import FlagError, FlagsMisconfigured
from flags._flag import EVERY_OTHER, Flag, Judge, Judgement, Rubric, Tools
from flags.final import not_judged

_FLAG_ERROR = "flag_error"
_logger = logging.getLogger(__name__)


async def evaluate(case: Case, flags: Mapping[str, Flag], tools: Tools) -> dict[str, Verdict]:
    """Return each flag's verdict on the case.

    A flag speaks after those it needs, independent ones speak at the same time, and the judge is asked each rubric
    once. Whatever a flag raises becomes a failed verdict, never FALSE. Raises `FlagsMisconfigured` when flags wait for
    each other.
    """
    tools = replace(tools, judge=_AskedOnce(tools.judge))
    verdicts: dict[str, Verdict] = {}
    while pending := [name for name in flags if name not in verdicts]:
        ready = [name for name in pending if _may_speak(name, flags, verdicts)]
        if not ready:
            raise FlagsMisconfigured(f"These flags wait for each other: {', '.join(pending)}.")
        heard = replace(case, verdicts={**case.verdicts, **verdicts})
        spoken = await asyncio.gather(*(_speak(name, flags[name], heard, tools) for name in ready))
        verdicts.update(zip(ready, spoken, strict=True))
    return {name: verdicts[name] for name in flags}


def unanswered(code: str, message: str, flags: Mapping[str, Flag]) -> dict[str, Verdict]:
    """Return the verdicts of a row that has no answer: nothing given, `final` TRUE with the code."""
    verdicts = dict.fromkeys(flags, Verdict.skipped("no answer"))
    return {**verdicts, "final": not_judged(code, message)} if "final" in flags else verdicts


def _may_speak(name: str, flags: Mapping[str, Flag], verdicts: Mapping[str, Verdict]) -> bool:
    needs = flags[name].needs
    if EVERY_OTHER in needs:
        needs = tuple(other for other in flags if EVERY_OTHER not in flags[other].needs)
    return all(other in verdicts for other in needs if other in flags)


async def _speak(name: str, flag: Flag, case: Case, tools: Tools) -> Verdict:
    try:
        return await flag(case, tools)
    except Exception as error:
        code, message = _trouble(error)
        if not code:
            _logger.exception("flag %s failed on a case of space %r", name, case.question.space)
            code, message = _FLAG_ERROR, f"the flag failed ({type(error).__name__})"
        return Verdict.failed(code, message)


def _trouble(error: Exception) -> tuple[str, str]:
    """Return code and sentence of an error made for people: any that carries a code, as `JudgeFailed` does."""
    code = getattr(error, "code", None)
    if isinstance(code, str) and code:
        return code, str(error)
    return (_FLAG_ERROR, str(error)) if isinstance(error, FlagError) else ("", "")


class _AskedOnce:
    """A judge that is asked each rubric once a case, however many flags share it."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._replies: dict[tuple[str, str], asyncio.Task[Judgement]] = {}

    @property
    def name(self) -> str:
        return self._judge.name

    async def decide(self, rubric: Rubric, case: Case) -> Judgement:
        """Return the judge's reply, the first caller's for all; the verdicts given so far do not change it."""
        key = (rubric.name, rubric.version)
        if key not in self._replies:
            self._replies[key] = asyncio.ensure_future(self._ask(rubric, case))
        return await self._replies[key]

    async def _ask(self, rubric: Rubric, case: Case) -> Judgement:
        return await self._judge.decide(rubric, case)
