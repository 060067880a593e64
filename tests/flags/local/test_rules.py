"""The rules behind the local judge: negation, opposites, alignment, memory."""

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from flags._fakes import WordEmbedder
from flags._local._claims import read
from flags._local._conflicts import conflicts
from flags._local._coverage import gap
from flags._local._language import Language
from flags._local._memory import Memory
from flags._local._negation import negates, unidiomatic
from flags._local._pairs import dice, pair
from flags._local._sides import sides_of, turned
from flags._local._words import words


@pytest.mark.parametrize(
    ("language", "text", "negated"),
    [
        ("en", "You must not pay", True),
        ("en", "It isn't due", True),
        ("en", "Not only staff may apply", False),
        ("en", "Pay no later than Monday", False),
        ("de", "Sie brauchen keine Genehmigung", True),
        ("de", "Nicht nur Angestellte dürfen", False),
        ("fr", "Il ne faut pas payer", True),
        ("fr", "Pas plus de 30 jours", False),
        ("it", "Non serve alcun permesso", True),
        ("it", "Non più di 30 giorni", False),
    ],
)
def test_a_clause_is_negated_by_words_not_by_idioms(language: Language, text: str, negated: bool) -> None:
    """`not only` affirms, `no later than` is a limit."""
    assert any(negates(word, language) for word in words(unidiomatic(text))) is negated


@pytest.mark.parametrize(
    ("language", "one", "other", "opposed"),
    [
        ("en", "revenue rose", "revenue fell", True),
        ("en", "revenue rose", "costs fell", False),
        ("en", "revenue rose", "revenue grew", False),
        ("en", "before departure", "after departure", True),
        ("en", "before departure", "after arrival", False),
        ("en", "the maximum amount", "the minimum amount", True),
        ("en", "meetings on Monday", "meetings on Friday", True),
        ("de", "der Falls Umsatz", "der Umsatz stieg", False),
        ("de", "Bruttolohn", "Nettolohn", False),
        ("de", "vor Abreise", "nach Abreise", True),
        ("fr", "les coûts augmentent", "les coûts baissent", True),
        ("it", "prima partenza", "dopo partenza", True),
    ],
)
def test_opposites_are_said_of_the_same_thing(language: Language, one: str, other: str, opposed: bool) -> None:
    """Two words of an axis conflict only where what stands around them agrees."""
    mine, theirs = (list(sides_of(words(text), language)) for text in (one, other))
    assert any(side.opposes(opposite) for side in mine for opposite in theirs) is opposed


def test_a_beginning_turns_a_word_round() -> None:
    """legal and illegal, but not port and import."""
    assert turned(frozenset({"illegal", "import", "unpaid"}), "en") == {"legal"}
    assert turned(frozenset({"unzulässig"}), "de") == {"zulassig"}


class Distant(WordEmbedder):
    """An embedder to which all texts are alike."""

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.ones((len(texts), 4), dtype=np.float32) / 2


async def test_claims_are_paired_by_words_and_by_meaning() -> None:
    """Where words settle it no embedding is made; where they do not, the nearer of both counts."""
    one, other = read("The limit is high. Rooms are nice."), read("The limit is high. Beds feel soft.")
    by_words = await pair(one, other)
    assert by_words.likeness[0, 0] == 1.0
    assert not by_words.meaning.any()
    assert by_words.best(0.5) == ((0, 0),)
    by_meaning = await pair(one, other, Distant())
    assert by_meaning.meaning.min() == 1.0
    assert by_meaning.turned().one is other


async def test_nothing_pairs_with_nothing() -> None:
    """Empty texts have no pairs, no conflicts and no gap."""
    empty = await pair(read(""), read(""), WordEmbedder())
    assert empty.best(0.0) == ()
    assert conflicts(empty) == ()
    lacking = gap(await pair(read("One claim."), read("")), read(""))
    assert lacking.share == 1.0
    assert gap(empty, read("")).share == 0.0
    assert dice(frozenset(), frozenset()) == 0.0


async def test_a_text_that_says_both_contradicts_neither() -> None:
    """A claim that names both sides, or denies what it also states, is no contradiction."""
    for one, other in [
        ("Costs fell first, then costs rose.", "Costs rose."),
        (
            "Approval is needed. For staff approval is not needed.",
            "Approval is not needed for staff. Approval is needed.",
        ),
        ("Approval is not optional.", "Approval is mandatory."),
        ("No. It ends.", "It ends"),
        ("One. Two. Rooms are paid.", "Three. Meals are not paid."),
        ("Approval is needed for trips abroad by managers of all departments.", "Approval is not needed."),
        ("No fees apply.", "Yes, no fees apply."),
    ]:
        assert conflicts(await pair(read(one), read(other))) == ()


async def test_a_result_is_made_once_and_forgotten_late() -> None:
    """Whoever asks meanwhile waits; the last results stay; a failure is not remembered."""
    made: list[str] = []
    memory: Memory[str] = Memory(size=1)

    async def make(key: str) -> str:
        await asyncio.sleep(0)
        made.append(key)
        if key == "bad":
            raise ValueError(key)
        return key.upper()

    assert await asyncio.gather(*(memory.once("a", lambda: make("a")) for _ in range(3))) == ["A"] * 3
    assert await memory.once("a", lambda: make("a")) == "A"
    assert await memory.once("b", lambda: make("b")) == "B"
    assert await memory.once("a", lambda: make("a")) == "A"
    assert made == ["a", "b", "a"]
    for _ in range(2):
        with pytest.raises(ValueError, match="bad"):
            await memory.once("bad", lambda: make("bad"))
    assert made.count("bad") == 2


async def test_a_cancelled_maker_leaves_nothing_behind() -> None:
    """Work cut off at shutdown is made anew by the next."""
    memory: Memory[int] = Memory()

    async def never() -> int:
        raise asyncio.CancelledError

    async def one() -> int:
        return 1

    with pytest.raises(asyncio.CancelledError):
        await memory.once("k", never)
    await asyncio.sleep(0)
    assert await memory.once("k", one) == 1


HOSTILE = {
    "one letter": "a" * 20_000,
    "digits": "1" * 20_000,
    "separators": "1," * 10_000,
    "numbers": " ".join(map(str, range(4_000))),
    "space": " " * 20_000 + "x",
    "full stops": "." * 20_000,
    "brackets": "[1," * 6_000,
    "tags": "<sup>" * 4_000,
    "links": "[a](" * 5_000,
    "negations": "not " * 5_000,
    "refusals": "I could not " * 2_000,
    "capitals": "Anna " * 4_000,
    "opposites": "rise fall " * 2_000,
    "addresses": "a@" * 10_000,
    "telephones": "+41 44 " * 3_000,
    "lines": "\n" * 20_000,
    "tables": "|" * 20_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
async def test_no_text_hangs_the_judge(kind: str, judge_locally) -> None:  # type: ignore[no-untyped-def]
    """Thousands of characters that patterns could stumble over are read to the end."""
    async with asyncio.timeout(120):
        verdicts = await judge_locally(
            "The limit is CHF 5.", f"{HOSTILE[kind]} .", "What is the limit?", "The limit is 5."
        )
    assert {verdict.status for verdict in verdicts.values()} <= {"given", "skipped"}
