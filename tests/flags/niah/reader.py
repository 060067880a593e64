"""Assistants made of rules: they see nothing but the prompt."""

import re
from collections.abc import Callable, Mapping, Sequence

FACT = re.compile(r"^The (?P<attribute>[a-z ]+?) of (?P<entity>[A-Z].*?) is (?P<value>\S+)\.$", re.MULTILINE)
PAIR = re.compile(r"^(?P<entity>kv_[0-9a-f]{6}): (?P<value>\S+)$", re.MULTILINE)
EDGE = re.compile(r"^(?P<above>[A-Z].*?) (?:is the parent of|precedes) (?P<below>[A-Z].*?)\.$", re.MULTILINE)
REPORT = re.compile(r"^(?P<below>[A-Z].*?) reports to (?P<above>[A-Z].*?)\.$", re.MULTILINE)

Assistant = Callable[[str], str]


def parts(prompt: str) -> tuple[str, str]:
    """Return document and question of a prompt."""
    document, question = prompt.split("\nEND\n\nQuestion: ")
    return document.split("\nBEGIN\n", 1)[1], question


def facts(document: str) -> list[tuple[str, str, str]]:
    """Return (entity, attribute, value) of every fact, in the order of the document."""
    found = [(m["entity"], m["attribute"], m["value"]) for m in FACT.finditer(document)]
    return found + [(m["entity"], "", m["value"]) for m in PAIR.finditer(document)]


def oracle(prompt: str) -> list[str]:
    """Return the right answers, by reading the document alone; of two values the last."""
    document, question = parts(prompt)
    phrase = re.search(r"phrase “(.+?)” appear", question)
    if phrase:
        return [str(document.count(phrase[1]))]
    if question.startswith("Who"):
        return [ancestor(document, question)]
    said = {(entity, attribute): value for entity, attribute, value in facts(document)}
    asked = [key for key in said if f"{key[1]} of {key[0]}?" in question or f"key {key[0]}?" in question]
    if asked and "gives half" not in question:
        return [said[key] for key in sorted(asked, key=lambda key: question.index(f"{key[0]}?"))]
    return reasoned({key[0]: float(value) for key, value in said.items()}, question)


def reasoned(values: Mapping[str, float], question: str) -> list[str]:
    """Return the answer of an M-RS question."""
    gift = re.search(r"^(.+?) gives half of its .+? to (.+?)\. What", question)
    if gift:
        return [f"{values[gift[2]] + values[gift[1]] / 2:g}"]
    threshold = re.search(r"above (\d+)\?", question)
    if threshold:
        return [name for name, value in values.items() if value > int(threshold[1])]
    if "total" in question:
        return [f"{sum(values.values()):g}"]
    if "average" in question:
        return [f"{sum(values.values()) / len(values):g}"]
    chosen = max if "highest" in question else min
    return [chosen(values, key=values.__getitem__)]


def ancestor(document: str, question: str) -> str:
    """Return the person an ATC question asks for."""
    edges = [(m["above"], m["below"]) for m in (*EDGE.finditer(document), *REPORT.finditer(document))]
    above: dict[str, list[str]] = {}
    for upper, lower in edges:
        above.setdefault(lower, []).append(upper)
    people = sorted({name for edge in edges for name in edge}, key=len, reverse=True)
    asked = [name for name in people if re.search(rf"(?<!\w){name}(?!\w)", question)][:2]
    if len(asked) == 2:
        (common,) = lineage(asked[0], above) & lineage(asked[1], above)
        return common
    hops = re.search(r"(\d+) (?:generations|levels|places)", question)
    if hops:
        person = asked[0]
        for _ in range(int(hops[1])):
            (person,) = above[person]
        return person
    (shared,) = above[asked[0]]
    (sibling,) = [lower for upper, lower in edges if upper == shared and lower != asked[0]]
    return sibling


def lineage(person: str, above: Mapping[str, Sequence[str]]) -> set[str]:
    """Return everybody above a person."""
    direct = set(above.get(person, ()))
    return direct.union(*(lineage(each, above) for each in direct)) if direct else set()


def sentence(answers: list[str]) -> str:
    """Return the answers in sentences."""
    if len(answers) == 1:
        return f"According to the document, the answer is {answers[0]}."
    return f"According to the document, the answers are {', '.join(answers[:-1])} and {answers[-1]}."


PHRASINGS: Mapping[str, Callable[[list[str]], str]] = {
    "bare": "\n".join,
    "sentence": sentence,
    "bold": lambda answers: ", ".join(f"**{answer}**" for answer in answers),
    "numbered list": lambda answers: "\n".join(f"{n}. {answer}" for n, answer in enumerate(answers, 1)),
}


def dump(prompt: str) -> str:
    """Return everything: all numbers to 999, and all of the document."""
    document, _ = parts(prompt)
    return ", ".join(map(str, range(1, 1000))) + "\n" + document


def neighbour(prompt: str) -> str:
    """Return values and names that stand in the document and are not asked for, one for each answer."""
    document, question = parts(prompt)
    right = oracle(prompt)
    if question.startswith("Who "):
        names = [m["below"] for m in (*EDGE.finditer(document), *REPORT.finditer(document))]
        return next(name for name in names if name not in question and name not in right)
    values = [value for _, _, value in facts(document)]
    if len(right) > 1 and set(right) <= set(values):
        return "\n".join([*right[1:], right[0]])
    names = [name for name, _, _ in facts(document)]
    others = [each for each in (names if right[0] in names else values) if each not in right]
    return others[0] if others else "77"


BAD: Mapping[str, Assistant] = {
    "refusing": lambda prompt: "I'm sorry, but I cannot find that in the document.",
    "refusing with the value": lambda prompt: f"I could not find {' or '.join(oracle(prompt))} in the document.",
    "negating": lambda prompt: f"The answer is not {', and not '.join(oracle(prompt))}.",
    "dumping": dump,
    "echoing": lambda prompt: parts(prompt)[0],
    "constant": lambda prompt: "77",
    "empty": lambda prompt: "",
    "neighbour": neighbour,
    "asking back": lambda prompt: parts(prompt)[1],
}


def primacy(prompt: str) -> str:
    """Return the first value that is said of what is asked for."""
    document, question = parts(prompt)
    return next(value for entity, attribute, value in facts(document) if f"{attribute} of {entity}?" in question)
