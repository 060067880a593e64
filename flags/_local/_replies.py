"""What the rules found, said as a judge's reply in the language of the answer."""

from collections.abc import Iterable

from flags import hallucination
from flags._ask import CANNOT_TELL, SCORE
from flags._flag import Judgement
from flags._local._claims import Text
from flags._local._coverage import Gap, gap
from flags._local._kinds import asks, is_refusal, only_asks, refuses
from flags._local._language import Language
from flags._local._pairs import Pairs
from flags._local._phrases import listed, phrase
from flags._local._support import Support, support
from flags._local._verdicts import Difference, told

_SHOWN = 3
_MISSING = 0.34
"""Share of the reference, by weight, whose lack is significant."""
_EXTRA = 0.8
"""The answer goes significantly further when it adds this much of the reference's own weight …"""
_SHORT = 12.0
"""… and at least of a weight a short reference is taken for: working and courtesy around a fact are no extent."""
_LEAST = 2.0
"""Weight of one fact: what lacks less lacks nothing significant."""
_WHOLE = 3.0
"""A gap three times as large as what is significant is as large as can be."""
_ANSWERS = 0.05
_DECLINES = {"refusal": 0.95, "asking": 0.9, "offtopic": 0.7}
_FAR = 0.4
"""Answers in two languages whose sentences are less like each other than this cannot be compared by rules."""


def contradiction(found: Difference, pairs: Pairs) -> Judgement:
    """Return the reply on contradictions between reference (`one`) and answer (`other`)."""
    language = pairs.other.language
    shown = found.conflicts[:_SHOWN]
    return {
        "reference_quote": " … ".join(dict.fromkeys(conflict.one_claim for conflict in shown)),
        "answer_quote": " … ".join(dict.fromkeys(conflict.other_claim for conflict in shown)),
        "reason": " ".join(told("conflict", shown, language)) or phrase("agrees", language),
        "verdict": "contradicts" if shown else "agrees",
        SCORE: _number((found.score + bool(shown)) / 2),
    }


def coverage(found: Difference, pairs: Pairs, question: Text, nearness: float) -> Judgement:
    """Return the reply on extent and relation; `nearness` is how near question and answer are to each other."""
    excused = frozenset(words for conflict in found.conflicts for words in (conflict.one, conflict.other))
    missing = gap(pairs, question, excused=excused)
    extra = gap(pairs.turned(), question, excused=excused, asked_only=True)
    extent = _extent(pairs, question, missing, extra)
    related = relation(pairs.other, question, nearness)
    if extent == "equal":
        related = _answers(pairs.other.language)
    return {
        "missing_quote": " … ".join(missing.sentences[:_SHOWN]),
        "extra_quote": " … ".join(extra.sentences[:_SHOWN]),
        "extent_reason": _extent_reason(extent, missing, extra, pairs),
        "extent": extent,
        "extent_score": _number(_extent_score(extent, missing, extra)),
        **related,
    }


def _extent_score(extent: str, missing: Gap, extra: Gap) -> float:
    """Return how large the larger gap is against what is significant, half of the way on the side of the verdict."""
    adds = extra.weight / (_EXTRA * max(missing.total, _SHORT))
    size = max(missing.share / _MISSING, adds)
    return (min(1.0, size / _WHOLE) + (extent != "equal")) / 2


def _number(score: float) -> str:
    return f"{score:.4f}"


def relation(answer: Text, question: Text, nearness: float) -> Judgement:
    """Return the reply on whether an answer answers the question."""
    if is_refusal(answer, question):
        quotes = (claim.text for claim in answer.claims if refuses(claim, answer.language, question))
        return _does_not("refusal", quotes, answer.language)
    if only_asks(answer):
        return _does_not("asking", (claim.text for claim in answer.claims if asks(claim)), answer.language)
    if is_off_topic(answer, question, nearness):
        return _does_not("offtopic", (claim.text for claim in answer.claims[:1]), answer.language)
    return _answers(answer.language)


def looks_off_topic(answer: Text, question: Text) -> bool:
    """Tell whether an answer long enough to tell shares neither words nor facts with the question."""
    comparable = answer.language == question.language and len(answer.stems) >= 8 and len(question.stems) >= 2
    return comparable and answer.stems.isdisjoint(question.stems) and not any(map(question.states, answer.facts))


def is_off_topic(answer: Text, question: Text, nearness: float) -> bool:
    """Tell whether an answer shares no words with the question and is not near it in meaning either."""
    return looks_off_topic(answer, question) and nearness < 0.2


def hallucinated(pairs: Pairs, question: Text) -> Judgement:
    """Return the reply on how far the sources (`one`) support the answer (`other`)."""
    language = pairs.other.language
    ruling = support(pairs, question)
    loose = [phrase("unsupported", language, quotes=listed(ruling.unsupported))] if ruling.unsupported else []
    reasons = [*loose, *told("otherwise", ruling.conflicts[:_SHOWN], language)]
    verdicts = {
        Support.FULL: hallucination.FULLY,
        Support.PARTIAL: hallucination.PARTIALLY,
        Support.NONE: hallucination.NOT,
    }
    return {
        "unsupported_quote": " … ".join(ruling.unsupported),
        "reason": " ".join(reasons) or phrase("supported", language),
        "verdict": verdicts[ruling.support],
        SCORE: _number(ruling.score),
    }


def _extent(pairs: Pairs, question: Text, missing: Gap, extra: Gap) -> str:
    declines, declined = is_refusal(pairs.other, question), is_refusal(pairs.one, question)
    if declines or declined:
        return "equal" if declines and declined else "missing" if declines else "extra"
    if _in_other_languages(pairs):
        return CANNOT_TELL
    lacks = missing.share >= _MISSING and missing.weight >= min(_LEAST, missing.total)
    adds = extra.weight >= _EXTRA * max(missing.total, _SHORT)
    names = {(True, True): "missing_and_extra", (True, False): "missing", (False, True): "extra"}
    return names.get((lacks, adds), "equal")


def _extent_reason(extent: str, missing: Gap, extra: Gap, pairs: Pairs) -> str:
    language = pairs.other.language
    if extent == CANNOT_TELL:
        return phrase("languages", language, one=pairs.one.language, other=language)
    reasons = [
        phrase(key, language, quotes=listed(lacking.sentences or (claim.text for claim in whole.claims)))
        for key, lacking, whole in (("missing", missing, pairs.one), ("extra", extra, pairs.other))
        if key in extent.split("_and_")
    ]
    return " ".join(reasons) or phrase("equal", language)


def _in_other_languages(pairs: Pairs) -> bool:
    """Tell whether the texts are clearly in two languages and the embedder does not bridge them."""
    differ = pairs.one.language != pairs.other.language and pairs.one.is_clear and pairs.other.is_clear
    return differ and bool(pairs.likeness.size) and float(pairs.likeness.max(axis=1).mean()) < _FAR


def _answers(language: Language) -> Judgement:
    return {"relation_reason": phrase("answers", language), "relation": "answers", "relation_score": _number(_ANSWERS)}


def _does_not(key: str, quotes: Iterable[str], language: Language) -> Judgement:
    reason = phrase(key, language, quotes=listed(quotes))
    return {"relation_reason": reason, "relation": "does_not_answer", "relation_score": _number(_DECLINES[key])}
