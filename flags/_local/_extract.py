"""All facts of a claim; what one pattern has read, the next does not read again."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from flags._local._dates import clocks, days, quarters
from flags._local._facts import Fact
from flags._local._language import Language
from flags._local._names import addresses, codes, names, phones, versions
from flags._local._numbers import quantities
from flags._local._words import unelided


def facts_of(text: str, language: Language) -> tuple[Fact, ...]:
    """Return quantities, dates, times, names and codes of a text, in order."""
    found: list[Fact] = []
    taken = bytearray(len(text))
    rest = text
    for read in _readers(language):
        new = list(_free(read(rest), taken))
        rest = _without(rest, new)
        found.extend(new)
    return tuple(sorted(found, key=lambda fact: fact.start))


def _readers(language: Language) -> tuple[Callable[[str], Iterable[Fact]], ...]:
    numbers, proper = partial(quantities, language=language), partial(_names, language=language)
    return addresses, quarters, days, phones, versions, clocks, _led_by_a_letter, numbers, codes, proper


def _free(read: Iterable[Fact], taken: bytearray) -> Iterator[Fact]:
    """Yield the facts whose place no other has taken, the earlier found first, and take it."""
    for fact in read:
        end = fact.start + len(fact.text)
        if not any(taken[fact.start : end]):
            taken[fact.start : end] = b"\1" * len(fact.text)
            yield fact


def _without(text: str, facts: Iterable[Fact]) -> str:
    """Return the text, at the same length, with the facts' words blank."""
    pieces, start = [], 0
    for fact in sorted(facts, key=lambda fact: fact.start):
        pieces += [text[start : fact.start], " " * len(fact.text)]
        start = fact.start + len(fact.text)
    return "".join((*pieces, text[start:]))


def _led_by_a_letter(text: str) -> Iterator[Fact]:
    """Yield the codes whose digits no number may take: XK-7, but not 5kg."""
    return (code for code in codes(text) if code.text[0].isalpha())


def _names(text: str, language: Language) -> Iterator[Fact]:
    return iter(names(unelided(text), language))
