"""Answers that a person accepted although they were flagged: remembered, and known again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from flags import APPROVED, Flag, Question, Tools, Verdict, says_the_same
from service.runs._shapes import User
from service.store import ApprovedRecord, NewApproved, Review, RowRecord, RunRecord, Store
from service.workbook import answer_hash

ASKED = 3
"""Accepted answers to a question that the judge compares a new one with, the newest first."""
_AT_ONCE = 500


@dataclass(frozen=True, kw_only=True)
class ApprovedView:
    """An answer that `user` accepted at `when` (UTC) although it was flagged."""

    id: str
    space: str
    question: str
    answer: str
    user: str
    when: datetime


@dataclass(frozen=True, kw_only=True)
class Flagged:
    """A flagged answer with its verdicts; where it was accepted before and that `clears`, it is flagged no more."""

    question: Question
    answer: str
    verdicts: Mapping[str, Verdict]
    clears: bool


def view(record: ApprovedRecord) -> ApprovedView:
    """Return an accepted answer as doors show it."""
    return ApprovedView(
        id=record.id,
        space=record.space,
        question=record.question,
        answer=record.answer,
        user=record.user,
        when=record.created,
    )


def is_flagged(verdicts: Mapping[str, Verdict]) -> bool:
    """Return whether a row was judged and flagged."""
    final = verdicts["final"]
    return final.value is True and not final.code


async def remember(store: Store, run: RunRecord, reviews: Sequence[Review], user: User) -> None:
    """Keep the answers of a run that were flagged and reviewed with yes; forget those reviewed with no."""
    said = {review.number: review for review in reviews}
    numbers = list(said)
    for start in range(0, len(numbers), _AT_ONCE):
        rows = await store.rows.page(run.id, numbers=numbers[start : start + _AT_ONCE])
        own = [row for row in rows if row.answer and answer_hash(row.answer.text) == said[row.number].answer_hash]
        yes = [_new(row, user) for row in own if said[row.number].correct and row.state == "judged" and row.flagged]
        no = [_new(row, user) for row in own if not said[row.number].correct]
        await store.approved.keep(user.company, yes, no)


def _new(row: RowRecord, user: User) -> NewApproved:
    text = row.answer.text if row.answer else ""
    return NewApproved(
        space=row.space, question=row.question.text, answer=text, answer_hash=answer_hash(text), user=user.name
    )


async def approved(
    flagged: Flagged, known: Sequence[ApprovedRecord], flags: Mapping[str, Flag], tools: Tools
) -> Mapping[str, Verdict]:
    """Return the verdicts, with who accepted this answer, or one that says the same, where somebody did."""
    own = answer_hash(flagged.answer)
    for each in known:
        if each.answer_hash == own:
            return _marked(flagged, each, "the same answer")
    for each in known[:ASKED]:
        if await says_the_same(flagged.question, each.answer, flagged.answer, flags, tools):
            return _marked(flagged, each, "an answer that says the same")
    return flagged.verdicts


def _marked(flagged: Flagged, by: ApprovedRecord, what: str) -> Mapping[str, Verdict]:
    told = f"Accepted by {by.user} on {by.created:%Y-%m-%d} ({what})."
    final = flagged.verdicts["final"]
    if flagged.clears:
        final = Verdict.given(False, f"{told} Without that: {final.reason}")
    else:
        final = replace(final, reason=f"{final.reason} {told}")
    return {**flagged.verdicts, APPROVED: Verdict.given(False, told), "final": final}
