"""Families, ranks and orders of people: who stands above whom, and what is asked of it."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Literal

Structure = Literal["chain", "tree", "dag"]
Relation = Literal["parent", "reports_to", "precedes"]
Edge = tuple[str, str]
"""(above, below): parent and child, manager and employee, earlier and later."""


@dataclass(frozen=True, kw_only=True)
class Graph:
    """A graph with one question: the `answer` is reached from `asked` over exactly the hops wanted."""

    edges: tuple[Edge, ...]
    asked: tuple[str, ...]
    answer: str


def chain(names: Iterator[str], hops: int, rng: random.Random) -> Graph:
    """Return a line of people; asked is who stands `hops` above the last but a few."""
    above, below = rng.randint(0, 2), rng.randint(0, 1)
    line = list(islice(names, above + hops + 1 + below))
    return Graph(edges=tuple(pairwise(line)), asked=(line[above + hops],), answer=line[above])


def tree(names: Iterator[str], hops: int, rng: random.Random) -> Graph:
    """Return a complete binary tree of depth `hops`; asked is the one sibling of a leaf."""
    people = list(islice(names, 2 ** (hops + 1) - 1))
    edges = tuple((people[(child - 1) // 2], people[child]) for child in range(1, len(people)))
    leaf = rng.randrange(2**hops - 1, len(people))
    sibling = leaf + 1 if leaf % 2 else leaf - 1
    return Graph(edges=edges, asked=(people[leaf],), answer=people[sibling])


def dag(names: Iterator[str], hops: int, rng: random.Random) -> Graph:
    """Return two lines of `hops` edges down from one ancestor, with second ways and strangers joining in below it.

    The two lowest have exactly one ancestor in common: what joins a line comes from elsewhere.
    """
    (top,) = islice(names, 1)
    edges: list[Edge] = []
    lowest = []
    for _ in range(2):
        line = [top, *islice(names, hops)]
        edges += pairwise(line)
        for person in line[2:]:
            edges += zip(islice(names, 1), [person], strict=True)
        (detour,) = islice(names, 1)
        edges += [(top, detour), (detour, line[-1])]
        lowest.append(line[-1])
    return Graph(edges=tuple(edges), asked=tuple(lowest), answer=top)


MAKE: Mapping[Structure, Callable[[Iterator[str], int, random.Random], Graph]] = {
    "chain": chain,
    "tree": tree,
    "dag": dag,
}


def sentence(edge: Edge, relation: Relation) -> str:
    """Return the sentence that states an edge."""
    above, below = edge
    if relation == "parent":
        return f"{above} is the parent of {below}."
    return f"{below} reports to {above}." if relation == "reports_to" else f"{above} precedes {below}."


def question(graph: Graph, structure: Structure, relation: Relation, hops: int) -> str:
    """Return the question a graph answers."""
    one = graph.asked[0]
    if structure == "chain":
        return _CHAIN[relation](one, hops)
    if structure == "tree":
        return _TREE[relation].format(one=one)
    return _DAG[relation].format(one=one, other=graph.asked[1])


def _parent(one: str, hops: int) -> str:
    return f"Who is the {'great-' * (hops - 2)}grandparent of {one} ({hops} generations above)?"


_CHAIN: Mapping[Relation, Callable[[str, int], str]] = {
    "parent": _parent,
    "reports_to": lambda one, hops: f"Who stands exactly {hops} levels above {one} in the line of reporting?",
    "precedes": lambda one, hops: f"Who stands exactly {hops} places before {one}?",
}
_TREE: Mapping[Relation, str] = {
    "parent": "Who is the sibling of {one}?",
    "reports_to": "Who reports to the same person as {one}?",
    "precedes": "Who directly follows the same person as {one}?",
}
_DAG: Mapping[Relation, str] = {
    "parent": "Who is the common ancestor of {one} and {other}?",
    "reports_to": "Who stands above both {one} and {other}, directly or over others?",
    "precedes": "Who stands before both {one} and {other}, directly or over others?",
}
