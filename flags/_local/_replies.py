"""What the rules found, said as a judge's reply in the language of the answer."""

from collections.abc import Iterable

from flags import hallucination
from flags._ask import CANNOT_TELL
from flags._flag import Judgement
from flags._local._claims import Text
from flags._local._conflicts import Conflict, conflicts
from flags._local._coverage import Gap, gap
from flags._local._kinds import asks, is_refusal, only_asks, refuses
from flags._local._language import Language
from flags._local._pairs import Pairs
from flags._local._phrases import listed, phrase, quoted
from flags._local._support import Support, support

_SHOWN = 3
_MISSING = 0.34
"""Share of the reference, by weight, whose lack is significant."""
_EXTRA = 0.8
"""The answer goes significantly further when it adds this much of the reference's own weight …"""
_SHORT = 12.0
"""… and at least of a weight a short reference is taken for: working and courtesy around a fact are no extent."""
_LEAST = 2.0
"""Weight of one fact: what lacks less lacks nothing significant."""
_MOST_OF_IT = 0.5
"""Words that are so much of their sentence are quoted without it."""
_FAR = 0.4
"""Answers in two languages whose sentences are less like each other than this cannot be compared by rules."""


def contradiction(pairs: Pairs, question: Text) -> Judgement:
    """Return the reply on contradictions between reference (`one`) and answer (`other`)."""
    language = pairs.other.language
    declines = is_refusal(pairs.one, question) or is_refusal(pairs.other, question)
    found = () if declines else conflicts(pairs)[:_SHOWN]
    return {
        "reference_quote": " … ".join(dict.fromkeys(conflict.one_claim for conflict in found)),
        "answer_quote": " … ".join(dict.fromkeys(conflict.other_claim for conflict in found)),
        "reason": " ".join(_told("conflict", found, language)) or phrase("agrees", language),
        "verdict": "contradicts" if found else "agrees",
    }


def coverage(pairs: Pairs, question: Text, nearness: float) -> Judgement:
    """Return the reply on extent and relation; `nearness` is how near question and answer are to each other."""
    excused = frozenset(words for conflict in conflicts(pairs) for words in (conflict.one, conflict.other))
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
        **related,
    }


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
    reasons = [*loose, *_told("otherwise", ruling.conflicts[:_SHOWN], language)]
    verdicts = {
        Support.FULL: hallucination.FULLY,
        Support.PARTIAL: hallucination.PARTIALLY,
        Support.NONE: hallucination.NOT,
    }
    return {
        "unsupported_quote": " … ".join(ruling.unsupported),
        "reason": " ".join(reasons) or phrase("supported", language),
        "verdict": verdicts[ruling.support],
    }


def _told(key: str, found: Iterable[Conflict], language: Language) -> list[str]:
    return [
        phrase(
            key,
            language,
            one=_with_sentence(conflict.one, conflict.one_claim, language),
            other=_with_sentence(conflict.other, conflict.other_claim, language),
        )
        for conflict in found
    ]


def _with_sentence(words: str, claim: str, language: Language) -> str:
    if len(words) > _MOST_OF_IT * len(claim):
        return quoted(words)
    return f"{quoted(words)} ({phrase('within', language, quotes=quoted(claim))})"


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
    return {"relation_reason": phrase("answers", language), "relation": "answers"}


def _does_not(key: str, quotes: Iterable[str], language: Language) -> Judgement:
    return {"relation_reason": phrase(key, language, quotes=listed(quotes)), "relation": "does_not_answer"}
