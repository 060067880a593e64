"""A response as the scorers see it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from flags.niah._bounds import occurrences
from flags.niah._refusal import affirmed
from flags.niah._region import region, tidy
from flags.niah._task import Score, Trial

LONGEST = 2000
"""An answer region with more characters is no answer but a dump."""
MANY = 10
"""So many different candidates are a dump, fewer are ambiguous."""
_LONGEST_READ = 60_000
_NUMBERED_NAME = re.compile(r"(?:\b[A-Z][\w-]*\s+)+\d[\w-]*|(?=[\w-]*[^\W\d_])[\w-]*\d[\w-]*")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a response affirms, with the names known from the question blanked out (`names` holds it with them).

    `whole` is all of the answer region, `denied` what it negates; `refuses` tells whether it declines, `is_dump`
    whether it is too long for an answer.
    """

    text: str
    names: str
    whole: str
    denied: str
    refuses: bool
    is_empty: bool
    is_dump: bool


def read(trial: Trial, response: str, *, lines: bool = False) -> Reading:
    """Read a response to a trial; `lines` says that its answer may have several lines."""
    found = region(response[-_LONGEST_READ:], lines=lines)
    room = LONGEST + sum(len(value) + 100 for value in trial.expected)
    if len(found) > room or len(response) > _LONGEST_READ:
        return Reading(text="", names="", whole="", denied="", refuses=False, is_empty=False, is_dump=True)
    said = affirmed(found)
    return Reading(
        text=blanked(said.text, _known(trial)),
        names=said.text,
        whole=found,
        denied=said.denied,
        refuses=said.refuses,
        is_empty=not found and not tidy(response),
        is_dump=False,
    )


def _known(trial: Trial) -> Iterable[str]:
    named = (found.group().strip() for found in _NUMBERED_NAME.finditer(trial.question))
    return {*trial.known, *named} - set(trial.expected)


def blanked(text: str, phrases: Iterable[str]) -> str:
    """Return the text with every phrase (in any case, as a whole) replaced by spaces, the longest first."""
    folded = lower(text)
    for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)):
        for start, end in list(occurrences(lower(phrase), folded)):
            folded = folded[:start] + " " * (end - start) + folded[end:]
            text = text[:start] + " " * (end - start) + text[end:]
    return text


def lower(text: str) -> str:
    """Return a text in small letters, of the same length, with one kind of hyphen."""
    small = text.lower()
    small = small if len(small) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return small.replace("‐", "-").replace("‑", "-")


def unanswered(reading: Reading, scorer: str, expected: str) -> Score | None:
    """Return the score of a response that is empty or a dump, else None."""
    if reading.is_empty:
        return Score(score=0.0, category="empty", scorer=scorer, explanation="The response is empty.")
    if reading.is_dump:
        says = f"The response is too long to be the answer “{expected}”, and marks none with “Answer:”."
        return Score(score=0.0, category="dump", scorer=scorer, explanation=says)
    return None


def missing(reading: Reading, scorer: str, expected: str, said: str = "", *, is_denied: bool = False) -> Score:
    """Return the score of a response that does not state the expected answer: negated, refused or wrong."""
    if is_denied:
        return Score(score=0.0, category="negated", scorer=scorer, explanation=f"The response denies “{expected}”.")
    if reading.refuses and not said:
        return Score(score=0.0, category="refused", scorer=scorer, explanation="The response declines to answer.")
    stated = f"The response states {said}" if said else "The response states no answer of this kind"
    return Score(score=0.0, category="wrong", scorer=scorer, explanation=f"{stated}, expected “{expected}”.")


def listed(values: Iterable[str]) -> str:
    """Return the first few of some values, quoted."""
    found = list(dict.fromkeys(values))
    more = f" and {len(found) - 5} more" if len(found) > 5 else ""
    return ", ".join(f"“{value}”" for value in found[:5]) + more
