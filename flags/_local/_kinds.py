"""Sentences that say nothing of the matter: refusals, questions back, courtesy."""

import re
from collections import Counter
from functools import cache

from flags._local import _lexicon
from flags._local._claims import Claim, Text
from flags._local._language import Language
from flags._local._negation import negates, unidiomatic
from flags._local._words import stem, words

_GAP = r"(?: \S{1,40}){0,10}? "
"""A few words between; words and spaces alternate, so that no text makes the pattern try twice."""


_OF_ANSWERING = 0.67
"""A sentence of which so many words, beyond the question's, are about answering says nothing of the matter."""
_WITHOUT = frozenset({"without", "ohne", "sans", "senza"})
"""What is without something is said of the matter."""
_BESIDE, _ASIDE = 16, 6
"""So many words of content may stand beside a refusal: where it comes first, and where it does not."""


def refuses(claim: Claim, language: Language, question: Text) -> bool:
    """Tell whether a sentence declines or says that nothing was found."""
    text = " ".join(claim.text.split())[:400]
    if any(pattern.match(text) for pattern in _refusals(f"{language}!")) or _only_of_answering(
        claim, language, question
    ):
        return True
    return _is_about_answering(text, language, question) and any(
        pattern.search(text) for pattern in _refusals(language)
    )


def _only_of_answering(claim: Claim, language: Language, question: Text) -> bool:
    """Tell whether a sentence denies something and, beside the question's words, speaks of answering alone."""
    lacking = _table("lacking", language)
    denying = [
        word
        for word in words(unidiomatic(claim.text))
        if (negates(word, language) and word not in _WITHOUT) or word.startswith(lacking)
    ]
    if not denying or any(not question.states(fact) for fact in claim.facts):
        return False
    own = [word for word in words(claim.text) if stem(word, language) in claim.stems - question.stems]
    named = [word for word in own if stem(word, language) in _roots(language)]
    of_answering = sum(word in named or word in denying or word.startswith(_table("meta", language)) for word in own)
    return bool(named) and of_answering >= _OF_ANSWERING * len(own)


def _is_about_answering(text: str, language: Language, question: Text) -> bool:
    """Tell whether a sentence speaks of finding and answering of its own accord, and not in the question's words.

    Bicycles that assist, or documents that are asked for, are the matter itself.
    """
    asked = Counter(word for claim in question.claims for word in words(claim.text))
    spoken = Counter(words(text))
    return any(word in _subjects(language) and times > asked[word] for word, times in spoken.items())


def asks(claim: Claim) -> bool:
    """Tell whether a sentence is a question."""
    return claim.text.rstrip(' "”»)').endswith("?")


def is_courtesy(claim: Claim, language: Language) -> bool:
    """Tell whether a sentence greets, offers help or refers to others."""
    return bool(_courtesy(language).match(claim.text.lstrip(' "“«')))


def is_refusal(text: Text, question: Text) -> bool:
    """Tell whether a text as a whole declines: it begins so, and says little beside it."""
    told = [claim for claim in text.claims if not is_courtesy(claim, text.language) and not asks(claim)]
    refusing = [claim for claim in told if refuses(claim, text.language, question)]
    rest = [claim for claim in told if claim not in refusing]
    content = sum(len(claim.stems - question.stems) for claim in rest)
    if not refusing or _facts(rest, question):
        return False
    return content < (_BESIDE if told[0] is refusing[0] else _ASIDE)


def _facts(claims: list[Claim], question: Text) -> bool:
    return any(not question.states(fact) for claim in claims for fact in claim.facts)


def only_asks(text: Text) -> bool:
    """Tell whether a text asks back and says nothing else."""
    told = [claim for claim in text.claims if not is_courtesy(claim, text.language)]
    return bool(told) and asks(told[-1]) and all(asks(claim) or len(claim.stems) < 6 for claim in told)


@cache
def _refusals(language: str) -> tuple["re.Pattern[str]", ...]:
    patterns = (pattern for key, pattern in _lexicon.lines("refusals") if key == language)
    return tuple(re.compile(_spaced(pattern), re.IGNORECASE) for pattern in patterns)


def _spaced(pattern: str) -> str:
    return rf"(?<!\w){pattern}".replace(" … ", _GAP)


@cache
def _table(name: str, language: Language) -> tuple[str, ...]:
    return _lexicon.words(name)[language]


@cache
def _subjects(language: Language) -> frozenset[str]:
    return frozenset(_lexicon.words("subjects")[language])


@cache
def _roots(language: Language) -> frozenset[str]:
    return frozenset(stem(word, language) for word in _subjects(language))


@cache
def _courtesy(language: Language) -> "re.Pattern[str]":
    said = "|".join(re.escape(beginning) for beginning in _lexicon.phrases("courtesy")[language])
    return re.compile(rf"(?:{said})(?!\w)", re.IGNORECASE)
