"""How surely two answers differ, and the words it rests on."""

from collections.abc import Iterator
from dataclasses import dataclass

from flags._flag import Judgement
from flags._local._claims import Text
from flags._local._conflicts import Conflict, conflicts
from flags._local._copies import Changes, changes
from flags._local._kinds import is_refusal
from flags._local._language import Language
from flags._local._measure import Measures, measure
from flags._local._pairs import Pairs
from flags._local._phrases import listed, phrase, with_sentence
from flags._local._score import Blend
from flags._local._stock import Stock
from flags._local._words import WORD, stem, unelided

LIKELY = 0.5
_COPIED = 0.8
"""Where so much of both texts are copies of the other, what was edited decides."""
_SHOWN = 3


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How surely the answers differ (`score`, TRUE from one half on) and why."""

    score: float
    conflicts: tuple[Conflict, ...]
    changes: Changes
    measures: Measures

    @property
    def is_copy(self) -> bool:
        """Tell whether the one text is nearly a copy of the other."""
        return self.changes.copied >= _COPIED


def difference(pairs: Pairs, question: Text, blend: Blend) -> Difference:
    """Compare reference (`pairs.one`) and answer."""
    declines = is_refusal(pairs.one, question) or is_refusal(pairs.other, question)
    made = changes(pairs)
    found = () if declines else conflicts(pairs, made)
    measures = measure(pairs, question, found)
    strongest = made.strongest.strength if made.strongest else 0.0
    score = max(strongest, measures.conflict) if made.copied >= _COPIED else blend.score(measures)
    if measures.conflict >= LIKELY:
        score = max(score, measures.conflict / 2 + 0.25)
    return Difference(score=score, conflicts=found, changes=made, measures=measures)


def equivalence(found: Difference, pairs: Pairs, question: Text) -> Judgement:
    """Return the reply on whether both answers say the same."""
    language = pairs.other.language
    differs = found.score >= LIKELY
    reason = phrase("same", language)
    if differs:
        lacking = listed(_lacking(pairs, question))
        reason = " ".join(told("conflict", found.conflicts[:_SHOWN], language))
        reason = (
            reason or phrase("missing", language, quotes=lacking)
            if lacking or reason
            else phrase("unlike", language, quotes=listed(claim.text for claim in pairs.one.claims))
        )
    return {
        "reference_quote": " … ".join(dict.fromkeys(one.one_claim for one in found.conflicts[:_SHOWN])),
        "answer_quote": " … ".join(dict.fromkeys(one.other_claim for one in found.conflicts[:_SHOWN])),
        "reason": reason,
        "verdict": "different" if differs else "equivalent",
        "score": f"{found.score:.4f}",
    }


def told(key: str, found: tuple[Conflict, ...], language: Language) -> list[str]:
    """Return a sentence a conflict, quoting both sides."""
    return [
        phrase(
            key,
            language,
            one=with_sentence(conflict.one, conflict.one_claim, language),
            other=with_sentence(conflict.other, conflict.other_claim, language),
        )
        for conflict in found
    ]


def _lacking(pairs: Pairs, question: Text) -> Iterator[str]:
    """Yield the words of the reference, beyond the question's, that the answer lacks."""
    stock = Stock(pairs.other.stems)
    for claim in pairs.one.claims:
        for word in WORD.findall(unelided(claim.text)):
            root = stem(word, pairs.one.language)
            if root in claim.stems and root not in question.stems and not stock.has(root):
                yield word
