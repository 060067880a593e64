"""Whether the benchmark's sources were used again."""

from dataclasses import dataclass
from typing import ClassVar

from flags._case import Case, Verdict
from flags._clean import reference_of
from flags._flag import Tools
from flags._sources import missing_sources


@dataclass(frozen=True, kw_only=True)
class SourceFlag:
    """TRUE when a document of the benchmark answer is missing from the new sources; extra ones are fine."""

    needs: ClassVar[tuple[str, ...]] = ()

    async def __call__(self, case: Case, tools: Tools) -> Verdict:
        """Compare documents, not passages or pages."""
        if not reference_of(case):
            return Verdict.skipped("no benchmark answer")
        if not case.question.reference_sources:
            return Verdict.skipped("no benchmark sources")
        missing = missing_sources(case.question.reference_sources, case.answer.sources)
        names = ", ".join(source.name for source in missing)
        return Verdict.given(bool(missing), f"missing: {names}" if missing else "")
