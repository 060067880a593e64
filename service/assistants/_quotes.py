"""An answer made of the documents' own sentences: those that answer the question, and no others."""

from collections.abc import Sequence
from dataclasses import dataclass

from flags import Embedder
from service.assistants._chunks import Sentence
from service.assistants._rank import Found
from service.assistants._retriever import Retrieved
from service.assistants._terms import related, terms

_ENOUGH = 0.7
"""Score (similarity plus share of the question's words) below which a sentence has nothing to do with a question."""
_NEAR = 0.8
"""Part of the best sentence's score that another one must reach to be part of the answer."""
_WORDS = 3
"""Words of its own a question needs before sharing all of them says as much as meaning the same."""
_OWN = 0.75
"""Weight of the sentence itself; the rest is that of its passage, whose heading may hold the question's words."""


@dataclass(frozen=True)
class Quote:
    """A sentence with the passage it stands in, its place there, and how well it answers the question."""

    found: Found
    place: int
    score: float

    @property
    def sentence(self) -> Sentence:
        """Return the sentence."""
        return self.found.passage.sentences[self.place]


async def rank_quotes(question: str, retrieved: Retrieved, embedder: Embedder) -> list[Quote]:
    """Return the sentences of the passages, best first; equal scores keep the order of the documents.

    A line that only leads to a list (`You need:`) answers nothing by itself and is left out.
    """
    places = [
        (found, at)
        for found in retrieved.found
        for at, sentence in enumerate(found.passage.sentences)
        if not sentence.text.endswith(":")
    ]
    if not places:
        return []
    vectors = await embedder.embed([found.passage.sentences[at].text for found, at in places])
    similar = vectors @ retrieved.vector
    rarity = retrieved.index.rarity(question)
    quotes = [
        Quote(found, at, _score(found, found.passage.sentences[at], float(cosine), rarity))
        for (found, at), cosine in zip(places, similar, strict=True)
    ]
    return sorted(quotes, key=lambda quote: (-quote.score, quote.found.place, quote.place))


def chosen(quotes: Sequence[Quote], most: int) -> list[Quote]:
    """Return the quotes that make the answer, in the order of the documents; none when no sentence answers."""
    if not quotes or quotes[0].score < _ENOUGH:
        return []
    near = [quote for quote in quotes if quote.score >= quotes[0].score * _NEAR]
    first = {quote.sentence.text: quote for quote in reversed(near)}
    best = [quote for quote in near if first[quote.sentence.text] is quote][:most]
    return sorted(best, key=lambda quote: (quote.found.place, quote.place))


def _score(found: Found, sentence: Sentence, cosine: float, rarity: dict[str, float]) -> float:
    language = found.passage.language
    inside = frozenset(terms(sentence.text, language))
    around = inside | frozenset(terms(found.passage.heading, language))
    similarity = _OWN * cosine + (1 - _OWN) * found.cosine
    words = _OWN * _share(inside, rarity) + (1 - _OWN) * _share(around, rarity)
    return round(similarity + words, 4)


def _share(held: frozenset[str], rarity: dict[str, float]) -> float:
    """Return the part of the question's words that are there, rare ones counting more; one word alone proves little."""
    total = sum(rarity.values())
    met = sum(weight for term, weight in rarity.items() if term in held or any(related(term, other) for other in held))
    return met / total * min(1.0, len(rarity) / _WORDS) if total else 0.0
