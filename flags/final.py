"""Whether a person must look at the row, and why in one paragraph."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from flags._case import Case, Verdict
from flags._clean import reference_of
from flags._errors import FlagsMisconfigured
from flags._flag import EVERY_OTHER, Tools
from flags._triage import label, weight

NOTHING_JUDGED = "nothing_judged"
_MARKED_WRONG = "benchmark answer was marked wrong"


@dataclass(frozen=True, kw_only=True)
class Final:
    """TRUE when a flag that counts is TRUE or failed, or when no flag that counts could be given.

    `counts` names the flags that count, None all of them. The reason is the row's explanation.
    """

    needs: ClassVar[tuple[str, ...]] = (EVERY_OTHER,)
    counts: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.counts is not None and not self.counts:
            raise FlagsMisconfigured("final.counts names no flag: at least one must count.")

    async def __call__(self, case: Case, tools: Tools) -> Verdict:
        """Sum up the verdicts given so far."""
        counting = {name: one for name, one in case.verdicts.items() if self.counts is None or name in self.counts}
        findings = sorted(
            (name for name, one in counting.items() if one.value), key=lambda name: weight(name, counting)
        )
        failures = {name: one for name, one in counting.items() if one.status == "failed"}
        told = _told(case, [_finding(name, counting[name]) for name in findings])
        if failures:
            return not_judged(next(iter(failures.values())).code, f"{_failures(failures)} {told}".strip())
        if findings:
            alone = " No other flag found a deviation." if findings == ["embedding"] else ""
            return Verdict.given(True, told + alone)
        if not any(one.status == "given" for one in counting.values()):
            return not_judged(NOTHING_JUDGED, "No flag that counts could be given.")
        return Verdict.given(False, _all_clear(case, counting))


def not_judged(code: str, message: str) -> Verdict:
    """Return the final verdict on a row that a person must look at because it could not be judged."""
    return Verdict.given(True, f"NOT JUDGED {code}: {message}", code=code)


def _finding(name: str, verdict: Verdict) -> str:
    return _sentence(f"{label(name)} – {verdict.reason}" if verdict.reason else label(name))


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _told(case: Case, findings: list[str]) -> str:
    wrong = f"{_MARKED_WRONG}; a deviation may be an improvement." if _marked_wrong(case) and findings else ""
    return " ".join(filter(None, (wrong, *findings)))


def _failures(failures: Mapping[str, Verdict]) -> str:
    first = next(iter(failures.values())).code
    told: dict[str, list[str]] = {}
    for name, verdict in failures.items():
        code = "" if verdict.code == first else f" ({verdict.code})"
        told.setdefault(f"{verdict.reason}{code}", []).append(name)
    return " ".join(_sentence(f"{', '.join(names)} – {reason}") for reason, names in told.items())


def _all_clear(case: Case, counting: Mapping[str, Verdict]) -> str:
    given = ", ".join(name for name, verdict in counting.items() if verdict.status == "given")
    if _marked_wrong(case):
        return f"{_MARKED_WRONG}, and the new answer does not deviate from it ({given})."
    if not reference_of(case):
        return f"No benchmark answer to compare with; nothing found by {given}."
    return f"No deviation found by {given}."


def _marked_wrong(case: Case) -> bool:
    return case.question.correct is False and bool(reference_of(case))
