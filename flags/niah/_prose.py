"""Synthetic prose: seeded, of any length, without a repeated sentence."""

import random
from collections.abc import Iterator

from flags.niah._vocabulary import HOW, LINK, REMARK, TOPICS, WHEN, Topic

_SHAPES = (
    "{who} {did} {where}.",
    "{when}, {who} {did} {where}, and {remark}.",
    "{link}, {who} {did} {how}.",
    "{thing} {state}, so that {who} {did} {where} {when}.",
    "{where}, {who} {did} {how}, while {other} {done}.",
    "{who} {did} {when}, though {remark}.",
    "although {thing} {state}, {who} {did} {how}.",
    "{link}, {thing} {state}; {remark}.",
    "what {who} remembered was that {other} {done} {where}.",
    "{who} {did} and {done} {when}.",
    "it was {where} that {who} {did} {how}, and {thing} {state}.",
    "whenever {who} {did}, {other} {done} {where}.",
    "{thing} {state}, or so {who} maintained {when}.",
    "{when} and {how}, {who} {did} {where}.",
)


def paragraphs(seed: int) -> Iterator[str]:
    """Yield paragraphs without end; the same for the same seed, and no sentence twice."""
    rng = random.Random(f"prose|{seed}")
    said: set[str] = set()
    while True:
        topic = rng.choice(TOPICS)
        yield " ".join(_new(topic, rng, said) for _ in range(rng.randint(4, 8)))


def prose(seed: int, words: int) -> str:
    """Return the paragraphs of a seed up to at least so many words, with an empty line between."""
    found: list[str] = []
    stream = paragraphs(seed)
    while words > 0:
        found.append(next(stream))
        words -= found[-1].count(" ") + 1
    return "\n\n".join(found)


def _new(topic: Topic, rng: random.Random, said: set[str]) -> str:
    while True:
        sentence = _sentence(topic, rng)
        if sentence not in said:
            said.add(sentence)
            return sentence


def _sentence(topic: Topic, rng: random.Random) -> str:
    pick = rng.choice
    did, done = rng.sample(topic.did, 2)
    who, other = rng.sample(topic.who, 2)
    text = pick(_SHAPES).format(
        who=who, other=other, did=did, done=done, where=pick(topic.where), thing=pick(topic.thing),
        state=pick(topic.state), when=pick(WHEN), how=pick(HOW), remark=pick(REMARK), link=pick(LINK),
    )  # fmt: skip
    return text[0].upper() + text[1:]
