"""Several answers to one question: what most of them show, and how far they are from each other."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from flags import Answer, Case, Flag, Question, Tools, Verdict
from service.store import Trial

Steadiness = Literal["stable", "flaky", "regressed"]

FINAL = "final"


def deviates(trial: Trial) -> bool | None:
    """Return whether a trial's answer deviates; None where it could not be given or judged."""
    return None if trial.code or FINAL not in trial.verdicts else trial.verdicts[FINAL].value


def steadiness(trials: Sequence[Trial]) -> Steadiness | None:
    """Return stable (no answer deviates), regressed (all do) or flaky; None where none could be judged."""
    judged = [found for trial in trials if (found := deviates(trial)) is not None]
    if not judged:
        return None
    return "regressed" if all(judged) else "flaky" if any(judged) else "stable"


async def settled(
    question: Question, trials: Sequence[Trial], flags: Mapping[str, Flag], tools: Tools
) -> tuple[Answer | None, dict[str, Verdict]]:
    """Return the answer that stands for all, and the verdicts of the majority with the spread in the explanation.

    A flag is FALSE only where most answers say so, else TRUE (a tie is a finding), else failed. Where most answers
    deviate, though each in another flag, the row deviates all the same.
    """
    merged = {flag: _majority(flag, trials) for flag in flags if flag != FINAL}
    shown = max((trial for trial in trials if trial.answer), key=lambda each: _likeness(each, merged), default=None)
    told = _spread(trials, tuple(merged))
    if shown is None or shown.answer is None:
        first = trials[0].verdicts
        return None, {**first, FINAL: replace(first[FINAL], reason=f"{first[FINAL].reason} {told}")}
    merged = {flag: _from(shown, flag, verdict) for flag, verdict in merged.items()}
    final = await flags[FINAL](Case(question=question, answer=shown.answer, verdicts=merged), tools)
    found = [deviates(trial) for trial in trials]
    if final.value is False and 2 * found.count(True) >= len(trials):
        final = Verdict.given(True, "Most answers deviate, though no flag does in most of them.")
    merged[FINAL] = replace(final, reason=f"{final.reason} {told}")
    return _answer(shown.answer, trials), merged


def _majority(flag: str, trials: Sequence[Trial]) -> Verdict:
    verdicts = [_of(flag, trial) for trial in trials]
    spoken = [verdict for verdict in verdicts if verdict.status != "skipped"]
    given = {value: [each for each in spoken if each.value is value] for value in (True, False)}
    failed = [verdict for verdict in spoken if verdict.status == "failed"]
    if not spoken:
        return verdicts[0]
    if 2 * len(given[False]) > len(spoken):
        return given[False][0]
    return given[True][0] if given[True] and len(given[True]) >= len(failed) else failed[0]


def _of(flag: str, trial: Trial) -> Verdict:
    """Return a trial's verdict; what could not be answered or judged at all has failed in every flag."""
    if trial.answer is None or flag not in trial.verdicts:
        return Verdict.failed(trial.code, _why(trial))
    return trial.verdicts[flag]


def _why(trial: Trial) -> str:
    reason = trial.verdicts[FINAL].reason if FINAL in trial.verdicts else ""
    return reason.removeprefix(f"NOT JUDGED {trial.code}: ")


def _likeness(trial: Trial, merged: Mapping[str, Verdict]) -> tuple[int, int]:
    """Return how many flags say of this answer what they say of most, then the earlier first."""
    same = sum(_outcome(trial.verdicts.get(flag)) == _outcome(verdict) for flag, verdict in merged.items())
    return same, -trial.trial


def _outcome(verdict: Verdict | None) -> tuple[str, bool | None]:
    return ("", None) if verdict is None else (verdict.status, verdict.value)


def _from(shown: Trial, flag: str, verdict: Verdict) -> Verdict:
    """Return the verdict with the reason about the answer shown, where that answer has the same one."""
    own = shown.verdicts.get(flag)
    if own is not None and _outcome(own) == _outcome(verdict):
        return own
    if verdict.status != "given" or not verdict.reason:
        return verdict
    return replace(verdict, reason=f"(of another answer) {verdict.reason}")


def _spread(trials: Sequence[Trial], flags: Sequence[str]) -> str:
    found = [deviates(trial) for trial in trials]
    judged = [each for each in found if each is not None]
    steady = steadiness(trials)
    told = f"Asked {len(trials)} times"
    if steady:
        counts = Counter(flag for trial in trials for flag in flags if _of(flag, trial).value)
        named = ", ".join(f"{flag} {counts[flag]}" for flag in flags if counts[flag])
        told += f": {steady}, {sum(judged)} of {len(judged)} answers deviate" + (f" ({named})" if named else "")
    missing = found.count(None)
    return f"{told}; {missing} not answered or not judged." if missing else f"{told}."


def _answer(shown: Answer, trials: Sequence[Trial]) -> Answer:
    """Return the answer shown, with all of them in its technical record."""
    told = [
        {"answer": trial.answer.text if trial.answer else None, "deviates": deviates(trial), "code": trial.code}
        for trial in trials
    ]
    return replace(shown, messages={**shown.messages, "trials": told})
