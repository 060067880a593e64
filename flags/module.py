"""Whether the assistant chose a module of the benchmark's."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from flags._case import Case, Verdict
from flags._clean import reference_of
from flags._flag import Tools


@dataclass(frozen=True, kw_only=True)
class Module:
    """TRUE when both sides name modules and none is shared."""

    needs: ClassVar[tuple[str, ...]] = ()

    async def __call__(self, case: Case, tools: Tools) -> Verdict:
        """Compare the names of the modules, whatever their case."""
        benchmark, new = case.question.reference_modules, case.answer.modules
        if not reference_of(case):
            return Verdict.skipped("no benchmark answer")
        if not _keys(benchmark) or not _keys(new):
            return Verdict.skipped("modules are not known on both sides")
        differs = _keys(benchmark).isdisjoint(_keys(new))
        return Verdict.given(differs, f"{', '.join(new)} instead of {', '.join(benchmark)}" if differs else "")


def _keys(modules: Iterable[str]) -> frozenset[str]:
    return frozenset(" ".join(name.split()).casefold() for name in modules if name.strip())
